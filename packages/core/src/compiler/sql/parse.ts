import type { SelectStmt } from '@pgsql/types'
import { GatewayError } from '../../foundation/errors.ts'
import { runSteps, type Steps } from '../../foundation/steps.ts'
import { type AcceptedSyntax, acceptSyntax } from './accepted-syntax.ts'
import { bindError } from './bind-error.ts'
import { foldedRowsOf } from './folded-rows.ts'
import { parseRaw } from './parser-module.ts'
import { stateOfParser } from './parser-state.ts'
import { characterPositions } from './position.ts'
import { type FoldedRows, foldRows, type RepeatedRow, type RowShape } from './repeated-rows.ts'
import { scannerWork } from './scanner-work.ts'
import { textShape } from './text-shape.ts'
import { junkAfterParameter } from './tokens.ts'

export { loadParser } from './parser-module.ts'

/** One statement, made of accepted syntax only; every `location` in it is a 1-based character position. */
export interface ParsedStatement extends AcceptedSyntax {
  /** The VALUES of an INSERT in which `statement` has one row of each shape only. */
  readonly repeated?: RepeatedValues | undefined
}

export interface RepeatedValues {
  readonly values: SelectStmt
  /** By row of `values`. */
  readonly shapes: readonly RowShape[]
  /** All rows, in their order. */
  readonly rows: readonly RepeatedRow[]
}

/** Limits for the work of the parser on one statement. */
export interface ParseLimits {
  /** Length of the text in UTF-16 code units. */
  readonly maxLength: number
  /** See `scannerWork`. */
  readonly maxScannerWork: number
  /** See `TextShape.tokens`. */
  readonly maxTokens: number
  /** Nested brackets and CASE. */
  readonly maxNesting: number
  /** See `TextShape.height`. */
  readonly maxHeight: number
  /** See `TextShape.repeated`. */
  readonly maxRepeated: number
  readonly maxNodes: number
  readonly maxDepth: number
}

/**
 * The parser's own stack overflows at a height of about 4000 (measured with some sixty shapes), and the later stages recurse,
 * too.
 */
export const defaultParseLimits: ParseLimits = {
  maxLength: 1024 * 1024,
  maxScannerWork: 5_000_000,
  maxTokens: 150_000,
  maxNesting: 100,
  maxHeight: 500,
  maxRepeated: 50_000,
  maxNodes: 500_000,
  maxDepth: 1000,
}

/**
 * Parses exactly one statement, with or without a `;` at the end. `loadParser` must have resolved once.
 *
 * @throws {GatewayError} `syntaxError`, `unsupported`, `badRequest` (several statements) or `limitExceeded`, with the position in
 *   the text where there is one.
 */
export function parseStatement(sql: string, limits: Partial<ParseLimits> = {}): ParsedStatement {
  return runSteps(parseInSteps(sql, limits))
}

/** The same in steps; the parser of PostgreSQL itself is one step. */
export function* parseInSteps(
  sql: string,
  limits: Partial<ParseLimits> = {},
): Steps<ParsedStatement> {
  const allLimits = { ...defaultParseLimits, ...limits }
  checkLength(sql, allLimits)
  const folded = foldRows(sql)
  const parsed = folded && (yield* parseFolded(folded, allLimits))
  if (parsed !== undefined) return parsed
  checkText(sql, allLimits)
  yield
  const tree = yield* parseTree(sql, asTheyAre)
  yield
  const statement = onlyStatement(tree, characterPositions(sql))
  return acceptSyntax(statement, characterPositions(sql), allLimits)
}

/** Undefined when the folded rows are not those of an INSERT. */
function* parseFolded(folded: FoldedRows, limits: ParseLimits): Steps<ParsedStatement | undefined> {
  const { text, shapes, rows } = folded
  const inWhole = (position: number) =>
    position > folded.end ? position + folded.removed : position
  const inText = characterPositions(text)
  const positionOf = (byteOffset: number) => inWhole(inText(byteOffset))
  checkText(text, limits)
  yield
  const statement = onlyStatement(yield* parseTree(text, inWhole), positionOf)
  yield
  const values = foldedRowsOf(statement, folded)
  if (values === undefined) return undefined
  const accepted = acceptSyntax(statement, positionOf, limits)
  const nodes = rows.reduce(
    (sum, { shape }) => sum + 1 + (shapes[shape]?.cells ?? 0),
    accepted.nodes,
  )
  if (nodes > limits.maxNodes) throw tooComplex('The statement has too many parts.')
  const parameterCount = Math.max(accepted.parameterCount, folded.parameterCount)
  return { ...accepted, nodes, parameterCount, repeated: { values, shapes, rows } }
}

const asTheyAre = (position: number) => position

/**
 * The checks of a text before it is parsed.
 *
 * @throws {GatewayError} `limitExceeded`, `syntaxError`.
 */
export function checkText(sql: string, limits: ParseLimits): void {
  checkLength(sql, limits)
  if (sql.includes('\0')) throw syntaxError('The statement contains a NUL character.')
  if (!sql.isWellFormed()) throw syntaxError('The statement contains half of a surrogate pair.')
  if (scannerWork(sql) > limits.maxScannerWork) {
    throw tooComplex('The statement has too long a run of operators or comments.')
  }
  const junk = junkAfterParameter(sql)
  if (junk !== undefined) {
    const text = /^\$\d+[\w\u0080-\uffff]*/.exec(sql.slice(junk))?.[0] ?? ''
    throw syntaxError(
      `trailing junk after parameter at or near "${text}"`,
      [...sql.slice(0, junk)].length + 1,
    )
  }
  const shape = textShape(sql)
  if (shape.tokens > limits.maxTokens) throw tooComplex('The statement has too many parts.')
  if (shape.nesting > limits.maxNesting || shape.height > limits.maxHeight) {
    throw tooComplex('The statement is nested too deeply.')
  }
  if (shape.repeated > limits.maxRepeated) {
    throw tooComplex('The statement sets too many columns from one row.')
  }
}

function checkLength(sql: string, limits: ParseLimits): void {
  if (sql.length <= limits.maxLength) return
  throw tooComplex(`The statement is longer than ${limits.maxLength} characters.`)
}

/** @param positionOf a position in the client's text for one in `sql`. */
function* parseTree(sql: string, positionOf: (position: number) => number): Steps<unknown> {
  const parse = parseRaw(sql)
  if (parse.ok) {
    yield
    return parse.tree()
  }
  if (parse.message.startsWith('memory exhausted')) {
    throw tooComplex('The statement is too complex.')
  }
  const position = parse.position && positionOf(parse.position)
  throw syntaxError(parse.message, position, stateOfParser(parse.message, sql, parse.position))
}

function onlyStatement(tree: unknown, positionOf: (byteOffset: number) => number): unknown {
  const statements = (tree as { readonly stmts?: readonly RawStatement[] }).stmts ?? []
  const [first, second] = statements
  if (first?.stmt === undefined) throw syntaxError('The statement is empty.')
  if (second === undefined) return first.stmt
  throw bindError('Only one statement is accepted; send several to POST /data/batch', {
    sqlState: '42601',
    position: positionOf(second.stmt_location ?? 0),
  })
}

interface RawStatement {
  readonly stmt?: unknown
  /** In bytes. */
  readonly stmt_location?: number
}

function syntaxError(message: string, position?: number, sqlState = '42601'): GatewayError {
  const where = position === undefined ? '' : ` (position ${position})`
  return new GatewayError('syntaxError', `${message}${where}`, {
    sqlState,
    ...(position !== undefined && { position }),
  })
}

/** The error for a statement that would need too much of the parser. */
export function tooComplex(message: string): GatewayError {
  return new GatewayError('limitExceeded', message, { sqlState: '54001' })
}
