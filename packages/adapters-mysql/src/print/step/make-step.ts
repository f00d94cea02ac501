/** @module Converts SQL text to a step of a plan, within the protocol's limits. */
import type { PlanStep } from '@engine/core/adapter'
import {
  renderInSteps,
  requireCaps,
  runSteps,
  type Sql,
  type StatementCaps,
  type Steps,
} from '@engine/core/print'
import { unsupportedConstruct } from '@engine/core/tree'
import { hasWindowInList } from './window-in-list.ts'

const caps: StatementCaps = {
  database: 'MySQL',
  // Their number has 16 bits in a prepared statement.
  mostParameters: 65_535,
  // More would use up the stack of the server's thread.
  mostNesting: 400,
}

export function makeStep(text: Sql, yields: PlanStep['yields']): PlanStep {
  return runSteps(makeStepInSteps(text, yields))
}

/** The same in steps. */
export function* makeStepInSteps(text: Sql, yields: PlanStep['yields']): Steps<PlanStep> {
  const rendered = yield* renderInSteps(text, { kind: 'positional' }, '`')
  yield
  requireCaps(rendered, caps)
  yield
  if (hasWindowInList(rendered.text)) {
    throw unsupportedConstruct('a window function in this place', 'MySQL', undefined)
  }
  return {
    sql: rendered.text,
    parameters: rendered.parameters,
    volatileCalls: rendered.volatileCalls,
    yields,
    checkColumn: undefined,
    visibleColumn: undefined,
  }
}
