/** @module A text of any number of statements, as the simple query protocol sends it. */
import { GatewayError } from '../../foundation/errors.ts'
import { foldedRowsOf } from './folded-rows.ts'
import { checkText, defaultParseLimits, type ParseLimits, tooComplex } from './parse.ts'
import { parseRaw } from './parser-module.ts'
import { stateOfParser } from './parser-state.ts'
import { characterPositions } from './position.ts'
import { foldRows } from './repeated-rows.ts'
import { forEachToken } from './tokens.ts'

/** One statement of a text, which need not be an accepted one. */
export interface ScriptStatement {
  /** Its own part of the text, without the `;`. */
  readonly sql: string
  /** Characters (code points) of the text before `sql`. */
  readonly offset: number
  /** The parser's tree: `{ SelectStmt: { … } }`; of an INSERT of many rows, one row of each shape. Every `location` in it is a byte offset in the whole text. */
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
  const allLimits = { ...defaultParseLimits, ...limits }
  const insert = sql.length > allLimits.maxLength ? undefined : insertOfManyRows(sql, allLimits)
  if (insert !== undefined) return [insert]
  checkText(sql, allLimits)
  checkCount(sql)
  const parse = parseRaw(sql)
  if (!parse.ok) {
    if (parse.message.startsWith('memory exhausted')) {
      throw tooComplex('The statement is too complex.')
    }
    throw new GatewayError('syntaxError', parse.message, {
      sqlState: stateOfParser(parse.message, sql, parse.position),
      ...(parse.position !== undefined && { position: parse.position }),
    })
  }
  const statements = statementsIn(parse.tree())
  return isAscii(sql) ? splitAscii(sql, statements) : split(sql, statements)
}

/** One INSERT whose rows repeat; its tree has one row of each shape. Undefined for any other text. */
function insertOfManyRows(sql: string, limits: ParseLimits): ScriptStatement | undefined {
  const folded = isAscii(sql) ? foldRows(sql) : undefined
  if (folded === undefined) return undefined
  checkText(folded.text, limits)
  const parse = parseRaw(folded.text)
  const statements = parse.ok ? statementsIn(parse.tree()) : []
  const [only] = statements.length === 1 ? splitAscii(folded.text, statements) : []
  if (only === undefined || foldedRowsOf(only.tree, folded) === undefined) return undefined
  const { end, removed } = folded
  const { offset, tree } = only
  return {
    sql: sql.slice(offset, offset + only.sql.length + removed),
    offset,
    tree,
    positionOf: (location) => location - offset + 1 + (location >= end ? removed : 0),
  }
}

function statementsIn(tree: unknown): readonly RawStatement[] {
  return (tree as { readonly stmts?: readonly RawStatement[] }).stmts ?? []
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
