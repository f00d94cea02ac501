import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import {
  type Claims,
  createWorld,
  type PermissionGateway,
  type PermissionWorld,
} from '../support/permission-world.ts'

const more = `
create table samples (
  id integer primary key,
  word varchar(20),
  big bigint,
  price numeric(10,2),
  ratio double precision,
  flag boolean,
  day date,
  at timestamp,
  data jsonb
);
insert into samples (id, word, big, price, ratio, flag, day, at, data) values
  (1, 'alpha', 1, 1.50, 0.5, true, '2024-01-01', '2024-01-01 00:00:00', '{"k": 1, "tags": ["a", "b"]}'),
  (2, 'Alpha%', 9007199254740993, 2.00, 1.5, false, '2024-06-30', '2024-06-30 12:00:00', '{"k": 2, "tags": []}'),
  (3, 'beta_x', -5, 0.00, -1, null, '2999-01-01', '2999-01-01 00:00:00', '["a"]'),
  (4, null, null, null, null, true, null, null, null);
`

/** A filter on a table; each is the permission of a separate role. */
interface RoleFilter {
  readonly table: string
  readonly where: unknown
}

describeDatabases('filters', (open, kind) => {
  let world: PermissionWorld
  let gateway: PermissionGateway
  const filters: RoleFilter[] = []
  beforeAll(async () => {
    const rows =
      kind === 'sqlite' ? more.replace(/\btrue\b/g, '1').replace(/\bfalse\b/g, '0') : more
    world = await createWorld(open, rows)
    const permissions = filters.map(({ table, where }, i) => [
      `p${i}`,
      { table: `main.${table}`, roles: [`role${i}`], select: { columns: ['id'], where } },
    ])
    gateway = await world.open(Object.fromEntries(permissions))
  })
  afterAll(async () => {
    await world?.close()
  })

  /** Ids of the rows that match a filter, for a caller with some claims. */
  function filter(where: unknown, table: string): (claims?: Claims) => Promise<unknown> {
    const role = `role${filters.length}`
    filters.push({ table, where })
    return async (claims = {}) => {
      const sql = `select id from main.${table} order by id`
      const rows = await gateway.rows({ ...claims, roles: [role] }, sql)
      return (rows as readonly (readonly unknown[])[]).flat()
    }
  }

  describe('operators', () => {
    const cases: readonly (readonly [unknown, readonly number[]])[] = [
      [{ word: 'alpha' }, [1]],
      [{ word: { $eq: 'alpha' } }, [1]],
      [{ word: 'ALPHA' }, []],
      [{ word: 'alpha ' }, []],
      [{ word: { $ne: 'alpha' } }, [2, 3]],
      [{ big: '9007199254740993' }, [2]],
      [{ big: '9007199254740992' }, []],
      [{ id: { $gt: 1, $lt: 3 } }, [2]],
      [{ id: { $gte: 2, $lte: 3 } }, [2, 3]],
      [{ price: { $gt: 1.5 } }, [2]],
      [{ price: 2 }, [2]],
      [{ price: '1.5' }, [1]],
      [{ ratio: { $lt: 1 } }, [1, 3]],
      [{ word: { $in: ['alpha', 'beta_x', 'x'] } }, [1, 3]],
      [{ word: { $in: [] } }, []],
      [{ word: { $nin: ['alpha'] } }, [2, 3]],
      [{ word: { $nin: [] } }, [1, 2, 3, 4]],
      [{ id: { $between: [2, 3] } }, [2, 3]],
      [{ day: { $between: ['2024-01-01', '2024-12-31'] } }, [1, 2]],
      [{ word: { $like: '%a' } }, [1]],
      [{ word: { $like: 'beta\\_x' } }, [3]],
      [{ word: { $nlike: '%a' } }, [2, 3]],
      [{ word: { $ilike: 'ALPHA%' } }, [1, 2]],
      [{ word: { $nilike: 'ALPHA%' } }, [3]],
      [{ word: { $startsWith: 'Al' } }, [2]],
      [{ word: { $startsWith: '%' } }, []],
      [{ word: { $startsWith: '' } }, [1, 2, 3]],
      [{ word: { $endsWith: 'a%' } }, [2]],
      [{ word: { $endsWith: 'far longer than any of them' } }, []],
      [{ word: { $contains: 'a_' } }, [3]],
      [{ word: { $contains: 'ph' } }, [1, 2]],
      [{ flag: true }, [1, 4]],
      [{ flag: { $ne: true } }, [2]],
      [{ flag: { $isNull: true } }, [3]],
      [{ word: { $isNull: true } }, [4]],
      [{ word: { $null: false } }, [1, 2, 3]],
      [{ word: { $notNull: true } }, [1, 2, 3]],
      [{ word: { $not: { $like: '%a' } } }, [2, 3]],
      [{ at: { $lt: { $now: '0s' } } }, [1, 2]],
      [{ at: { $gt: { $now: '+1d' } } }, [3]],
      [{ day: { $lt: { $now: '-1d' } } }, [1, 2]],
      [{ id: { $gt: { $col: 'big' } } }, [3]],
      [{ data: { $contains: { k: 1 } } }, [1]],
      [{ data: { $contains: { tags: ['a'] } } }, [1]],
      [{ data: { $contains: 'a' } }, [3]],
      [{ data: { $hasKey: 'k' } }, [1, 2]],
      [{ data: { $containedBy: ['a', 'b'] } }, [3]],
      [{ data: { $overlaps: ['a', 'tags'] } }, [1, 2, 3]],
      [{ data: { $overlaps: ['b'] } }, []],
      [{}, [1, 2, 3, 4]],
      [{ $and: [{ id: { $gt: 1 } }, { id: { $lt: 3 } }] }, [2]],
      [{ $or: [{ id: 1 }, { word: 'beta_x' }] }, [1, 3]],
      [{ $or: [] }, []],
      [{ $nor: [{ id: 1 }, { word: 'beta_x' }] }, [2]],
      [{ $not: { id: 1 } }, [2, 3, 4]],
      [{ $not: { word: 'alpha' } }, [2, 3]],
      [{ id: { $gt: 1 }, word: { $notNull: true } }, [2, 3]],
    ]
    for (const [where, expected] of cases) {
      const ids = filter(where, 'samples')
      test(JSON.stringify(where), async () => expect(await ids()).toEqual(expected))
    }
  })

  describe('relations', () => {
    const cases: readonly (readonly [string, unknown, readonly number[]])[] = [
      ['orders', { customer: { city: 'Oslo' } }, [1, 2, 7, 8]],
      ['orders', { customer: { city: { $isNull: true } } }, [3, 4]],
      ['orders', { $not: { customer: { city: 'Oslo' } } }, [3, 4, 5, 6]],
      ['customers', { orders: { $some: { status: 'new' } } }, [1, 3]],
      ['customers', { orders: { $none: { status: 'new' } } }, [2, 4]],
      ['customers', { orders: { $every: { total: { $gte: 0 } } } }, [1, 2, 3]],
      ['customers', { orders: { $every: { notes: { $notNull: true } } } }, [1, 3]],
      ['orders', { order_lines: { $some: { product: 'tea' } } }, [1, 2, 6]],
      ['orders', { order_lines: { $none: {} } }, [4, 7, 8]],
      ['orders', { order_lines: { $every: { product: 'tea' } } }, [2, 4, 6, 7, 8]],
      ['orders', { tags: { $some: { name: 'vip' } } }, [1, 2, 5]],
      ['orders', { tags: { $every: { name: 'vip' } } }, [1, 3, 4, 5, 6, 7, 8]],
      ['customers', { orders: { $some: { order_lines: { $some: { product: 'pot' } } } } }, [2]],
      ['orders', { customer: { orders: { $some: { status: 'shipped' } } } }, [3, 4, 7, 8]],
    ]
    for (const [table, where, expected] of cases) {
      const ids = filter(where, table)
      test(`of ${table}: ${JSON.stringify(where)}`, async () => {
        expect(await ids()).toEqual(expected)
      })
    }
    const where = {
      $exists: {
        table: 'main.members',
        where: { who: '$user.name', tenant: { $outer: 'tenant' } },
      },
    }
    const inside = filter(where, 'orders')
    const outside = filter({ $not: where }, 'orders')
    test('any table, by membership of the caller', async () => {
      expect(await inside({ name: 'cy' })).toEqual([5, 6, 7, 8])
      expect(await inside({ name: 'nobody' })).toEqual([])
      expect(await inside()).toEqual([])
      expect(await outside({ name: 'cy' })).toEqual([1, 2, 3, 4])
      expect(await outside()).toEqual([])
    })
  })

  describe('fields of the caller', () => {
    const cases: readonly (readonly [string, unknown, Claims, readonly number[]])[] = [
      ['text', { tenant: '$user.tenant' }, { tenant: 'acme' }, [1, 2, 3, 4]],
      ['its letter case counts', { tenant: '$user.tenant' }, { tenant: 'ACME' }, []],
      ['so do blanks', { tenant: '$user.tenant' }, { tenant: 'acme ' }, []],
      ['a number for a number', { customer_id: '$user.customer' }, { customer: 1 }, [1, 2]],
      ['digits for a number', { customer_id: '$user.customer' }, { customer: '1' }, [1, 2]],
      ['a path', { tenant: '$user.org.slug' }, { org: { slug: 'acme' } }, [1, 2, 3, 4]],
      ['a list', { id: { $in: '$user.ids' } }, { ids: [1, '6', 99] }, [1, 6]],
      ['an empty list', { id: { $in: '$user.ids' } }, { ids: [] }, []],
      [
        'not in an empty list',
        { id: { $nin: '$user.ids' } },
        { ids: [] },
        [1, 2, 3, 4, 5, 6, 7, 8],
      ],
      ['not in a list', { id: { $nin: '$user.ids' } }, { ids: [1, 2, 3] }, [4, 5, 6, 7, 8]],
      ['on the left', { '$user.level': { $gte: 3 } }, { level: 3 }, [1, 2, 3, 4, 5, 6, 7, 8]],
      ['on the left, too low', { '$user.level': { $gte: 3 } }, { level: 2 }, []],
      [
        'on the left, a text',
        { '$user.kind': { $in: ['a', 'b'] } },
        { kind: 'b' },
        [1, 2, 3, 4, 5, 6, 7, 8],
      ],
      [
        'there at all',
        { '$user.email': { $notNull: true } },
        { email: 'x@y' },
        [1, 2, 3, 4, 5, 6, 7, 8],
      ],
      ['as plain text', { notes: { $contains: '$user.part' } }, { part: '%' }, [2]],
    ]
    for (const [name, where, claims, expected] of cases) {
      const ids = filter(where, 'orders')
      test(`${name}: ${JSON.stringify(where)} with ${JSON.stringify(claims)}`, async () => {
        expect(await ids(claims)).toEqual(expected)
      })
    }

    describe('that are missing make a condition UNKNOWN', () => {
      const missing: readonly (readonly [unknown, readonly number[]])[] = [
        [{ tenant: '$user.tenant' }, []],
        [{ tenant: { $ne: '$user.tenant' } }, []],
        [{ $not: { tenant: '$user.tenant' } }, []],
        [{ $nor: [{ tenant: '$user.tenant' }] }, []],
        [{ $not: { $not: { tenant: '$user.tenant' } } }, []],
        [{ tenant: { $nin: ['$user.tenant'] } }, []],
        [{ tenant: { $nin: '$user.tenants' } }, []],
        [{ tenant: { $in: ['acme', '$user.tenant'] } }, [1, 2, 3, 4]],
        [{ $or: [{ tenant: '$user.tenant' }, { status: 'new' }] }, [1, 5]],
        [{ $not: { $and: [{ tenant: '$user.tenant' }, { status: 'new' }] } }, [2, 3, 4, 6, 7, 8]],
        [{ $and: [{ tenant: '$user.tenant' }, {}] }, []],
        [{ tenant: { $isNull: false }, customer_id: '$user.x' }, []],
        [{ '$user.tenant': { $isNull: true } }, []],
        [{ '$user.tenant': { $notNull: true } }, []],
        [{ $not: { '$user.level': { $gte: 3 } } }, []],
        [{ customer: { tenant: '$user.tenant' } }, []],
        [{ $not: { customer: { tenant: '$user.tenant' } } }, []],
        [{ order_lines: { $none: { product: '$user.product' } } }, []],
        [{ order_lines: { $every: { product: '$user.product' } } }, []],
        [{ order_lines: { $none: { product: 'tea', position: '$user.p' } } }, []],
        [{ order_lines: { $every: { product: 'tea', position: '$user.p' } } }, []],
        [{ $not: { order_lines: { $some: { product: '$user.product' } } } }, []],
        [{ order_lines: { $some: { $or: [{ product: 'pot' }, { product: '$user.p' }] } } }, [3]],
      ]
      for (const [where, expected] of missing) {
        const ids = filter(where, 'orders')
        test(JSON.stringify(where), async () => {
          expect(await ids()).toEqual(expected)
          for (const nothing of [null, {}, [{}], [null]]) {
            const names = ['tenant', 'tenants', 'product', 'x', 'p', 'level']
            const claims = Object.fromEntries(names.map((name) => [name, nothing]))
            expect(await ids(claims)).toEqual(expected)
          }
        })
      }
    })

    describe('are values, whatever they hold', () => {
      const byTenant = filter({ tenant: '$user.tenant' }, 'orders')
      const byCustomer = filter({ customer_id: '$user.tenant' }, 'orders')
      test.each<[string, unknown]>([
        ['SQL', "acme' or '1'='1"],
        ['SQL', "acme'; drop table orders; --"],
        ['an operator', { $ne: 'x' }],
        ['an operator', { $in: ['acme', 'umbra'] }],
        ['a wildcard', '%'],
        ['another reference', '$user.role'],
        ['an object', { toString: 'acme' }],
        ['a list', ['acme', 'umbra']],
        ['true', true],
        ['a number', 1],
        ['a huge number', 1e308],
        ['NUL', 'acme\0'],
        ['a lone surrogate', 'acme\ud800'],
        ['nothing', ''],
        ['many characters', 'a'.repeat(2000)],
      ])('%s: %j', async (_, tenant) => {
        expect(await byTenant({ tenant })).toEqual([])
        expect(await byCustomer({ tenant })).toEqual(tenant === 1 ? [1, 2] : [])
      })
      for (const path of ['constructor.name', '__proto__.tenant', 'toString', 'tenant.length']) {
        const ids = filter({ tenant: { $ne: `$user.${path}` } }, 'orders')
        test(`never those of a prototype: ${path}`, async () => {
          expect(await ids({ tenant: 'acme' })).toEqual([])
        })
      }
      const byConstant = filter({ big: 9007199254740993n }, 'samples')
      const byBig = filter({ big: '$user.big' }, 'samples')
      const byRatio = filter({ ratio: { $lt: '$user.r' } }, 'samples')
      const byPrice = filter({ price: { $lt: '$user.r' } }, 'samples')
      test('digits that were lost are no key', async () => {
        expect(await byConstant()).toEqual([2])
        expect(await byBig({ big: '9007199254740993' })).toEqual([2])
        expect(await byBig({ big: 2 ** 53 })).toEqual([])
        expect(await byRatio({ r: 'Infinity' })).toEqual([])
        expect(await byPrice({ r: 'NaN' })).toEqual([])
        expect(await byPrice({ r: 1 })).toEqual([3])
      })
      const byPattern = filter({ word: { $like: '$user.pattern' } }, 'samples')
      const byNoPattern = filter({ $not: { word: { $ilike: '$user.pattern' } } }, 'samples')
      test('a pattern that fails on rows of some beginning reveals no row', async () => {
        for (const pattern of ['alpha\\', 'omega\\', '%\\', '\\\\\\']) {
          expect(await byPattern({ pattern })).toEqual([])
          expect(await byNoPattern({ pattern })).toEqual([])
        }
        expect(await byPattern({ pattern: 'Alpha\\%' })).toEqual([2])
        expect(await byNoPattern({ pattern: 'alpha%' })).toEqual([3])
      })
      const bySeveral = filter({ word: { $nin: '$user.words' } }, 'samples')
      const byDays = filter({ day: { $nin: '$user.days' } }, 'samples')
      const byOwn = filter({ $not: { big: { $in: '$user.numbers' } } }, 'samples')
      test('a list of one caller decides nothing for the next', async () => {
        for (let round = 0; round < 2; round += 1) {
          expect(await bySeveral({ words: [] })).toEqual([1, 2, 3, 4])
          expect(await bySeveral({ words: ['alpha'] })).toEqual([2, 3])
          expect(await byDays({ days: [] })).toEqual([1, 2, 3, 4])
          expect(await byDays({ days: ['2024-01-01'] })).toEqual([2, 3])
          expect(await byOwn({ numbers: [] })).toEqual([1, 2, 3, 4])
          expect(await byOwn({ numbers: [1, 2] })).toEqual([2, 3])
        }
      })
      const byData = filter({ data: { $contains: '$user.part' } }, 'samples')
      test('a text is no JSON to be read', async () => {
        expect(await byData({ part: 'a' })).toEqual([3])
        expect(await byData({ part: '{}' })).toEqual([])
        expect(await byData({ part: { k: 1 } })).toEqual([])
      })
    })
  })
})
