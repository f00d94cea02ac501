import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bindForTest } from '../test-support/bind-for-test.ts'
import type { Expression } from './expression.ts'
import { sameExpression } from './same-expression.ts'

function pair(left: string, right: string): readonly [Expression, Expression] {
  const [a, b] = bindForTest(`select ${left}, ${right} from main.r`).query.outputs
  if (a === undefined || b === undefined) throw new Error('two outputs expected')
  return [a, b]
}

test.for([
  ['lower(t)', 'lower( r.t )'],
  ['i + 1', 'i+1'],
  ['$1::int', '$1 :: integer'],
  ['case when b then 1 end', 'case when b then 1 end'],
  ['sum(i) over (order by t)', 'sum(i) over (order by t asc nulls last)'],
  [
    '(select max(x.i) from main.r x where x.t = r.t)',
    '(select max(y.i) from main.r y where y.t = r.t)',
  ],
  ['exists (select 1 from main.r x)', 'exists (select 1 from main.r y)'],
])('%s is %s', ([left, right]) => {
  expect(sameExpression(...pair(left ?? '', right ?? ''))).toBe(true)
})

test.for([
  ['i', 's'],
  ['i + 1', 'i + 2'],
  ['i + 1', '1 + i'],
  ['i = 1', 'i <> 1'],
  ['t', 't collate "C"'],
  ['count(t)', 'count(distinct t)'],
  ['i::text', 'i::varchar'],
  ['n::numeric(5,1)', 'n::numeric(5,2)'],
  ['i is null', 'i is not null'],
  ['(select max(x.i) from main.r x)', '(select max(x.s) from main.r x)'],
  ['(select x.i from main.r x)', '(select r.i from main.r x)'],
  ['array[1]', 'array[1, 1]'],
])('%s is not %s', ([left, right]) => {
  expect(sameExpression(...pair(left ?? '', right ?? ''))).toBe(false)
})

test('whatever is built alike is the same', () => {
  const leaf = fc.constantFrom('i', 's', '1', '2', '$1::int')
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a} + ${b})`),
      tie('expression').map((a) => `coalesce(${a}, 0)`),
      tie('expression').map((a) => `(select x.i + ${a} from main.r x)`),
    ),
  }))
  fc.assert(
    fc.property(expression, expression, (left, right) => {
      expect(sameExpression(...pair(left, ` ${left}`))).toBe(true)
      expect(sameExpression(...pair(left, right))).toBe(sameExpression(...pair(right, left)))
    }),
    { numRuns: 50 },
  )
})
