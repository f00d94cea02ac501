/** @module The text of a message as the rest of the session reads it: backslashes in `'...'` are ordinary characters. */
import { standardStrings } from '../../syntax/standard-strings.ts'
import type { SessionParts } from '../parts/session-parts.ts'

const escapeWarning = {
  severity: 'WARNING',
  sqlState: '22P06',
  message: String.raw`nonstandard use of \\ in a string literal`,
  hint: String.raw`Use the escape string syntax for backslashes, e.g., E'\\'.`,
} as const

/** Warnings of one message, at most: each is longer than the string that it tells of. */
const mostWarnings = 100

/**
 * Rewrites the strings of a session with `standard_conforming_strings` off, and sends the warnings.
 *
 * @throws {GatewayError} 22P06, 0A000
 */
export function standardText(
  { lookups, writer }: Pick<SessionParts, 'lookups' | 'writer'>,
  sql: string,
): string {
  const { escapes, hearsWarnings } = lookups.facts()
  if (escapes === undefined) return sql
  const standard = standardStrings(sql, escapes.allowsQuote)
  const warned = escapes.warns && hearsWarnings ? standard.escaped.slice(0, mostWarnings) : []
  for (const position of warned) {
    writer.notice({ ...escapeWarning, position })
  }
  return standard.sql
}
