import { expect, test } from 'vitest'
import { bindForTest, bindText } from '../test-support/bind-for-test.ts'

function operandsOf(condition: string): readonly unknown[] {
  const { where } = bindForTest(`select 1 from main.r where ${condition}`).query
  if (where?.kind !== 'logical') throw new Error('two comparisons expected')
  return where.operands.map((each) => (each.kind === 'operator' ? each.left : each))
}

test('the operand of BETWEEN is bound once', () => {
  const [above, below] = operandsOf('i + 1 between 1 and 2')
  expect(above).toBe(below)
})

test('a subquery has relations of its own in each copy', () => {
  const [above, below] = operandsOf('(select max(x.i) from main.r x) between 1 and 2')
  expect(above).not.toEqual(below)
})

test('a parameter gets the type of its first use', () => {
  expect(bindText('$1 between i and 2')).toBe(bindText('$1 >= i and $1 <= 2'))
  expect(bindText("'1' between i and 2")).toBe(bindText("'1' >= i and '1' <= 2"))
})
