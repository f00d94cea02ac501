import { createDatabase } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindShop } from '../src/compiler/bind/test-support/bind-shop-for-test.ts'
import { shopDdl } from '../src/compiler/bind/test-support/shop-for-test.ts'
import { GatewayError } from '../src/foundation/errors.ts'
import * as statements from './bind-statements.ts'
import { type DescribedColumn, describeStatement } from './describe-statement.ts'
import { describeCatalogVersion } from './sql-types-oracle.ts'

await describeCatalogVersion('whole statements', () => {
  let client: Client

  beforeAll(async () => {
    client = new Client({ connectionString: await createDatabase('bind') })
    await client.connect()
    await client.query(shopDdl)
    await client.query(`set search_path = ''`)
  })
  afterAll(() => client.end())

  /** `id 23:-1, name 25:-1 ($1 23)`: columns with type and typmod, types of the parameters; or the SQLSTATE. */
  async function theirs(sql: string): Promise<string> {
    const described = await describeStatement(client, sql)
    if (!described.ok) return described.sqlState
    return describedText(described.columns, described.parameterOids)
  }

  /** Statements whose descriptions differ from PostgreSQL's, with both. */
  async function differences(checked: readonly string[]): Promise<readonly string[]> {
    const found: string[] = []
    for (const sql of checked) {
      const [expected, actual] = [await theirs(sql), ours(sql)]
      if (expected !== actual) found.push(`${sql}: ${expected}, not ${actual}`)
    }
    return found
  }

  const { deviations, ...groups } = statements
  test.each(Object.entries(groups))('%s', async (_, group) => {
    const checked = group.filter((sql) => !deviations.has(sql))
    expect(await differences(checked)).toEqual([])
  })

  test('every deviation is one', async () => {
    const checked = [...deviations.keys()]
    const found = await differences(checked)
    expect(found.map((line) => line.slice(0, line.lastIndexOf(': ')))).toEqual(checked)
  })
})

function ours(sql: string): string {
  try {
    const { body, parameterTypes } = bindShop(sql)
    const columns = 'target' in body ? (body.returning?.columns ?? []) : body.columns
    return describedText(
      columns.map(({ name, type }) => ({ name, ...type })),
      parameterTypes.map(({ oid }) => oid),
    )
  } catch (error) {
    if (error instanceof GatewayError && error.problem !== 'internal') return String(error.sqlState)
    throw error
  }
}

function describedText(columns: readonly DescribedColumn[], parameters: readonly number[]): string {
  const names = columns.map(({ name, oid, typmod }) => `${name} ${oid}:${typmod}`)
  return `${names.join(', ')} (${parameters.join(', ')})`
}
