import { expect, test } from 'vitest'
import { GatewayError } from '../../foundation/errors.ts'
import { runSteps, type Steps } from '../../foundation/steps.ts'
import {
  allowPlanning,
  chargePlanning,
  mostPlanningMs,
  planningSteps,
  requirePlannable,
  stepsWithinPlanningBudget,
  withinPlanningBudget,
} from './planning-budget.ts'

const nodes = 10
const most = planningSteps.base + planningSteps.perNode * nodes

const tooMuch = expect.objectContaining({
  problem: 'limitExceeded',
  status: 400,
  sqlState: '54001',
})

test('a plan takes the steps of its budget and no more', () => {
  expect(withinPlanningBudget({ nodes }, () => chargePlanning(most))).toBeUndefined()
  expect(() => withinPlanningBudget({ nodes }, () => chargePlanning(most + 1))).toThrow(tooMuch)
})

test('a plan does not take what another one left', () => {
  expect(() => withinPlanningBudget({ nodes }, () => chargePlanning(most + 1))).toThrow()
  expect(withinPlanningBudget({ nodes }, () => chargePlanning(most))).toBeUndefined()
})

test('a plan inside another is charged to the outer one', () => {
  const both = () => {
    chargePlanning(most)
    withinPlanningBudget({ nodes }, () => chargePlanning(1))
  }
  expect(() => withinPlanningBudget({ nodes }, both)).toThrow(tooMuch)
})

test('a large syntax tree may take more', () => {
  const plan = () => {
    allowPlanning(5)
    chargePlanning(most + 5 * planningSteps.perNode)
  }
  expect(withinPlanningBudget({ nodes }, plan)).toBeUndefined()
})

test('what was charged is reported, also when it was too much', () => {
  const reported: number[] = []
  const onEnd = ({ steps }: { readonly steps: number }) => void reported.push(steps)
  withinPlanningBudget({ nodes, onEnd }, () => chargePlanning(7))
  expect(() => withinPlanningBudget({ nodes, onEnd }, () => chargePlanning(most + 1))).toThrow()
  expect(reported).toEqual([7, most + 1])
})

test('a plan that takes too long ends with 408', () => {
  let now = 0
  const plan = () => {
    for (let step = 0; step < 100_000; step += 1) {
      now += 1
      chargePlanning(1)
    }
  }
  expect(() => withinPlanningBudget({ nodes, clock: () => now }, plan)).toThrow(
    expect.objectContaining({ problem: 'queryTimeout', status: 408, sqlState: '57014' }),
  )
  expect(now).toBeLessThan(2 * mostPlanningMs)
})

test('what the stack or a string has no room for is too much', () => {
  const overflow = (): number => 1 + overflow()
  const plans: readonly (() => unknown)[] = [
    overflow,
    () => 'x'.repeat(2 ** 30),
    () => new Array(-1),
  ]
  for (const plan of plans) {
    expect(() => withinPlanningBudget({ nodes }, plan)).toThrow(tooMuch)
  }
})

test('other errors stay what they are', () => {
  const refusal = new GatewayError('unsupported', 'no')
  for (const error of [refusal, new TypeError('a bug')]) {
    const plan = () => {
      throw error
    }
    expect(() => withinPlanningBudget({ nodes }, plan)).toThrow(error)
  }
})

test('a size is held against the whole budget', () => {
  const plan = (size: number) => () => requirePlannable(size)
  expect(withinPlanningBudget({ nodes }, plan(most))).toBeUndefined()
  expect(() => withinPlanningBudget({ nodes }, plan(most + 1))).toThrow(tooMuch)
})

test('plans that pause do not share a budget', () => {
  function* plan(): Steps<void> {
    chargePlanning(most - 1)
    yield
    chargePlanning(1)
    yield
    chargePlanning(1)
  }
  const first = stepsWithinPlanningBudget({ nodes }, plan)
  const second = stepsWithinPlanningBudget({ nodes }, plan)
  for (const steps of [first, second, first, second]) expect(steps.next().done).toBe(false)
  expect(() => first.next()).toThrow(tooMuch)
  expect(() => second.next()).toThrow(tooMuch)
  // Outside of both there is none.
  expect(chargePlanning(most + 1)).toBeUndefined()
})

test('the time of pauses does not count', () => {
  let now = 0
  function* plan(stepMs: number): Steps<string> {
    for (let i = 0; i < 3; i += 1) {
      yield
      now += stepMs
      chargePlanning(10_000)
    }
    return 'made'
  }
  const paused = stepsWithinPlanningBudget({ nodes, clock: () => now }, () => plan(1))
  while (paused.next().done !== true) now += mostPlanningMs
  const slow = stepsWithinPlanningBudget({ nodes, clock: () => now }, () => plan(mostPlanningMs))
  expect(() => runSteps(slow)).toThrow(expect.objectContaining({ problem: 'queryTimeout' }))
})

test('what an abandoned plan was charged is reported', () => {
  const reported: number[] = []
  function* plan(): Steps<void> {
    chargePlanning(7)
    yield
  }
  const onEnd = ({ steps }: { readonly steps: number }) => void reported.push(steps)
  const abandoned = stepsWithinPlanningBudget({ nodes, onEnd }, plan)
  abandoned.next()
  expect(() => abandoned.throw(new Error('gone away'))).toThrow('gone away')
  expect(reported).toEqual([7])
})
