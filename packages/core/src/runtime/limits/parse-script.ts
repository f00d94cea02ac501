import type { ParseLimits } from '../../compiler/sql/parse.ts'
import { type ScriptStatement, splitScript } from '../../compiler/sql/split-script.ts'
import { timedPlanning } from './timed-planning.ts'

/** Splits a text into its statements, as `splitScript`, within the planning budget. @throws {GatewayError} as `splitScript`. */
export function parseScript(
  sql: string,
  limits: Partial<ParseLimits> = {},
): readonly ScriptStatement[] {
  return timedPlanning({}, () => splitScript(sql, limits))
}
