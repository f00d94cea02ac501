import { expect, test } from 'vitest'
import {
  deleteOf,
  insertOf,
  operatorsOf,
  selectOf,
  statementText,
  typedValue,
  updateOf,
} from './statement.ts'

const orders = { connection: 'main', table: 'my"orders' }

test('filters, sort and page become one select; values are parameters', () => {
  const filters = [
    { column: 'status', operator: 'one of', value: 'new, paid' },
    { column: 'no"te', operator: 'contains', value: '50%_\\' },
    { column: 'shipped_at', operator: 'is null', value: '' },
    { column: 'id', operator: '>=', value: '7' },
  ] as const
  expect(selectOf(orders, { filters, sort: [{ column: 'id', isDown: true }], page: 3 })).toEqual({
    sql: [
      'select * from "main"."my""orders"',
      'where "status" in ($1, $2) and "no""te" ilike $3 and "shipped_at" is null and "id" >= $4',
      'order by "id" desc',
      'limit 51 offset 100',
    ].join('\n'),
    params: ['new', 'paid', '%50\\%\\_\\\\%', '7'],
  })
  expect(selectOf(orders, { filters: [], sort: [], page: 1 }).sql).toBe(
    'select * from "main"."my""orders"\nlimit 51',
  )
})

test('an update names the row by its key, and the values that it replaces', () => {
  expect(updateOf(orders, { id: 1 }, { notes: null }, { notes: "it's" })).toEqual({
    sql: 'update "main"."my""orders"\nset "notes" = $1\nwhere "id" = $2 and "notes" is not distinct from $3',
    params: ["it's", 1, null],
  })
})

test('a row is deleted by its whole key, and inserted with the columns that were set', () => {
  expect(deleteOf(orders, { a: 1, b: 'x' })).toEqual({
    sql: 'delete from "main"."my""orders"\nwhere "a" = $1 and "b" = $2',
    params: [1, 'x'],
  })
  expect(insertOf(orders, { notes: 'n' }).sql).toBe(
    'insert into "main"."my""orders" ("notes")\nvalues ($1)',
  )
  expect(insertOf(orders, {}).sql).toBe('insert into "main"."my""orders" default values')
})

test('lists are JSON, everything else is the text of its type', () => {
  expect(typedValue('["a"]', 'text[]')).toEqual(['a'])
  expect(() => typedValue('a', 'text[]')).toThrow('JSON list')
  expect(typedValue('{"a":1}', 'jsonb')).toBe('{"a":1}')
})

test('only texts are searched in', () => {
  expect(operatorsOf('character varying(20)')).toContain('contains')
  expect(operatorsOf('integer')).not.toContain('contains')
  expect(operatorsOf('jsonb')).toEqual(['is null', 'is not null'])
})

test('people see the values below the statement', () => {
  expect(statementText({ sql: 'select $1', params: ['x'.repeat(300)] })).toMatch(
    /^select \$1\n-- \$1: "x+…$/,
  )
})
