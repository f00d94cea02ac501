import { expect, test } from 'vitest'
import type { ValueSource } from '../value-source.ts'
import {
  clauses,
  commaList,
  deferred,
  identifier,
  integer,
  keyword,
  operatorSymbol,
  parameter,
  qualifiedName,
  renderSql,
  sql,
} from './sql-writer.ts'

const int4 = { oid: 23, typmod: -1 }
const first: ValueSource = { from: 'request', index: 0, type: int4 }
const answer: ValueSource = { from: 'constant', value: '42', type: int4 }
const dollar = { kind: 'numbered', prefix: '$' } as const

test('placeholders are numbered in the order of the text, whenever the pieces were made', () => {
  const where = sql`where a = ${parameter(first)}`
  const select = sql`select ${parameter(answer)}`

  expect(renderSql(clauses(select, where), dollar)).toEqual({
    text: 'select $1 where a = $2',
    parameters: [answer, first],
  })
})

test('the same source is one parameter, another type is another one', () => {
  const asText: ValueSource = { ...answer, type: { oid: 25, typmod: -1 } }
  const fragment = commaList([answer, { ...answer }, asText, answer].map(parameter))

  expect(renderSql(fragment, dollar)).toEqual({
    text: '$1, $1, $2, $1',
    parameters: [answer, asText],
  })
})

test('caller fields of different paths are different parameters', () => {
  const slot = (path: readonly string[]): ValueSource => ({
    from: 'caller',
    slot: { path, type: int4 },
  })
  const fragment = commaList([slot(['a.b']), slot(['a', 'b'])].map(parameter))

  expect(renderSql(fragment, dollar).text).toBe('$1, $2')
})

test('positional placeholders repeat their value', () => {
  const fragment = commaList([answer, first, answer].map(parameter))

  expect(renderSql(fragment, { kind: 'positional' })).toEqual({
    text: '?, ?, ?',
    parameters: [answer, first, answer],
  })
})

test('a dropped fragment leaves no parameter behind', () => {
  parameter(answer)

  expect(renderSql(parameter(first), dollar).parameters).toEqual([first])
})

test('names keep their quotes inside', () => {
  const name = qualifiedName(undefined, 'a"; drop table t; --', 'b')

  expect(renderSql(name, dollar).text).toBe('"a""; drop table t; --"."b"')
})

test('a dialect may quote with backticks', () => {
  const name = qualifiedName('a`; drop table t; --', 'b"')
  expect(renderSql(name, { kind: 'positional' }, '`').text).toBe('`a``; drop table t; --`.`b"`')
})

test('a deferred fragment sees what came after it', () => {
  const columns: string[] = []
  const list = deferred(() => commaList(columns.map(identifier)))
  const statement = sql`select ${list} from t`
  columns.push('a', 'b')

  expect(renderSql(statement, dollar).text).toBe('select "a", "b" from t')
})

test.each(['', 'a\0b'])('%j is no name', (name) => {
  expect(() => identifier(name)).toThrow()
})

test.each(['', '--', '+/*', 'or', '= ', "'", ';'])('%j is no operator', (symbol) => {
  expect(() => operatorSymbol(symbol)).toThrow()
})

test.each([1.5, Number.NaN, 2 ** 60])('%d is no structural integer', (value) => {
  expect(() => integer(value)).toThrow()
})

test('computed text is no SQL', () => {
  const text: string = ['union', 'all'].join(' ')

  // @ts-expect-error only literals are keywords
  expect(keyword(text)).toBeDefined()
  // @ts-expect-error only fragments are interpolated
  expect(sql`select ${text}`).toBeDefined()
})
