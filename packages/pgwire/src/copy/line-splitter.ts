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
  line(): number
  /** The end marker was seen: the rest is ignored. */
  isOver(): boolean
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
  return new LinesOfText(options)
}

/** A class: the line that has begun, and how lines end, are known from piece to piece (decision 0088). */
class LinesOfText implements LineSplitter {
  readonly #options: LineSplitterOptions
  /** Where both characters are the same, the character only toggles quoting. */
  readonly #escapeCharacter: string | undefined
  readonly #specials: RegExp
  readonly #what: 'unquoted' | 'literal'
  #ending: '\n' | '\r' | '\r\n' | undefined
  #number = 1
  /** Pieces of the line so far, and their length. */
  #parts: string[] = []
  #length = 0
  /** Characters that can only be judged together with the next piece: a few. */
  #carry = ''
  #isQuoted = false
  #isEscaped = false
  #isOver = false

  constructor(options: LineSplitterOptions) {
    const { isCsv } = options
    this.#options = options
    this.#escapeCharacter = options.escape === options.quote ? undefined : options.escape
    this.#specials = isCsv ? csvSpecials(options) : /[\\\r\n]/g
    this.#what = isCsv ? 'unquoted' : 'literal'
  }

  push(piece: string, isLast: boolean, handle: (line: CopyLine) => void): void {
    if (this.#isOver) return
    const { isCsv } = this.#options
    const specials = this.#specials
    const text = this.#carry + piece
    this.#carry = ''
    let from = 0
    let at = 0
    for (;;) {
      specials.lastIndex = at
      const match = specials.exec(text)
      if (match === null) break
      if (match.index > at) this.#isEscaped = false
      at = match.index
      const character = match[0]
      if (!isLast && at + longestMarker > text.length && /[\\\r]/.test(character)) {
        this.#keep(text.slice(from, at))
        this.#carry = text.slice(at)
        return
      }
      if (isCsv) this.#passQuote(character)
      if (/[\r\n]/.test(character) && !this.#isQuoted) {
        const size = this.#lineEnd(text, at)
        this.#keep(text.slice(from, at))
        handle(this.#take())
        at += size
        from = at
        continue
      }
      if (character === '\\' && (!isCsv || (this.#length === 0 && at === from))) {
        if (this.#isMarker(text, at)) {
          this.#isOver = true
          this.#finish(text.slice(from, at), handle)
          return
        }
        if (!isCsv) at += 1
      }
      at += 1
    }
    if (text.length > at) this.#isEscaped = false
    if (isLast) this.#finish(text.slice(from), handle)
    else this.#keep(text.slice(from))
  }

  line(): number {
    return this.#number
  }

  isOver(): boolean {
    return this.#isOver
  }

  /** Of CSV: follows quotes, and counts the line breaks in them. */
  #passQuote(character: string): void {
    const { quote } = this.#options
    const escaping = this.#escapeCharacter
    if (this.#isQuoted && character === escaping) this.#isEscaped = !this.#isEscaped
    if (character === quote && !this.#isEscaped) this.#isQuoted = !this.#isQuoted
    if (character !== escaping) this.#isEscaped = false
    const lineBreak = this.#ending === '\n' ? '\n' : '\r'
    if (this.#isQuoted && character === lineBreak) this.#number += 1
  }

  /** Length of the line end at `at`. */
  #lineEnd(text: string, at: number): number {
    if (text.charAt(at) === '\n') {
      if (this.#ending === '\r' || this.#ending === '\r\n') {
        throw this.#fault(`${this.#what} newline found in data`)
      }
      this.#ending = '\n'
      return 1
    }
    if (this.#ending === '\n') throw this.#fault(`${this.#what} carriage return found in data`)
    if (this.#ending === '\r') return 1
    if (text.charAt(at + 1) === '\n') {
      this.#ending = '\r\n'
      return 2
    }
    if (this.#ending === '\r\n') throw this.#fault(`${this.#what} carriage return found in data`)
    this.#ending = '\r'
    return 1
  }

  /** Whether the backslash at `at` begins the end marker. */
  #isMarker(text: string, at: number): boolean {
    if (text.charAt(at + 1) !== '.') return false
    const behind = text.slice(at + 2, at + (this.#ending === '\r\n' ? 4 : 3))
    const problem = markerProblem(behind, this.#ending)
    if (problem !== undefined && !this.#options.isCsv) throw this.#fault(problem)
    return problem === undefined
  }

  #keep(text: string): void {
    if (text === '') return
    const { maxLength, table } = this.#options
    this.#length += text.length
    if (this.#length > maxLength) {
      throw rowTooLarge(maxLength, copyContext(table, this.#number))
    }
    this.#parts.push(text)
  }

  #take(): CopyLine {
    const line = { number: this.#number, text: this.#parts.join('') }
    this.#parts = []
    this.#length = 0
    this.#number += 1
    return line
  }

  /** The last line, where it has no line end. */
  #finish(text: string, handle: (line: CopyLine) => void): void {
    this.#keep(text)
    if (this.#length > 0) handle(this.#take())
  }

  #fault(message: string): Error {
    return badCopyFormat(message, copyContext(this.#options.table, this.#number))
  }
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
