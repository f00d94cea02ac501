import { describe, expect, test } from 'vitest'
import type { Catalog } from '../catalog/catalog.ts'
import { parseStatement } from '../sql/parse.ts'
import { bindStatement } from './bind.ts'
import { fullAccessView } from './scope/full-access-view.ts'
import { bindShop, shopError, shopText } from './test-support/bind-shop-for-test.ts'
import { shopCatalog } from './test-support/shop-for-test.ts'
import { visitStatement } from './tree/visit-query.ts'

const two = { catalog: shopCatalog('main', 'other') }
const withDefault = { catalog: { ...two.catalog, defaultConnection: 'other' } }

describe('the connection of a statement', () => {
  test.each([
    ['select 1 from "other"."orders"', 'other'],
    ['select 1 from "other.orders"', 'other'],
    ['select 1 from (select 1 from other.orders) q', 'other'],
    ['delete from other.notes', 'other'],
    ['with a as (delete from other.notes returning id) select * from a', 'other'],
    ['select 1', 'main'],
  ])('%s', (sql, name) => {
    expect(bindShop(sql, two).connection.name).toBe(name)
  })

  test('is one alone', () => {
    expect(shopError('select 1 from main.orders, "other.notes"', two)).toMatchObject({
      code: 'BAD_REQUEST',
      status: 400,
      position: 28,
      message:
        'a statement can use the tables of one database only, this one names the connections "main" and "other" (position 28)',
    })
  })

  test.each(['nope.orders', 'pg_catalog.pg_class', 'information_schema.tables', 'public.nope'])(
    'exists: %s',
    (table) => {
      for (const options of [withDefault, {}]) {
        expect(shopError(`select 1 from ${table}`, options)).toMatchObject({
          code: 'TABLE_NOT_FOUND',
          status: 404,
          sqlState: '42P01',
        })
      }
    },
  )

  test('has the table', () => {
    const errors = ['select 1 from main.nope', 'update main.nope set a = 1'].map((sql) =>
      shopError(sql, two),
    )
    for (const error of errors) expect(error.code).toBe('TABLE_NOT_FOUND')
    expect(errors[0]?.message).toBe('table "main"."nope" does not exist (position 15)')
  })

  test('must be named when there are several', () => {
    expect(shopError('select 1 from orders', two)).toMatchObject({ status: 400, position: 15 })
    expect(shopError('select 1 from orders, main.notes', two)).toMatchObject({ status: 400 })
    expect(shopText('select "orders"."id", "main"."orders"."id" from orders')).toBe(
      'select orders1.id as id, orders1.id as id from orders1',
    )
  })

  test.each([
    'select 1 from "public"."orders"',
    'select 1 from "public.orders"',
    'select 1 from orders',
    'select 1 from orders, other.notes, public.customers',
    'delete from public.notes',
    'with a as (select 1 from public.orders) select * from a',
    'with a as (select 1) select * from a',
  ])('is the default one: %s', (sql) => {
    expect(bindShop(sql, withDefault).connection.name).toBe('other')
    expect(bindShop(sql.replaceAll('other.', 'main.')).connection.name).toBe('main')
  })

  test('is the one that is named, although there is a default one', () => {
    expect(bindShop('select 1 from main.orders', withDefault).connection.name).toBe('main')
    const cte = 'with a as (select 1 from main.orders) select * from a'
    expect(bindShop(cte, withDefault).connection.name).toBe('main')
    for (const sql of [
      'select 1 from main.orders, notes',
      'select 1 from main.orders, public.notes',
    ]) {
      expect(shopError(sql, withDefault)).toMatchObject({
        sqlState: '0A000',
        position: 28,
        message: expect.stringContaining('this one names the connections "main" and "other"'),
      })
    }
  })

  test('is unknown for public when there are several and none is the default', () => {
    for (const table of ['public.orders', '"public.orders"']) {
      expect(shopError(`select 1 from ${table}`, two)).toMatchObject({
        status: 400,
        sqlState: '42P01',
        position: 15,
        details: {
          hint: 'Write "<connection>"."orders", or set defaultConnection in the configuration.',
        },
      })
    }
  })

  test('has columns and types under each of its qualifiers', () => {
    expect(
      shopText(
        'select "public"."orders"."id", main.orders.id, orders.id, public.orders.* from "public"."orders" where "public"."orders"."id" = $1 limit 1',
      ),
    ).toBe(shopText('select id, id, id, orders.* from main.orders where id = $1 limit 1'))
    expect(
      shopText(
        'insert into public.customers (id) values (1) on conflict (id) do update set name = excluded.name where "public"."customers"."id" > 1 returning "public"."customers"."id"',
      ),
    ).toBe(
      shopText(
        'insert into main.customers (id) values (1) on conflict (id) do update set name = excluded.name where customers.id > 1 returning customers.id',
      ),
    )
    expect(shopError('select public.o.id from public.orders o').sqlState).toBe('42P01')
    expect(shopError('select public.orders.id from main.orders', withDefault).sqlState).toBe(
      '42P01',
    )
  })

  test('may be part of a single name', () => {
    expect(shopText('select "main.notes"."id", id from "main.notes"', two)).toBe(
      'select notes1.id as id, notes1.id as id from notes1',
    )
    expect(shopText('select a from main."odd.name"', two)).toBe(
      'select odd.name1.a as a from odd.name1',
    )
    expect(shopText('select a from "odd.name"')).toBe('select odd.name1.a as a from odd.name1')
    expect(shopError('select notes.id from "main.notes"', two).sqlState).toBe('42P01')
    expect(shopError('select main.notes.id from "main.notes"', two).sqlState).toBe('42P01')
  })

  test('is not that of a WITH query, whatever its name', () => {
    expect(bindShop('with "other.notes" as (select 1) select 1 from main.notes', two)).toBeDefined()
    expect(shopError('with a as (select 1) select 1 from main.a', two).code).toBe('TABLE_NOT_FOUND')
  })

  test('needs a connection', () => {
    const catalog: Catalog = {
      version: 1,
      connections: new Map(),
      defaultConnection: undefined,
    }
    expect(shopError('select 1', { catalog }).code).toBe('UNAVAILABLE')
  })
})

test('as many parameters must be sent as the statement has', () => {
  const bind = (parameterCount: number) => () =>
    bindStatement(parseStatement('select $2::int, $1::text'), {
      catalog: shopCatalog('main'),
      view: fullAccessView,
      parameterCount,
    })
  expect(bind(2)().parameterTypes.map(({ oid }) => oid)).toEqual([25, 23])
  for (const count of [0, 1, 3]) {
    expect(bind(count)).toThrow(expect.objectContaining({ status: 400, sqlState: '08P01' }))
  }
})

test('a parameter without a type is refused', () => {
  expect(shopError('select $2::int').sqlState).toBe('42P18')
  expect(shopError('select $1 is null').sqlState).toBe('42P18')
})

test('every relation and WITH query has an identity of its own', () => {
  const statement = bindShop(`
    with a as (select id from main.orders), b as (select * from a)
    insert into main.notes (id, body)
    select a.id, (select max(name) from main.customers c where c.id = a.id)
    from a join b on true, lateral (select a.id) l, generate_series(1, 2), (values (1)) v
    on conflict do nothing returning (select max(id) from main.orders)`)
  const ids: number[] = []
  visitStatement(statement, {
    fromItem: (item) => {
      if (item.kind !== 'join') ids.push(item.id)
    },
    query: ({ ctes }) => ids.push(...ctes.map(({ id }) => id)),
    write: ({ target, ctes }) =>
      ids.push(target.oldRow, target.newRow, ...ctes.map(({ id }) => id)),
  })
  expect(new Set(ids).size).toBe(ids.length)
  expect(Math.max(...ids)).toBeLessThan(statement.nextId)
})
