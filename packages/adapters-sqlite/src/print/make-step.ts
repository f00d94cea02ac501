/** @module SQL text → a step of a plan, within SQLite's limits. */
import { GatewayError, type PlanStep, renderSql, type Sql } from '@engine/core/adapter'
import { requireBuiltIn, withBuiltInFunctions } from './built-in-only.ts'

/** SQLite takes no more parameters in one statement. */
const mostParameters = 32_766

/** Brackets inside each other: SQLite's expressions may be 1000 deep. */
const mostNesting = 400

/** A step before its text is final. */
export interface PrintedStep extends Omit<PlanStep, 'sql' | 'parameters' | 'volatileCalls'> {
  readonly sql: Sql
}

export function makeStep(text: Sql, yields: PlanStep['yields']): PrintedStep {
  return { sql: text, yields, checkColumn: undefined, visibleColumn: undefined }
}

/** Where statements run. */
export interface Target {
  /** For messages. */
  readonly name: string
  /** The functions that there are, in lower case; undefined where all of ours are registered too. */
  readonly functions: ReadonlySet<string> | undefined
}

export const localTarget: Target = { name: 'SQLite', functions: undefined }

/** @throws {GatewayError} `limitExceeded`; `unsupported` for functions that the target does not have. */
export function finishStep(
  { sql, ...outcome }: PrintedStep,
  { name, functions }: Target,
): PlanStep {
  const fragment = functions === undefined ? sql : withBuiltInFunctions(sql, functions, name)
  const { text, parameters, volatileCalls } = renderSql(fragment, { kind: 'numbered', prefix: '?' })
  if (functions !== undefined) requireBuiltIn(text, functions, name)
  if (parameters.length > mostParameters) {
    throw tooMuch(`more than ${mostParameters} values in one statement`)
  }
  if (nestingOf(text) > mostNesting) throw tooMuch('an expression nested this deep')
  return { sql: text, parameters, volatileCalls, ...outcome }
}

function tooMuch(construct: string): GatewayError {
  return new GatewayError('limitExceeded', `${construct}: not supported on SQLite`, {
    sqlState: '54001',
  })
}

function nestingOf(text: string): number {
  let [depth, most] = [0, 0]
  for (const character of text) {
    if (character === '(') {
      depth += 1
      if (depth > most) most = depth
    } else if (character === ')') depth -= 1
  }
  return most
}
