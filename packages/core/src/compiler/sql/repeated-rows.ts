/**
 * @module Rows of VALUES that differ in the numbers of their parameters only, as programs write them for many rows at once. One row
 * of each shape is parsed and planned; the others follow from it.
 *
 *     insert into t (a, b) values ($1, $2), ($3, $4), ($5, default)     is parsed as
 *     insert into t (a, b) values ($1, $2), ($5, default)               with rows of the shapes 0, 0, 1 and the shifts 0, 2, 0
 */
import { forEachToken } from './tokens.ts'

/** One row: that of its shape, with `shift` added to the numbers of its parameters. */
export interface RepeatedRow {
  readonly shape: number
  readonly shift: number
}

/** Rows of one shape contain each of their parameters once, in ascending order without gaps. */
export interface RowShape {
  /** The first parameter of the row in the folded text; `$1` is 0. */
  readonly firstParameter: number
  readonly parameters: number
  readonly cells: number
}

export interface FoldedRows {
  /** The statement with the first row of each shape only. */
  readonly text: string
  readonly shapes: readonly RowShape[]
  readonly rows: readonly RepeatedRow[]
  /** Highest number of a parameter in the rows. */
  readonly parameterCount: number
  /** The place of the rows in `text`, in bytes: another VALUES may have rows of the same shapes. */
  readonly bytes: { readonly from: number; readonly to: number }
  /** The end of the rows in `text`, and the length of the part that is left out there; in characters. */
  readonly end: number
  readonly removed: number
}

/** Fewer rows are parsed as they are. */
const leastRows = 20

/** Other statements are parsed as they are. */
const mostShapes = 20

const mostCandidates = 20

/** The parser refuses a higher number. */
const mostParameters = 65_535

/**
 * Looks for the first VALUES with many rows. The parser decides what the folded text means: the caller has to compare its tree
 * with the shapes.
 *
 * @returns undefined where rows have other cells than parameters, DEFAULT and simple literals, or are too different.
 */
export function foldRows(sql: string): FoldedRows | undefined {
  const candidates = sql.matchAll(/\bvalues[ \t\n\r\f]*(?=\()/gi)
  let tried = 0
  for (const { 0: match, index } of candidates) {
    tried += 1
    if (tried > mostCandidates) return undefined
    const scanned = scanRows(sql, index + match.length)
    if (scanned !== undefined) return isKeyword(sql, index) ? folded(sql, scanned) : undefined
  }
  return undefined
}

interface ScannedShape extends RowShape {
  readonly text: string
}

interface ScannedRows {
  readonly start: number
  readonly end: number
  readonly shapes: readonly ScannedShape[]
  readonly rows: readonly RepeatedRow[]
  readonly parameterCount: number
}

/** @param start of the first bracket. */
function scanRows(sql: string, start: number): ScannedRows | undefined {
  const shapes: ScannedShape[] = []
  const numbers = new Map<string, number>()
  const rows: RepeatedRow[] = []
  let last = -1
  let end = start
  for (let at = start; ; ) {
    const row = scanRow(sql, at)
    if (row === undefined) return undefined
    const { key, firstParameter, parameters } = row
    // A parameter in two rows may be of two types.
    if (firstParameter <= last) return undefined
    last = firstParameter + parameters - 1
    let shape = numbers.get(key)
    if (shape === undefined) {
      shape = shapes.push({ ...row, text: sql.slice(at, row.end) }) - 1
      if (shapes.length > mostShapes) return undefined
      numbers.set(key, shape)
    }
    rows.push({ shape, shift: firstParameter - (shapes[shape]?.firstParameter ?? 0) })
    end = row.end
    comma.lastIndex = end
    if (!comma.test(sql)) break
    at = comma.lastIndex
  }
  if (rows.length < leastRows) return undefined
  return { start, end, shapes, rows, parameterCount: last + 1 }
}

const comma = /[ \t\n\r\f]*,[ \t\n\r\f]*/y

/**
 * A cell and the comma or bracket after it. Literals have ASCII characters only, and no escapes. White space is the parser's: to
 * the parser, other blanks are letters.
 */
const cell =
  /[ \t\n\r\f]*(?:\$([1-9][0-9]{0,4})|default|null|true|false|-?[0-9]+(?:\.[0-9]+)?|'[ !#-&(-[\]-~]*')((?:::[a-z_][a-z0-9_]*)?)[ \t\n\r\f]*([,)])/iy

interface ScannedRow extends RowShape {
  /** Equal for rows that differ in the numbers of their parameters only. */
  readonly key: string
  readonly end: number
}

function scanRow(sql: string, start: number): ScannedRow | undefined {
  if (sql.charAt(start) !== '(') return undefined
  let at = start + 1
  let key = ''
  let firstParameter = -1
  let parameters = 0
  let cells = 0
  for (;;) {
    cell.lastIndex = at
    const found = cell.exec(sql)
    if (found === null) return undefined
    const [whole, digits, type = '', closing] = found
    cells += 1
    at = cell.lastIndex
    if (digits === undefined) key += whole.trim()
    else {
      const number = Number(digits) - 1
      if (number >= mostParameters) return undefined
      if (parameters === 0) firstParameter = number
      else if (number !== firstParameter + parameters) return undefined
      parameters += 1
      key += `$${type},`
    }
    if (closing === ')') break
  }
  return parameters === 0 ? undefined : { key, end: at, firstParameter, parameters, cells }
}

/** Is the word a word of SQL rather than a part of a string, a comment or a quoted name? */
function isKeyword(sql: string, at: number): boolean {
  const end = at + 'values'.length
  let isLastWord = false
  forEachToken(sql.slice(0, end), (kind, from, to) => {
    isLastWord = kind === 'word' && from === at && to === end
  })
  return isLastWord
}

function folded(sql: string, scanned: ScannedRows): FoldedRows {
  const { start, end, shapes, rows, parameterCount } = scanned
  const kept = shapes.map(({ text }) => text).join(', ')
  const before = sql.slice(0, start)
  const from = Buffer.byteLength(before)
  return {
    text: `${before}${kept}${sql.slice(end)}`,
    shapes,
    rows,
    parameterCount,
    bytes: { from, to: from + kept.length },
    end: codePoints(before) + kept.length,
    removed: end - start - kept.length,
  }
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
