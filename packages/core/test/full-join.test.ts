import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindShop } from '../src/compiler/bind/test-support/bind-shop-for-test.ts'
import { shopDdl } from '../src/compiler/bind/test-support/shop-for-test.ts'
import { GatewayError } from '../src/foundation/errors.ts'

const conditions: readonly string[] = [
  'a.id = b.id',
  'b.id = a.id',
  'a.id < b.id',
  'true',
  'false',
  'null',
  '1 = 2',
  'a.id = b.id and a.id > 1',
  'a.id = b.id and a.id < b.id',
  'a.id = b.id and random() < 2',
  'a.id = b.id + 1',
  'a.id = b.id + a.id',
  'a.id + b.id = 2',
  'a.id = 1',
  'a.id = 1 and b.id = 1',
  'a.id = b.id::bigint',
  'a.id = b.id::numeric',
  'a.status = b.name',
  'a.id = b.id or a.status = b.name',
  'a.id = b.id or true',
  'a.id < b.id and false',
  'a.id < b.id and null',
  'a.id < b.id and not true',
  'a.id < b.id and true',
  '(a.id = b.id and a.status = b.name) or (a.id = b.id and a.status < b.name)',
  'not a.id <> b.id',
  'not a.id = b.id',
  'not (a.id <> b.id or a.status <> b.name)',
  '(a.id, a.status) = (b.id, b.name)',
  '(a.id, a.status) = (b.id, b.name) and a.id > 1',
  '(a.id, a.status) < (b.id, b.name)',
  'a.id in (b.id)',
  'a.id in (b.id, 3)',
  'a.id = any (array[b.id])',
  'a.id is not distinct from b.id',
  '(a.id = b.id) is true',
  '(a.id = b.id) = true',
  'a.id between b.id and b.id',
  'a.id = b.id + random()::int',
  'a.id = (select b.id)',
  'a.id = (select max(c.id) from main.customers c where c.id = b.id)',
  'exists (select 1 from main.notes n where n.id = a.id)',
  'a.id = b.id and exists (select 1 from main.notes n where n.id = a.id)',
  'coalesce(a.id, 0) = coalesce(b.id, 0)',
  'coalesce(a.id = b.id, false)',
  'b.active',
  'b.active = (a.id > 1)',
  'b.active and a.id = b.id',
  `current_date + a.id = '2020-01-01'::timestamp + b.id * interval '1 day'`,
  `current_date + a.id = '2020-01-01'::timestamp + b.id * interval '1 day' and a.id > 1`,
  `current_date + a.id = '2020-01-01'::timestamp + b.id * interval '1 day' and false`,
]

describePostgres('conditions of FULL JOIN', () => {
  let client: Client

  beforeAll(async () => {
    client = new Client({ connectionString: await createDatabase('full_join') })
    await client.connect()
    await client.query(shopDdl)
  })
  afterAll(() => client.end())

  async function theirs(sql: string): Promise<string | undefined> {
    try {
      await client.query(`explain ${sql}`)
      return 'accepted'
    } catch (error) {
      return (error as { readonly code?: string }).code
    }
  }

  test.each(conditions)('%s', async (condition) => {
    const sql = `select 1 from main.orders a full join main.customers b on ${condition}`
    expect(ours(sql)).toBe(await theirs(sql))
  })
})

function ours(sql: string): string | undefined {
  try {
    bindShop(sql)
    return 'accepted'
  } catch (error) {
    if (error instanceof GatewayError) return error.sqlState
    throw error
  }
}
