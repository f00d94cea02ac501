import { timedPlanning } from './limits/timed-planning.ts'
import type { ParseLimits } from './sql/parse.ts'
import { type ScriptStatement, splitScript } from './sql/split-script.ts'

/** Splits a text into its statements, as `splitScript`, within the budget of planning. @throws {GatewayError} as that. */
export function parseScript(
  sql: string,
  limits: Partial<ParseLimits> = {},
): readonly ScriptStatement[] {
  return timedPlanning({}, () => splitScript(sql, limits))
}
