/** @module Converts SQL text to a step of a plan, within SQLite's limits. */
import type { PlanStep } from '@engine/core/adapter'
import {
  renderInSteps,
  requireCaps,
  type Sql,
  type StatementCaps,
  type Steps,
} from '@engine/core/print'
import { requireBuiltIn } from '../built-in/require-built-in.ts'
import { withBuiltInFunctions } from '../built-in/with-built-in-functions.ts'

const caps: StatementCaps = {
  database: 'SQLite',
  mostParameters: 32_766,
  // SQLite's expressions may be 1000 deep.
  mostNesting: 400,
}

/** A step before its text is final. */
export interface PrintedStep extends Omit<PlanStep, 'sql' | 'parameters' | 'volatileCalls'> {
  readonly sql: Sql
}

export function makeStep(text: Sql, yields: PlanStep['yields']): PrintedStep {
  return { sql: text, yields, checkColumn: undefined, visibleColumn: undefined }
}

/** The database that statements run on. */
export interface Target {
  /** For messages. */
  readonly name: string
  /** The available functions, in lower case; undefined where all of the adapter's are registered, too. */
  readonly functions: ReadonlySet<string> | undefined
}

export const localTarget: Target = { name: 'SQLite', functions: undefined }

/** @throws {GatewayError} `limitExceeded`; `unsupported` for functions that the target does not have. */
export function* finishStep(
  { sql, ...outcome }: PrintedStep,
  { name, functions }: Target,
): Steps<PlanStep> {
  const fragment = functions === undefined ? sql : withBuiltInFunctions(sql, functions, name)
  yield
  const placeholders = { kind: 'numbered', prefix: '?' } as const
  const { text, parameters, volatileCalls } = yield* renderInSteps(fragment, placeholders)
  yield
  if (functions !== undefined) requireBuiltIn(text, functions, name)
  requireCaps({ text, parameters }, caps)
  return { sql: text, parameters, volatileCalls, ...outcome }
}
