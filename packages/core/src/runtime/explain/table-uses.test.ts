import { expect, test } from 'vitest'
import { bindStatement } from '../../compiler/bind/bind.ts'
import { fullAccessView } from '../../compiler/bind/scope/full-access-view.ts'
import { shop } from '../../compiler/permissions/test-support/authorize-for-test.ts'
import { parseStatement } from '../../compiler/sql/parse.ts'
import { type TableUse, usesNamed, usesOf } from './table-uses.ts'

function text(uses: readonly TableUse[]): readonly string[] {
  return uses.map(({ reference, table, operation, columns, isLock }) => {
    const names = columns.map((column) => table.columns[column]?.name).join(',')
    const what = isLock ? `lock for ${operation}` : operation
    return `${reference} ${table.name} ${what}${names === '' ? '' : ` (${names})`}`
  })
}

function bound(sql: string): readonly string[] {
  const parsed = parseStatement(sql)
  const { parameterCount } = parsed
  return text(
    usesOf(bindStatement(parsed, { catalog: shop.catalog, view: fullAccessView, parameterCount })),
  )
}

test.each<[sql: string, uses: readonly string[]]>([
  ['select 1', []],
  [
    'select o.id from main.orders o join main.customers c on c.id = o.customer_id',
    ['1 orders select', '2 customers select'],
  ],
  [
    'select 1 from main.orders where exists (select 1 from main.tags)',
    ['1 orders select', '2 tags select'],
  ],
  ['with q as (select id from main.tags) select q.id from q, q as r', ['1 tags select']],
  ['select id from main.orders for update', ['1 orders select', '1 orders lock for update']],
  ['delete from main.orders where id = 1', ['1 orders delete', '1 orders select']],
  ['update main.orders set notes = null', ['1 orders update (notes)', '1 orders select']],
  ['insert into main.tags (id, name) values (1, default)', ['1 tags insert (id)']],
  ['insert into main.tags (id) values (1) returning id', ['1 tags insert (id)', '1 tags select']],
  [
    'insert into main.tags (id, name) select id, name from main.customers',
    ['1 customers select', '2 tags insert (id,name)'],
  ],
  [
    "insert into main.tags (id) values (1) on conflict (id) do update set name = 'x'",
    ['1 tags insert (id)', '1 tags update (name)', '1 tags select'],
  ],
  [
    'insert into main.tags (id) values (1) on conflict do nothing',
    ['1 tags insert (id)', '1 tags select'],
  ],
])('%s', (sql, uses) => {
  expect(bound(sql)).toEqual(uses)
})

test('of a statement that cannot be bound, the tables that exist', () => {
  const named = (sql: string) => text(usesNamed(parseStatement(sql), shop.catalog))
  expect(named('select nothing from main.orders, main.nothing')).toEqual(['1 orders select'])
  expect(named('update main.orders set nothing = 1 from main.tags')).toEqual([
    '1 orders update',
    '2 tags select',
  ])
  expect(named('delete from orders where nothing')).toEqual(['1 orders delete'])
  expect(named('insert into main.orders (nothing) values (1)')).toEqual(['1 orders insert'])
})
