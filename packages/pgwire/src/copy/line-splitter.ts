/** @module Text in pieces → lines, as COPY sees them: an end of line may be part of a value. */
import { classEscape } from './class-escape.ts'
import { badCopyFormat, copyContext, rowTooLarge } from './copy-error.ts'

export interface CopyLine {
  /** From 1. */
  readonly number: number
  readonly text: string
}

export interface LineSplitter {
  /**
   * @param isLast nothing follows
   * @param handle takes each line before the next one is read
   */
  push(text: string, isLast: boolean, handle: (line: CopyLine) => void): void
  /** Number of the next line, or of the line that has begun. */
  readonly line: () => number
  /** The end marker was seen: the rest is ignored. */
  readonly isOver: () => boolean
}

export interface LineSplitterOptions {
  readonly isCsv: boolean
  readonly quote: string
  readonly escape: string
  readonly table: string
  /** Maximum length of one line, in UTF-16 code units. */
  readonly maxLength: number
}

/**
 * The first line says how lines end; all others end the same way. `\.` alone ends the data. In format `text` a backslash
 * escapes the character after it; in `csv` a quoted value may contain line breaks.
 *
 * @see CopyReadLineText of PostgreSQL 15
 */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const { isCsv, quote, table } = options
  /** Where both characters are the same, the character only toggles quoting. */
  const escapeCharacter = options.escape === quote ? undefined : options.escape
  const specials = isCsv ? csvSpecials(options) : /[\\\r\n]/g
  const what = isCsv ? 'unquoted' : 'literal'
  let ending: '\n' | '\r' | '\r\n' | undefined
  let number = 1
  /** Pieces of the line so far, and their length. */
  let parts: string[] = []
  let length = 0
  /** Characters that can only be judged together with the next piece: a few. */
  let carry = ''
  let isQuoted = false
  let isEscaped = false
  let isOver = false

  const fail = (message: string) => badCopyFormat(message, copyContext(table, number))
  const keep = (text: string) => {
    if (text === '') return
    length += text.length
    if (length > options.maxLength) {
      throw rowTooLarge(options.maxLength, copyContext(table, number))
    }
    parts.push(text)
  }
  const take = (): CopyLine => {
    const line = { number, text: parts.join('') }
    parts = []
    length = 0
    number += 1
    return line
  }

  /** Length of the line end at `at`. */
  const lineEnd = (text: string, at: number): number => {
    if (text.charAt(at) === '\n') {
      if (ending === '\r' || ending === '\r\n') throw fail(`${what} newline found in data`)
      ending = '\n'
      return 1
    }
    if (ending === '\n') throw fail(`${what} carriage return found in data`)
    if (ending === '\r') return 1
    if (text.charAt(at + 1) === '\n') {
      ending = '\r\n'
      return 2
    }
    if (ending === '\r\n') throw fail(`${what} carriage return found in data`)
    ending = '\r'
    return 1
  }

  /** Whether the backslash at `at` begins the end marker. */
  const isMarker = (text: string, at: number): boolean => {
    if (text.charAt(at + 1) !== '.') return false
    const behind = text.slice(at + 2, at + (ending === '\r\n' ? 4 : 3))
    const problem = markerProblem(behind, ending)
    if (problem !== undefined && !isCsv) throw fail(problem)
    return problem === undefined
  }

  const push: LineSplitter['push'] = (piece, isLast, handle) => {
    if (isOver) return
    const text = carry + piece
    carry = ''
    let from = 0
    let at = 0
    for (;;) {
      specials.lastIndex = at
      const match = specials.exec(text)
      if (match === null) break
      if (match.index > at) isEscaped = false
      at = match.index
      const character = match[0]
      if (!isLast && at + longestMarker > text.length && /[\\\r]/.test(character)) {
        keep(text.slice(from, at))
        carry = text.slice(at)
        return
      }
      if (isCsv) {
        if (isQuoted && character === escapeCharacter) isEscaped = !isEscaped
        if (character === quote && !isEscaped) isQuoted = !isQuoted
        if (character !== escapeCharacter) isEscaped = false
        if (isQuoted && character === (ending === '\n' ? '\n' : '\r')) number += 1
      }
      if (/[\r\n]/.test(character) && !isQuoted) {
        const size = lineEnd(text, at)
        keep(text.slice(from, at))
        handle(take())
        at += size
        from = at
        continue
      }
      if (character === '\\' && (!isCsv || (length === 0 && at === from))) {
        if (isMarker(text, at)) {
          isOver = true
          keep(text.slice(from, at))
          if (length > 0) handle(take())
          return
        }
        if (!isCsv) at += 1
      }
      at += 1
    }
    keep(text.slice(from))
    if (text.length > at) isEscaped = false
    if (isLast && length > 0) handle(take())
  }
  return { push, line: () => number, isOver: () => isOver }
}

/** `\.` and the longest end of a line. */
const longestMarker = 4

function csvSpecials(options: LineSplitterOptions): RegExp {
  const own = classEscape(options.quote) + classEscape(options.escape)
  return new RegExp(`[\\\\\\r\\n${own}]`, 'g')
}

/** @param behind the text after `\.` */
function markerProblem(behind: string, ending: string | undefined): string | undefined {
  const corrupt = 'end-of-copy marker corrupt'
  const mismatch = 'end-of-copy marker does not match previous newline style'
  if (ending === '\r\n') {
    if (behind.startsWith('\n')) return mismatch
    if (!behind.startsWith('\r')) return corrupt
    if (!/[\r\n]/.test(behind.charAt(1))) return corrupt
    return behind === '\r\n' ? undefined : mismatch
  }
  if (!/[\r\n]/.test(behind)) return corrupt
  return ending === undefined || ending === behind ? undefined : mismatch
}
