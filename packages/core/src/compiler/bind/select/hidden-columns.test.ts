import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../foundation/errors.ts'
import type { Connection, Table } from '../../catalog/catalog.ts'
import type { CatalogView } from '../scope/context.ts'
import { fullAccessView } from '../scope/full-access-view.ts'
import {
  shopColumns,
  shopError,
  shopFailure,
  shopText,
} from '../test-support/bind-shop-for-test.ts'

/** In customers, `email` can neither be read nor written. */
function restrictedView(connection: Connection): CatalogView {
  const allowed = (table: Table) => {
    const known = table.columns.filter(({ name }) => name !== 'email')
    return table.name === 'customers' ? new Set(known.map(({ ordinal }) => ordinal)) : 'all'
  }
  return {
    ...fullAccessView(connection),
    readable: allowed,
    writable: allowed,
    unknownColumn: ({ name, table, position }) =>
      new GatewayError('columnDenied', `column "${name}" of ${table?.name} at ${position}`),
  }
}

const restricted = { view: restrictedView }

describe('a hidden column answers like a missing one', () => {
  /** `{c}` is the column. */
  const statements = [
    'select {c} from main.customers',
    'select customers.{c} from main.customers',
    'select main.customers.{c} from main.customers',
    'select c.{c} from main.customers c',
    'select c.{c} from main.orders o left join main.customers c on true',
    'select {c} from main.orders o left join main.customers c on true',
    'select {c} from main.customers a, main.customers b',
    'select {c} from (select * from main.customers) q',
    'select q.{c} from (select * from main.customers) q',
    'with q as (select * from main.customers) select {c} from q',
    'select q.{c} from (select c.* from main.customers c) q',
    'select j.{c} from (main.customers c join main.orders o on true) j',
    'select 1 from main.customers where {c} is null',
    'select 1 from main.customers c join main.orders o on c.{c} = o.status',
    'select 1 from main.customers c join main.customers d using ({c})',
    "select 1 from main.customers c join (select 'x' as {c}) d using ({c})",
    'select name from main.customers order by {c}',
    'select name from main.customers order by lower({c})',
    'select 1 from main.customers group by {c}',
    'select 1 from main.customers group by rollup ({c})',
    'select 1 from main.customers having max({c}) is null',
    'select distinct on ({c}) name from main.customers',
    'select count({c}) from main.customers',
    'select count(*) filter (where {c} is null) from main.customers',
    'select rank() over (order by {c}) from main.customers',
    'select rank() over w from main.customers window w as (partition by {c})',
    'select (select {c}) from main.customers',
    'select (select c.{c}) from main.customers c',
    'select 1 from main.customers c, lateral (select c.{c}) q',
    'select 1 from main.customers c, lateral (select {c}) q',
    'select 1 from main.customers c, generate_series(1, length(c.{c})) q',
    'select 1 from main.customers limit length({c})',
    'select id from main.customers union select id from main.customers order by {c}',
    'select (c).{c} from main.customers c',
    'select row_to_json(c) ->> {c} from main.customers c',
    "insert into main.customers (id, {c}) values (1, 'x')",
    'insert into main.customers (id, {c}) values (1, true)',
    'insert into main.customers (id, {c}) values (1, default)',
    'insert into main.customers (id, {c}) select 1, true',
    'insert into main.customers (id) select id from main.customers where {c} is null',
    'insert into main.customers (id) values (1) on conflict ({c}) do nothing',
    'insert into main.customers (id) values (1) on conflict (id) do update set {c} = 1',
    'insert into main.customers (id) values (1) on conflict (id) do update set name = excluded.{c}',
    'insert into main.customers (id) values (1) on conflict (id) do update set name = customers.{c}',
    'insert into main.customers (id) values (1) on conflict (id) do update set name = {c}',
    "insert into main.customers (id) values (1) on conflict (id) do update set name = 'x' where excluded.{c} = 'x'",
    'insert into main.customers (id) values (1) returning {c}',
    "update main.customers set {c} = 'x'",
    'update main.customers set {c} = true',
    'update main.customers set {c} = default',
    'update main.customers set ({c}, id) = (true, 1)',
    'update main.customers set ({c}, id) = (select true, 1)',
    'update main.customers set name = {c}',
    "update main.customers set name = 'x' where {c} = 'x'",
    'update main.customers set name = 1 returning {c}',
    'update main.orders set status = c.{c} from main.customers c',
    'delete from main.customers where {c} is null',
    'delete from main.customers returning {c}',
    'delete from main.orders using main.customers c where c.{c} is null',
  ]

  test.each(statements)('%s', (statement) => {
    const [hidden, missing] = ['email', 'emall'].map((column) => {
      const { code, status, message, sqlState, position } = shopError(
        statement.replaceAll('{c}', column),
        restricted,
      )
      return { code, status, message: message.replaceAll(column, '{c}'), sqlState, position }
    })
    expect(hidden).toEqual(missing)
  })

  test('and is there for those who may see it', () => {
    const accepted = statements.filter((statement) => {
      const sql = statement.replaceAll('{c}', 'email')
      try {
        return shopText(sql) !== ''
      } catch {
        return false
      }
    })
    expect(accepted.length).toBeGreaterThan(40)
  })
})

describe('a hidden column is left out of', () => {
  test.each([
    ['select * from main.customers', 'id, name, city, active'],
    ['select c.* from main.customers c', 'id, name, city, active'],
    ['select * from (select * from main.customers) q', 'id, name, city, active'],
    ['with q as (table main.customers) select * from q', 'id, name, city, active'],
    ['select * from main.customers c(a, b, c)', 'a, b, c, active'],
    ['insert into main.customers (id) values (1) returning *', 'id, name, city, active'],
    ['delete from main.customers c returning c.*', 'id, name, city, active'],
    [
      "select * from main.customers natural join (select 'x' as email) q",
      'id, name, city, active, email',
    ],
  ])('%s', (sql, columns) => {
    const names = shopColumns(sql, restricted)
      .split(', ')
      .map((column) => column.split(' ')[0])
    expect(names.join(', ')).toBe(columns)
  })

  test('whole rows', () => {
    expect(
      shopText('select to_json(c), to_json(c.*) from main.customers c', restricted),
    ).not.toContain('email')
  })

  test('the number of columns that an alias list may have', () => {
    expect(shopFailure('select 1 from main.customers c(a, b, c, d, e)', restricted)).toContain(
      'has 4 columns available but 5 columns specified',
    )
  })

  test('what depends on a key', () => {
    expect(
      shopText('select to_json(c) from main.customers c group by c.id', restricted),
    ).not.toContain('email')
  })
})

test('INSERT without a list of columns would tell how many there are', () => {
  const failures = [
    "(1, 'a')",
    "(1, 'a', 'b', 'c')",
    "(1, 'a', 'b', 'c', true)",
    '(1, 2, 3, 4, 5, 6)',
  ].map((row) => shopFailure(`insert into main.customers values ${row}`, restricted))
  expect(new Set(failures)).toEqual(
    new Set(['42601 INSERT needs a list of columns here (position 13)']),
  )
})

test('the table to blame for a lonely name does not depend on what is hidden', () => {
  const blame = (from: string) => shopError(`select nope from ${from}`, restricted).message
  expect(blame('main.orders, main.customers')).toContain('of customers')
  expect(blame('main.orders, main.notes')).toContain('of orders')
  expect(blame('(select 1) q')).toContain('of undefined')
})
