import { expect, test } from 'vitest'
import { withinPlanningBudget } from '../budget/planning-budget.ts'
import type { ValueSource } from '../sql-types/value-source.ts'
import {
  boundToLevel,
  clauses,
  commaList,
  deferred,
  identifier,
  integer,
  keyword,
  operatorSymbol,
  ownLevel,
  parameter,
  qualifiedName,
  renderSql,
  repeatedRows,
  rewriteSql,
  type Sql,
  sql,
  volatileCall,
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
    volatileCalls: [],
  })
})

test('the same source is one parameter, another type is another one', () => {
  const asText: ValueSource = { ...answer, type: { oid: 25, typmod: -1 } }
  const fragment = commaList([answer, { ...answer }, asText, answer].map(parameter))

  expect(renderSql(fragment, dollar)).toEqual({
    text: '$1, $1, $2, $1',
    parameters: [answer, asText],
    volatileCalls: [],
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
    volatileCalls: [],
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

test('a fragment knows the pieces of its text', () => {
  const call = sql`f(${identifier('a')}, ${integer(1)})`
  expect(call.size).toBe(5)
  expect(sql`${call} + ${call}`.size).toBe(11)
  expect(clauses().size).toBe(1)
})

/** `(x + x)`, nested: each level doubles the length, and takes one step. */
function doubled(levels: number): Sql {
  let fragment = keyword('x')
  for (let level = 0; level < levels; level += 1) fragment = sql`(${fragment} + ${fragment})`
  return fragment
}

test('a fragment that is too long to be written is refused while it is made', () => {
  const tooLarge = expect.objectContaining({ problem: 'limitExceeded', sqlState: '54001' })
  const steps: number[] = []
  const onEnd = (cost: { readonly steps: number }) => void steps.push(cost.steps)
  expect(() => withinPlanningBudget({ onEnd }, () => doubled(60))).toThrow(tooLarge)
  expect(steps).toEqual([expect.closeTo(17, -1)])
})

test('writing takes the size of a text off the budget before it begins', () => {
  const steps: number[] = []
  const onEnd = (cost: { readonly steps: number }) => void steps.push(cost.steps)
  const fragment = doubled(10)
  withinPlanningBudget({ onEnd }, () => renderSql(fragment, dollar))
  expect(steps).toEqual([fragment.size])
})

test('each fragment is rewritten once, however often it stands there', () => {
  let looks = 0
  const found = keyword('x')
  const fragment = sql`${deferred(() => found)} ${doubled(10)} ${sql`${found} ${found}`}`
  const rewritten = rewriteSql(fragment, (part) => {
    looks += 1
    return part === found ? keyword('y') : undefined
  })
  expect(renderSql(rewritten, dollar).text.endsWith(' y y')).toBe(true)
  expect(renderSql(rewritten, dollar).text.startsWith('y ((')).toBe(true)
  expect(looks).toBeLessThan(20)
})

test('a volatile call is reported as often as it stands in the text', () => {
  const call = volatileCall(7, sql`random()`)
  const rendered = renderSql(sql`select ${call}, ${volatileCall(9, sql`f(${call})`)}`, dollar)

  expect(rendered.text).toBe('select random(), f(random())')
  expect(rendered.volatileCalls).toEqual([7, 9, 7])
})

test('what is bound to its level makes everything around it so, up to its query', () => {
  const count = boundToLevel(sql`count(*)`)
  expect(sql`${count} + 1`.isBoundToLevel).toBe(true)
  expect(sql`(${ownLevel(sql`select ${count}`)})`.isBoundToLevel).toBe(false)
  expect(renderSql(sql`${count} + 1`, dollar).text).toBe('count(*) + 1')
  const rewritten = rewriteSql(sql`(${count})`, () => undefined)
  expect(rewritten.isBoundToLevel).toBe(true)
})

test('rows of one shape are written from one fragment', () => {
  const cell = (index: number) => parameter({ from: 'request', index, type: int4 })
  const fixed = parameter({ from: 'constant', value: '7', type: int4 })
  const row = sql`(${cell(0)}, ${identifier('a"b')}, ${cell(1)}, ${fixed})`
  const other = sql`(${cell(2)}, default)`
  const rows = [
    { shape: 0, shift: 0 },
    { shape: 1, shift: 0 },
    { shape: 0, shift: 3 },
    { shape: 1, shift: 3 },
  ]
  const fragment = sql`values ${repeatedRows([row, other], rows)} where ${cell(0)}`
  expect(renderSql(fragment, { kind: 'numbered', prefix: '$' })).toMatchObject({
    text: 'values ($1, "a""b", $2, $3), ($4, default), ($5, "a""b", $6, $3), ($7, default) where $1',
    parameters: [0, 1, undefined, 2, 3, 4, 5].map((index) =>
      index === undefined
        ? expect.objectContaining({ from: 'constant' })
        : { from: 'request', index, type: int4 },
    ),
  })
  expect(renderSql(fragment, { kind: 'positional' })).toMatchObject({
    text: 'values (?, "a""b", ?, ?), (?, default), (?, "a""b", ?, ?), (?, default) where ?',
  })
  const rewritten = rewriteSql(fragment, (part) => (part === fixed ? keyword('null') : undefined))
  expect(renderSql(rewritten, { kind: 'numbered', prefix: '?' }).text).toBe(
    'values (?1, "a""b", ?2, null), (?3, default), (?4, "a""b", ?5, null), (?6, default) where ?1',
  )
})
