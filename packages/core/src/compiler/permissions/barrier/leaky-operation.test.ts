import { describe, expect, test } from 'vitest'
import { admin } from '../../../foundation/caller.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { visitStatement } from '../../bind/tree/visit-query.ts'
import { accessOf, authorizeText, shop } from '../test-support/authorize-for-test.ts'
import { isLeakproof, isLeakyOperation } from './leaky-operation.ts'

const { types } = shop.connection

/** The WHERE condition of a statement with full rights. */
function conditionOf(condition: string): Expression {
  const sql = `select 1 from main.orders o, main.samples s where ${condition}`
  const { body } = authorizeText(sql, accessOf({}, admin))
  if (body.kind !== 'select' || body.where === undefined) throw new Error('no condition')
  return body.where
}

describe('leakproof', () => {
  test.each([
    'o.id = 1',
    'o.id in (1, 2)',
    'o.id = any ($1::int4[])',
    'o.notes is null',
    's.flag is not true',
    'o.id is distinct from o.customer_id',
    'nullif(o.id, o.customer_id) = 1',
    '(o.id, o.customer_id) < (1, 2)',
    'case when o.id = 1 then true else false end',
    'coalesce(o.id, 1) = 1',
    'not (o.id = 1 or s.flag)',
    'exists (select 1 from main.tags t where t.id = o.id)',
    'greatest(o.id, 1) = 1',
    's.at < now()::timestamp',
    'o.id::int8 = o.total',
    'o.notes = $1 collate "C"',
    'array[o.id, 1] is not null',
    'row(o.id, 1) is not null',
  ])('%s', (condition) => {
    expect(isLeakproof(conditionOf(condition), types)).toBe(true)
  })
})

describe('leaky', () => {
  test.each([
    '1 / o.id = 1',
    'o.notes like $1',
    'o.notes in ($1, $2) and o.freight in (1, 2)',
    'o.freight = any ($1::numeric[])',
    'o.freight is distinct from 1',
    'nullif(o.freight, 1) is null',
    '(o.id, o.freight) < (1, 2)',
    '(o.freight, o.id) = (1, 2)',
    'upper(o.notes) = $1',
    'o.notes::int4 = 1',
    'o.notes::varchar(3) = $1',
    'greatest(o.freight, 1) is null',
    '(s.labels)[1] = $1',
    '(s.labels)[1:2] is null',
    '(select 1) = o.id',
    'array(select 1) is null',
    'o.id = (select id from main.tags)',
    'o.freight in (select 1.5)',
    '(o.id, o.freight) in (select 1, 1.5)',
    '(o.freight, o.id) in (select 1.5, 1)',
    'array[s.labels, s.labels] is null',
    'array[array[1], s.id::text::int4[]] is null',
  ])('%s', (condition) => {
    expect(isLeakproof(conditionOf(condition), types)).toBe(false)
  })
  test('also deep inside', () => {
    expect(isLeakproof(conditionOf('not (s.flag and (o.id = 1 or 1 / o.id = 1))'), types)).toBe(
      false,
    )
  })
})

describe('an operation is leaky or not, whatever its operands', () => {
  const bool = { oid: 16, typmod: -1 }
  const int = { oid: 23, typmod: -1 }
  const one: Expression = { kind: 'constant', value: '1', type: int }
  test.each<Expression>([
    { kind: 'oldCondition', index: 0, type: bool },
    { kind: 'output', index: 0, type: int },
    { kind: 'parameter', index: 0, type: int },
    { kind: 'caller', slot: { path: ['x'], type: int }, type: int },
    { kind: 'requestTime', offsetMs: 0, calendar: undefined, type: { oid: 1114, typmod: -1 } },
    { kind: 'row', elements: [one], type: { oid: 2249, typmod: -1 } } as never,
    { kind: 'grouping', args: [one], type: int } as never,
    { kind: 'booleanTest', operand: one, test: 'true', negated: false, type: bool },
  ])('$kind is not', (expression) => {
    expect(isLeakyOperation(expression, types)).toBe(false)
  })
  test('what PostgreSQL cannot compare or convert is', () => {
    const json = { oid: 114, typmod: -1 }
    const extremum = { kind: 'extremum', which: 'greatest', args: [], type: json }
    expect(isLeakyOperation(extremum as never, types)).toBe(true)
    const cast = { kind: 'cast', operand: { ...one, type: bool }, method: 'function', type: json }
    expect(isLeakyOperation({ ...cast, type: { oid: 2950, typmod: -1 } } as never, types)).toBe(
      true,
    )
  })
  test('an array of arrays is, one of scalars is not', () => {
    const array = (elements: readonly Expression[]): Expression => ({
      kind: 'array',
      elements,
      type: { oid: 1007, typmod: -1 },
    })
    expect(isLeakyOperation(array([one]), types)).toBe(false)
    expect(isLeakyOperation(array([one, array([one])]), types)).toBe(true)
  })
  test('what is not known is an error', () => {
    expect(() => isLeakyOperation({ kind: 'nonsense' } as never, types)).toThrow('unreachable')
  })
})

test('every kind of expression that statements have is told apart', () => {
  const sql = `select o.id, count(*) over (), (select 1), array(select 1) from main.orders o where o.id = 1`
  const kinds = new Set<string>()
  visitStatement(authorizeText(sql, accessOf({}, admin)), {
    expression: (part) => void kinds.add(part.kind),
  })
  expect([...kinds]).toEqual(expect.arrayContaining(['column', 'window', 'subquery', 'operator']))
})
