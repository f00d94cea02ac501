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
 * MySQL warns of the date 0000-00-00 when it keeps it in a temporary table, as it is. A date with a zero in it becomes another one there.
 */
const keptZeroDate =
  /^Incorrect (?:date|datetime) value: '0000-00-00(?: 00:00:00(?:\.0+)?)?' for column /

function isHarmless([level, code, text]: readonly unknown[]): boolean {
  if (level === 'Note' || deprecations.has(Number(code))) return true
  return Number(code) === 1292 && keptZeroDate.test(String(text))
}

/**
 * @param warnings rows of SHOW WARNINGS: level, number, text
 * @param count of the warnings that there were; where the server has not kept them all, any may be among the others
 * @returns the error for an answer with such warnings; undefined when they are only notes
 */
export function refusalOf(
  warnings: readonly (readonly unknown[])[],
  count: number = warnings.length,
): GatewayError | undefined {
  const isCut = warnings.length < count
  const found =
    warnings.find((warning) => !isHarmless(warning)) ??
    (isCut ? ['Warning', 0, `${count} warnings`] : undefined)
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
