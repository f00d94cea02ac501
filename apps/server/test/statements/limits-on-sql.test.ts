import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import {
  acme,
  createWorld,
  masterKey,
  mine,
  type PermissionGateway,
  type PermissionWorld,
} from '../support/permission-world.ts'

const tooMuch = [400, 'BAD_REQUEST']

/** `count` pieces, created by their number from 1 on. */
function pieces(count: number, make: (n: number) => string, separator: string): string {
  return Array.from({ length: count }, (_, i) => make(i + 1)).join(separator)
}

/** A policy that alone exceeds every limit below. */
const deep = {
  $or: pieces(8, (n) => String(n), ',')
    .split(',')
    .map((id) => ({ $and: [{ tenant: '$user.tenant' }, { $not: { id: -Number(id) } }] })),
}

describeDatabases('limits on what a statement asks for', (open) => {
  let world: PermissionWorld
  let narrow: PermissionGateway
  let usual: PermissionGateway
  beforeAll(async () => {
    world = await createWorld(open)
    const permissions = {
      orders: {
        table: 'main.orders',
        roles: ['clerk'],
        select: { where: { ...deep, customer: { orders: { $some: { customer: mine } } } } },
        update: {},
      },
      customers: { table: 'main.customers', roles: ['clerk'], select: {} },
      lines: { table: 'main.order_lines', roles: ['clerk'], select: {} },
    }
    narrow = await world.open(permissions, {
      config: { limits: { maxRelationDepth: 2, maxFilterNesting: 2, maxFilterConditions: 4 } },
    })
    usual = await world.open(permissions, { isDevelopment: false })
  })
  afterAll(() => world?.close())

  /** Limit, allowed and measured value of a refusal. */
  async function excess(sql: string): Promise<unknown> {
    const { status, body } = await narrow.ask(acme, sql)
    const { message, details } = body as {
      readonly message?: unknown
      readonly details?: Readonly<Record<string, unknown>>
    }
    if (status !== 400) return status
    const { limit, allowed, measured } = details ?? {}
    expect(message).toBe(`The statement exceeds limits.${limit} (${allowed}).`)
    return [limit, allowed, measured]
  }

  const join =
    'from main.orders o join main.customers c on c.id = o.customer_id join main.order_lines l on l.order_id = o.id'
  const chain =
    'from main.customers c join main.orders o on c.id = o.customer_id join main.order_lines l on l.order_id = o.id'

  test('maxRelationDepth: chains of tables', async () => {
    expect(await excess(`select o.id ${join}`)).toBe(200)
    expect(await excess(`select o.id ${chain}`)).toEqual(['maxRelationDepth', 2, 3])
    expect(
      await excess(
        'select id from main.orders o where exists (select from main.customers c where c.id = o.customer_id and exists (select from main.orders p where p.customer_id = c.id))',
      ),
    ).toEqual(['maxRelationDepth', 2, 3])
    expect(
      await excess(
        "update main.orders set status = 'new' from main.customers c join main.order_lines l on l.order_id = c.id where c.id = orders.customer_id",
      ),
    ).toEqual(['maxRelationDepth', 2, 3])
  })

  test('maxFilterNesting: AND, OR and NOT inside each other', async () => {
    const where = (condition: string) => `select id from main.orders where ${condition}`
    expect(await excess(where('id = 1 or (id = 2 and id = 3)'))).toBe(200)
    expect(await excess(where('(id = 1 or (id = 2 or (id = 3)))'))).toBe(200)
    expect(await excess(where('id = 1 or (id = 2 and not (id = 3))'))).toEqual([
      'maxFilterNesting',
      2,
      3,
    ])
  })

  test('maxFilterConditions: conditions of the whole statement', async () => {
    const where = (condition: string) => `select id from main.orders where ${condition}`
    expect(await excess(where('id in (1, 2, 3, 4, 5) and id > 0 and id < 9 and id <> 7'))).toBe(200)
    expect(await excess(where('id = 1 or id = 2 or id = 3 or id = 4 or id = 5'))).toEqual([
      'maxFilterConditions',
      4,
      5,
    ])
    expect(await excess(`select o.id ${join} where o.id > 0 and o.id < 9 and o.id <> 7`)).toEqual([
      'maxFilterConditions',
      4,
      5,
    ])
  })

  test('limits on what a statement asks for hold for the master key too, and details are for developers', async () => {
    const sql = `select id from main.orders where ${pieces(101, (n) => `id <> ${n}`, ' and ')}`
    const headers = { authorization: `Bearer ${masterKey}` }
    const { status, body } = await usual.gateway.data({ sql, params: [], method: 'all' }, headers)
    expect([status, body]).toEqual([
      400,
      {
        error: 'BAD_REQUEST',
        message: 'The statement exceeds limits.maxFilterConditions (100).',
        correlation_id: expect.any(String),
      },
    ])
  })

  describe('that no configuration changes', () => {
    test.each<[string, string]>([
      ['words and literals', `select 1 in (${Array(80_000).fill('1').join()})`],
      ['brackets', `select ${'('.repeat(150)}1${')'.repeat(150)}`],
      ['operators in a row', `select 1${' + 1'.repeat(600)}`],
      ['items of an IN list', `select 1 where 1 in (${pieces(65_536, String, ',')})`],
      ['items of an array', `select array[${pieces(65_536, String, ',')}]`],
      ['WITH queries', `with ${pieces(101, (n) => `q${n} as (select 1)`, ', ')} select 1`],
      ['set operations', pieces(102, () => 'select 1', ' union all ')],
      ['tables', `select 1 from ${pieces(201, (n) => `main.orders o${n}`, ', ')}`],
      [
        'grouping sets',
        `select 1 from main.orders group by cube (${pieces(13, (n) => `id + ${n}`, ', ')})`,
      ],
      [
        'windows',
        `select ${pieces(65, (n) => `sum(id) over (order by id + ${n})`, ', ')} from main.orders`,
      ],
      [
        'windows of other subqueries',
        `select ${pieces(65, (n) => `(select count(*) over (order by id + ${n}) limit 1)`, ', ')} from main.orders`,
      ],
      [
        'keys to sort by',
        `select id from main.orders order by ${pieces(513, (n) => `id + ${n}`, ', ')}`,
      ],
      [
        'keys to group by',
        `select 1 from main.orders group by ${pieces(513, (n) => `id + ${n}`, ', ')}`,
      ],
      ['parameters', 'select $70000::int'],
      ['rows of a series', 'select generate_series(1, 100000000)'],
      ['rows of a computed series', 'select count(*) from generate_series(1, 1000000 * 100)'],
      ['repeated text', "select repeat('x', 100000000)"],
      ['padded text', "select lpad('x', 100000000)"],
      ['computed points', "select polygon(id * 1000000, circle '<(0,0),1>') from main.orders"],
      ['computed lengths', "select length(rpad('x', id * 100000000)) from main.orders"],
      [
        'doubling',
        pieces(30, () => '', '') +
          Array.from({ length: 30 }).reduce<string>(
            (inner, _, i) => `select c || c as c from (${inner}) q${i}`,
            "select 'x'::text as c",
          ),
      ],
    ])('%s', async (_, sql) => expect(await usual.refusal(acme, sql)).toEqual(tooMuch))

    test('are far from what programs ask for', async () => {
      const list = pieces(5_000, (n) => `$${n}`, ', ')
      const params = Array.from({ length: 5_000 }, (_, i) => i)
      expect(
        await usual.rows(acme, `select count(*) from main.orders where id in (${list})`, params),
      ).toEqual([['4']])
      const windows = pieces(64, (n) => `sum(id) over (order by id + ${n})`, ' + ')
      expect(await usual.rows(acme, `select ${windows} from main.orders`)).toHaveLength(4)
      const keys = pieces(100, (n) => `id + ${n}`, ', ')
      expect(await usual.rows(acme, `select id from main.orders order by ${keys}`)).toHaveLength(4)
      const tree =
        'with recursive t (n) as (select 1 union all select n + 1 from t where n < 1000) select count(*) from t'
      expect(await usual.rows(acme, tree)).toEqual([['1000']])
      expect(await usual.rows(acme, `select 1 ${chain} where o.id = 1 and l.position = 1`)).toEqual(
        [[1]],
      )
    })
  })
})
