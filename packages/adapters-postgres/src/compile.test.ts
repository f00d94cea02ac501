import { expect, test } from 'vitest'
import { column, orders, select, statement, whole } from '../test/support/trees.ts'
import { compileInSteps, compileStatement } from './compile.ts'

test('outputs are printed in steps of their own, to the same statement', () => {
  const outputs = Array.from({ length: 100 }, () => column(1, 0))
  const authorized = statement(select(outputs, [whole(orders, 1)]))
  const steps = compileInSteps(authorized, undefined)
  let count = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) count += 1
  expect(count).toBeGreaterThanOrEqual(outputs.length)
  expect(step.value.steps).toEqual(compileStatement(authorized).steps)
})
