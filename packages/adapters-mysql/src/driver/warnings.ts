/**
 * @module Warnings mean wrong answers: a value was cut, a number could not be read, a list was not finished. Expressions are
 * printed so that there are none; an answer with a warning is refused.
 */
import { GatewayError } from '@engine/core/adapter'

/** SQLSTATE by warning number; `0A000` for any other. */
const states: ReadonlyMap<number, string> = new Map([
  [1260, '54000'],
  [1301, '54000'],
  [1931, '54000'],
  [1264, '22003'],
  [1690, '22003'],
  [1292, '22P02'],
  [1366, '22P02'],
  [1411, '22007'],
  [1365, '22012'],
  [1977, '22P05'],
])

/** The problem of a refusal by its SQLSTATE; `unsupported` for any other. */
const problems: ReadonlyMap<string, 'invalidValue' | 'limitExceeded'> = new Map([
  ['54000', 'limitExceeded'],
  // Values are converted to less than Unicode only when they are stored.
  ['22P05', 'invalidValue'],
])

/** Warnings that a spelling is deprecated. */
const deprecations: ReadonlySet<number> = new Set([1287, 1681])

/**
 * @param warnings rows of SHOW WARNINGS: level, number, text
 * @returns the error for an answer with such warnings; undefined when they are only notes
 */
export function refusalOf(warnings: readonly (readonly unknown[])[]): GatewayError | undefined {
  const found = warnings.find(
    ([level, code]) => level !== 'Note' && !deprecations.has(Number(code)),
  )
  if (found === undefined) return undefined
  const [, code, text] = found
  const sqlState = states.get(Number(code)) ?? '0A000'
  return new GatewayError(
    problems.get(sqlState) ?? 'unsupported',
    'The database cannot answer this exactly.',
    {
      cause: new Error(`warning ${code}: ${text}`),
      sqlState,
      report: { code: String(code), text: String(text), isAboutStatement: false },
    },
  )
}
