/**
 * The main guarantee: an answer never depends on data that the caller may not see. Two databases that differ only in
 * hidden rows and hidden cells answer statements of the corpus; the answers are identical in every byte.
 */
import { queryCases } from '@engine/corpus'
import { describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { type PermissionGateway, permissionGateway } from '../support/permission-world.ts'
import { createPostgresShop } from '../support/shop.ts'
import { secret } from '../support/tokens.ts'

const near = { id: { $lte: 25 } }
const all = (table: string) => ({ table: `main.${table}`, roles: ['viewer'], select: {} })

const permissions = {
  customers: { table: 'main.customers', roles: ['viewer'], select: { where: near } },
  profiles: {
    table: 'main.customer_profiles',
    roles: ['viewer'],
    select: { where: { customer: near } },
  },
  orders: { table: 'main.orders', roles: ['viewer'], select: { where: { customer: near } } },
  items: {
    table: 'main.order_items',
    roles: ['viewer'],
    select: { where: { order: { customer_id: { $lte: 25 } } } },
  },
  products: {
    table: 'main.products',
    roles: ['viewer'],
    select: { where: { discontinued: false } },
  },
  names: { table: 'main.products', roles: ['viewer'], select: { columns: ['id', 'name'] } },
  employees: {
    table: 'main.employees',
    roles: ['viewer'],
    select: { where: { id: { $in: '$user.staff' } } },
  },
  suppliers: { table: 'main.suppliers', roles: ['viewer'], select: { where: { active: true } } },
  reviews: {
    table: 'main.reviews',
    roles: ['viewer'],
    select: { where: { verified: '$user.verified' } },
  },
  categories: all('categories'),
  tags: all('tags'),
  product_tags: all('product_tags'),
  type_samples: all('type_samples'),
}

/** Other values in every hidden row and cell, chosen so that divisions, casts and overflows fail. */
const change = `
  update main.customers set company_name = 'CANARY' || id, contact_name = 'CANARY', city = 'CANARY',
    country = '0', credit_limit = 0, notes = null, created_at = '0001-01-01' where id > 25;
  update main.customer_profiles set bio = 'CANARY', preferences = '"CANARY"' where customer_id > 25;
  update main.orders set status = 'CANARY', total_cents = 0, freight = 99999999.99, notes = 'CANARY',
    order_date = '9999-12-31' where customer_id > 25;
  update main.order_items set quantity = 2147483647, unit_price = 0, discount = 0
    where order_id in (select id from main.orders where customer_id > 25);
  update main.products set sku = 'CANARY' || id, unit_price = 0, cost = 0, units_in_stock = 0, reorder_level = 0,
    weight_kg = 0, attributes = '"CANARY"', category_id = 1, supplier_id = 1 where discontinued;
  update main.employees set first_name = 'CANARY', last_name = 'CANARY', title = 'CANARY', salary = 0 where id > 6;
  update main.suppliers set name = 'CANARY', country = 'CANARY', rating = 0 where not active;
  update main.reviews set rating = 1, title = 'CANARY', body = 'CANARY', recommended = null where not verified;`

/** The same physical order in both: rows without ORDER BY are returned in stored order. */
const settle = Object.values(permissions)
  .map(({ table }) => table)
  .filter((table, i, tables) => tables.indexOf(table) === i)
  .map((table) => `cluster ${table} using ${table.replace('main.', '')}_pkey; analyze ${table};`)
  .join('\n')

const caller = { roles: ['viewer'], staff: [1, 2, 3, 4, 5, 6], verified: true }

/** Every fifth statement of the corpus. */
const statements = queryCases.filter((_, i) => i % 5 === 0)

describePostgres('two databases that differ in hidden rows only', () => {
  const gateways: (PermissionGateway | ReturnType<typeof permissionGateway>)[] = []
  beforeAll(async () => {
    for (const name of ['interference_a', 'interference_b']) {
      const url = await createPostgresShop(name)
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      if (name === 'interference_b') await client.query(change)
      await client.query(settle)
      await client.end()
      const gateway = await openGateway(
        { connections: { main: { url, schema: 'main' } }, auth: { secret }, permissions },
        { isDevelopment: false },
      )
      gateways.push(permissionGateway(gateway))
    }
  })
  afterAll(async () => {
    for (const { gateway } of gateways) await gateway.close()
  })

  async function answer(
    gateway: Pick<PermissionGateway, 'ask'>,
    { sql, params, ordered }: (typeof queryCases)[number],
  ): Promise<string> {
    const { status, body } = await gateway.ask(caller, sql, params)
    const { correlation_id: _, rows, ...rest } = body as Readonly<Record<string, unknown>>
    const texts = Array.isArray(rows) ? rows.map((row) => JSON.stringify(row)) : []
    return JSON.stringify([status, rest, ordered ? texts : texts.toSorted()])
  }

  test.each(
    statements.map((statement) => ({ id: `${statement.group}: ${statement.name}`, statement })),
  )('$id', async ({ statement }) => {
    const [one, other] = await Promise.all(gateways.map((each) => answer(each, statement)))
    expect(one).toBe(other)
    expect(other).not.toContain('CANARY')
  })

  test('most of the statements are answered at all', async () => {
    let answered = 0
    for (const statement of statements) {
      const [gateway] = gateways
      if (gateway !== undefined && (await answer(gateway, statement)).startsWith('[200'))
        answered += 1
    }
    expect(answered).toBeGreaterThan(statements.length * 0.8)
  })
})
