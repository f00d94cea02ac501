/** @module Caps of a database on one statement. */
import { GatewayError } from '../../foundation/errors.ts'
import type { RenderedSql } from './sql-writer.ts'

/** The limits of a database on a single statement. */
export interface StatementCaps {
  /** Of the database, for messages. */
  readonly database: string
  readonly mostParameters: number
  /** The most nested brackets. */
  readonly mostNesting: number
}

/**
 * Refuses a printed statement that is larger than the database accepts.
 *
 * @throws {GatewayError} `limitExceeded` (SQLSTATE 54001).
 */
export function requireCaps(
  { text, parameters }: Pick<RenderedSql, 'text' | 'parameters'>,
  { database, mostParameters, mostNesting }: StatementCaps,
): void {
  if (parameters.length > mostParameters) {
    throw tooMuch(`more than ${mostParameters} values in one statement`, database)
  }
  if (nestingOf(text) > mostNesting) throw tooMuch('an expression nested this deep', database)
}

function tooMuch(construct: string, database: string): GatewayError {
  return new GatewayError('limitExceeded', `${construct}: not supported on ${database}`, {
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
