/** @module A text of any number of statements, as the simple query protocol sends it. */
import { GatewayError } from '../../foundation/errors.ts'
import { checkText, defaultParseLimits, type ParseLimits, tooComplex } from './parse.ts'
import { parseRaw } from './parser-module.ts'
import { characterPositions } from './position.ts'
import { forEachToken } from './tokens.ts'

/** One statement of a text, which need not be an accepted one. */
export interface ScriptStatement {
  /** Its own part of the text, without the `;`. */
  readonly sql: string
  /** Characters (code points) of the text before `sql`. */
  readonly offset: number
  /** The parser's tree: `{ SelectStmt: { … } }`. Every `location` in it is a byte offset in the whole text. */
  readonly tree: unknown
  /** Converts such a `location` to a position in `sql`, in characters from 1. */
  readonly positionOf: (location: number) => number
}

/**
 * Splits a text into its statements; a text of comments and semicolons has none. `loadParser` must have resolved once.
 *
 * @throws {GatewayError} `syntaxError` in PostgreSQL's words (42601, `position` in characters from 1), `limitExceeded`.
 */
export function splitScript(
  sql: string,
  limits: Partial<ParseLimits> = {},
): readonly ScriptStatement[] {
  checkText(sql, { ...defaultParseLimits, ...limits })
  checkCount(sql)
  const parse = parseRaw(sql)
  if (!parse.ok) {
    if (parse.message.startsWith('memory exhausted')) {
      throw tooComplex('The statement is too complex.')
    }
    throw new GatewayError('syntaxError', parse.message, {
      sqlState: '42601',
      ...(parse.position !== undefined && { position: parse.position }),
    })
  }
  const statements = (parse.tree as { readonly stmts?: readonly RawStatement[] }).stmts ?? []
  return isAscii(sql) ? splitAscii(sql, statements) : split(sql, statements)
}

/** The parser takes some 20 µs for the smallest statement, and blocks all other requests for that time. */
const maxStatements = 10_000

function checkCount(sql: string): void {
  if (sql.length <= maxStatements) return
  let semicolons = 0
  forEachToken(sql, (kind) => {
    if (kind === 'semicolon') semicolons += 1
  })
  if (semicolons > maxStatements) {
    throw tooComplex(`The text has more than ${maxStatements} statements.`)
  }
}

interface RawStatement {
  readonly stmt?: unknown
  /** In bytes. */
  readonly stmt_location?: number
  /** In bytes; to the end of the text where it is 0 or absent. */
  readonly stmt_len?: number
}

function isAscii(sql: string): boolean {
  return !/[\u0080-\uffff]/.test(sql)
}

function splitAscii(sql: string, statements: readonly RawStatement[]): readonly ScriptStatement[] {
  return statements.map(({ stmt, stmt_location: start = 0, stmt_len: length = 0 }) => ({
    sql: sql.slice(start, length === 0 ? undefined : start + length),
    offset: start,
    tree: stmt,
    positionOf: (location) => location - start + 1,
  }))
}

function split(sql: string, statements: readonly RawStatement[]): readonly ScriptStatement[] {
  const positionOf = characterPositions(sql)
  const bytes = new TextEncoder().encode(sql)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return statements.map(({ stmt, stmt_location: start = 0, stmt_len: length = 0 }) => {
    const offset = positionOf(start) - 1
    return {
      sql: decoder.decode(bytes.subarray(start, length === 0 ? undefined : start + length)),
      offset,
      tree: stmt,
      positionOf: (location) => positionOf(location) - offset,
    }
  })
}
