/** @module Text that was written for `standard_conforming_strings = off` → the same text for `on`. */
import { GatewayError } from '@engine/core'

export interface StandardText {
  readonly sql: string
  /** Where the plain strings with a backslash begin, in characters from 1: PostgreSQL warns of each. */
  readonly escaped: readonly number[]
}

/**
 * `select 'a\'b', 'c\\'` → `select 'a''b', 'c\' `: what follows stays at its position. A string with bytes or code points in digits
 * gets an `E` instead, which moves the rest by one.
 *
 * @param allowsQuote `backslash_quote` allows `\'`
 * @throws {GatewayError} 22P06 for `\'` where it is not allowed, 0A000 for a string of `U&`.
 */
export function standardStrings(sql: string, allowsQuote: boolean): StandardText {
  if (!/\\|u&'/i.test(sql)) return { sql, escaped: [] }
  const escaped: number[] = []
  let text = ''
  let copied = 0
  for (const { start, end } of plainStrings(sql)) {
    const plain = sql.slice(start, end)
    if (!plain.includes('\\')) continue
    if (!allowsQuote && [...plain.matchAll(escapes)].some(([found]) => found === "\\'")) {
      throw unsafeQuote(positionOf(sql, start))
    }
    text += sql.slice(copied, start) + standardString(plain)
    copied = end
    escaped.push(positionOf(sql, start))
  }
  return { sql: text + sql.slice(copied), escaped }
}

/** The beginnings of whatever may hold a quote, and words, so that no quote within is taken for the beginning of a string. */
const beginning = new RegExp(
  [
    String.raw`--[^\r\n]*`,
    String.raw`(?<comment>/\*)`,
    String.raw`(?<dollar>\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)`,
    "(?<unicode>[Uu]&')",
    '(?<quote>[EeNnBbXx]?\'|")',
    String.raw`[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*`,
  ].join('|'),
  'g',
)

/** What follows the beginning, its end included. A pair of quotes is one within. */
const rests: Readonly<Record<string, RegExp>> = {
  "'": /(?:[^'\\]|\\[\s\S]|'')*'/y,
  '"': /(?:[^"]|"")*"/y,
  b: /[^']*'/y,
  x: /[^']*'/y,
}

/** Nothing after a string without an end is a string. */
function* plainStrings(sql: string): Generator<{ readonly start: number; readonly end: number }> {
  let end = 0
  for (;;) {
    beginning.lastIndex = end
    const groups = beginning.exec(sql)?.groups
    if (groups === undefined) return
    end = beginning.lastIndex
    const { comment, dollar, unicode, quote } = groups
    if (unicode !== undefined) throw unsafeUnicode(positionOf(sql, end - unicode.length))
    if (comment !== undefined) end = endOfComment(sql, end)
    if (dollar !== undefined) end = endOfDollars(sql, dollar, end)
    if (quote === undefined) continue
    const start = end - 1
    const rest = rests[quote.charAt(0).toLowerCase()] ?? rests["'"]
    if (rest === undefined) return
    rest.lastIndex = end
    if (!rest.test(sql)) return
    end = rest.lastIndex
    if (/^[Nn]?'/.test(quote)) yield { start, end }
  }
}

function endOfDollars(sql: string, mark: string, start: number): number {
  const found = sql.indexOf(mark, start)
  return found === -1 ? sql.length : found + mark.length
}

/** Comments may be nested. @param start after the first mark */
function endOfComment(sql: string, start: number): number {
  const mark = /\/\*|\*\//g
  mark.lastIndex = start
  let depth = 1
  for (let found = mark.exec(sql); found !== null; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return mark.lastIndex
  }
  return sql.length
}

const escapes = /\\([\s\S])|''/g

const letters: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  "'": "''",
}

/** @param plain with its quotes */
function standardString(plain: string): string {
  const body = plain.slice(1, -1)
  if ([...body.matchAll(escapes)].some(([found]) => /^\\[uUx0-7]/.test(found))) return `E${plain}`
  const standard = body.replaceAll(escapes, (found, character?: string) =>
    character === undefined ? found : (letters[character] ?? character),
  )
  return `'${standard}'${' '.repeat(body.length - standard.length)}`
}

/** In characters, from 1. */
function positionOf(sql: string, index: number): number {
  return [...sql.slice(0, index)].length + 1
}

function unsafeQuote(position: number): GatewayError {
  const message = "unsafe use of \\' in a string literal"
  return new GatewayError('badRequest', message, { sqlState: '22P06', position })
}

function unsafeUnicode(position: number): GatewayError {
  const message = 'unsafe use of string constant with Unicode escapes'
  return new GatewayError('unsupported', message, { sqlState: '0A000', position })
}
