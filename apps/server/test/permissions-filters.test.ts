import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from './support/databases.ts'
import { type Claims, createWorld, type PermissionWorld } from './support/permission-world.ts'

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

describeDatabases('filters', (open, kind) => {
  let world: PermissionWorld
  beforeAll(async () => {
    world = await createWorld(
      open,
      kind === 'sqlite' ? more.replaceAll('true', '1').replaceAll('false', '0') : more,
    )
  })
  afterAll(async () => {
    await world?.close()
  })

  /** Ids of the rows of `table` that a `where` lets through. */
  async function ids(where: unknown, table: string, claims: Claims = {}): Promise<unknown> {
    const gateway = await world.open({
      p: { table: `main.${table}`, roles: ['*'], select: { columns: ['id'], where } },
    })
    const rows = await gateway.rows(claims, `select id from main.${table} order by id`)
    await gateway.close()
    return (rows as readonly (readonly unknown[])[]).flat()
  }

  describe('operators', () => {
    test.each<[unknown, readonly number[]]>([
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
      [{}, [1, 2, 3, 4]],
      [{ $and: [{ id: { $gt: 1 } }, { id: { $lt: 3 } }] }, [2]],
      [{ $or: [{ id: 1 }, { word: 'beta_x' }] }, [1, 3]],
      [{ $or: [] }, []],
      [{ $nor: [{ id: 1 }, { word: 'beta_x' }] }, [2]],
      [{ $not: { id: 1 } }, [2, 3, 4]],
      [{ $not: { word: 'alpha' } }, [2, 3]],
      [{ id: { $gt: 1 }, word: { $notNull: true } }, [2, 3]],
    ])('%j', async (where, expected) => {
      expect(await ids(where, 'samples')).toEqual(expected)
    })
  })

  describe('relations', () => {
    test.each<[string, unknown, readonly number[]]>([
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
    ])('of %s: %j', async (table, where, expected) => {
      expect(await ids(where, table)).toEqual(expected)
    })
    test('any table, by membership of the caller', async () => {
      const where = {
        $exists: {
          table: 'main.members',
          where: { who: '$user.name', tenant: { $outer: 'tenant' } },
        },
      }
      expect(await ids(where, 'orders', { name: 'cy' })).toEqual([5, 6, 7, 8])
      expect(await ids(where, 'orders', { name: 'nobody' })).toEqual([])
      expect(await ids(where, 'orders')).toEqual([])
      expect(await ids({ $not: where }, 'orders', { name: 'cy' })).toEqual([1, 2, 3, 4])
      expect(await ids({ $not: where }, 'orders')).toEqual([])
    })
  })

  describe('fields of the caller', () => {
    test.each<[string, unknown, Claims, readonly number[]]>([
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
    ])('%s: %j with %j', async (_, where, claims, expected) => {
      expect(await ids(where, 'orders', claims)).toEqual(expected)
    })

    describe('that are missing make a condition UNKNOWN', () => {
      test.each<[unknown, readonly number[]]>([
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
      ])('%j', async (where, expected) => {
        expect(await ids(where, 'orders')).toEqual(expected)
        for (const nothing of [null, {}, [{}], [null]]) {
          const claims = {
            tenant: nothing,
            tenants: nothing,
            product: nothing,
            x: nothing,
            p: nothing,
            level: nothing,
          }
          expect(await ids(where, 'orders', claims)).toEqual(expected)
        }
      })
    })

    describe('are values, whatever they hold', () => {
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
        expect(await ids({ tenant: '$user.tenant' }, 'orders', { tenant })).toEqual([])
        expect(await ids({ customer_id: '$user.tenant' }, 'orders', { tenant })).toEqual(
          tenant === 1 ? [1, 2] : [],
        )
      })
      test('never those of a prototype', async () => {
        for (const path of ['constructor.name', '__proto__.tenant', 'toString', 'tenant.length']) {
          const where = { tenant: { $ne: `$user.${path}` } }
          expect(await ids(where, 'orders', { tenant: 'acme' })).toEqual([])
        }
      })
      test('digits that were lost are no key', async () => {
        expect(await ids({ big: 9007199254740993n }, 'samples')).toEqual([2])
        const where = { big: '$user.big' }
        expect(await ids(where, 'samples', { big: '9007199254740993' })).toEqual([2])
        expect(await ids(where, 'samples', { big: 2 ** 53 })).toEqual([])
        expect(await ids({ ratio: { $lt: '$user.r' } }, 'samples', { r: 'Infinity' })).toEqual([])
        expect(await ids({ price: { $lt: '$user.r' } }, 'samples', { r: 'NaN' })).toEqual([])
      })
      test('a text is no JSON to be read', async () => {
        const where = { data: { $contains: '$user.part' } }
        expect(await ids(where, 'samples', { part: 'a' })).toEqual([3])
        expect(await ids(where, 'samples', { part: '{}' })).toEqual([])
        expect(await ids(where, 'samples', { part: { k: 1 } })).toEqual([])
      })
    })
  })
})
