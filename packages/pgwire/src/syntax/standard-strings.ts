/** @module Text that was written for `standard_conforming_strings = off` → the same text for `on`. */
import { GatewayError } from '@engine/core'

export interface StandardText {
  readonly sql: string
  /** Where the plain strings with a backslash begin, in characters from 1: PostgreSQL warns of each. */
  readonly escaped: readonly number[]
}

/**
 * `select 'a\'b', 'c\\'` → `select 'a''b', 'c\' `: what follows stays at its position. A string with bytes or code points in digits
 * gets an `E` instead, which moves the rest by one. Strings that continue on a further line are one: all have the first one's escapes.
 *
 * @param allowsQuote `backslash_quote` allows `\'`
 * @throws {GatewayError} 22P06 for `\'` where it is not allowed, 42601 for a string without an end, 0A000 for a string of `U&`.
 */
export function standardStrings(sql: string, allowsQuote: boolean): StandardText {
  if (!/\\|u&'/i.test(sql)) return { sql, escaped: [] }
  const escaped: number[] = []
  const positions = positionsIn(sql)
  let text = ''
  let copied = 0
  for (const { prefix, parts } of plainStrings(sql)) {
    const plain = parts.map(({ start, end }) => sql.slice(start, end))
    if (!plain.some((part) => part.includes('\\'))) continue
    const [first] = parts
    if (first === undefined) continue
    const escapesOf = plain.flatMap((part) => [...part.matchAll(escapes)].map(([found]) => found))
    if (!allowsQuote && escapesOf.includes("\\'")) throw unsafeQuote(positions(first.start))
    escaped.push(positions(first.start))
    if (escapesOf.some((found) => /^\\[uUx0-7]/.test(found))) {
      text += `${sql.slice(copied, first.start - prefix.length)}${prefix === '' ? '' : 'nchar '}E`
      copied = first.start
      continue
    }
    for (const { start, end } of parts) {
      text += sql.slice(copied, start) + standardString(sql.slice(start, end))
      copied = end
    }
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

/** What may end the string, or is passed over: a pair of quotes is one within. */
const marks: Readonly<Record<string, RegExp>> = {
  "'": /\\[\s\S]|''|'/g,
  '"': /""|"/g,
  b: /'/g,
  x: /'/g,
}

/** Between two strings: the second one continues the first. */
const continuation = /(?:[ \t\f\v]|--[^\r\n]*)*[\r\n](?:[ \t\f\v\r\n]|--[^\r\n]*[\r\n])*'/y

interface Part {
  readonly start: number
  readonly end: number
}

interface PlainString {
  /** `N`, or nothing. */
  readonly prefix: string
  /** With their quotes; those after the first one begin on further lines. */
  readonly parts: readonly Part[]
}

/** @throws {GatewayError} 42601 for a string without an end: the parser, which knows no backslashes, may see one. */
function* plainStrings(sql: string): Generator<PlainString> {
  let end = 0
  for (;;) {
    beginning.lastIndex = end
    const groups = beginning.exec(sql)?.groups
    if (groups === undefined) return
    end = beginning.lastIndex
    const { comment, dollar, unicode, quote } = groups
    if (unicode !== undefined) throw unsafeUnicode(positionsIn(sql)(end - unicode.length))
    if (comment !== undefined) end = endOfComment(sql, end)
    if (dollar !== undefined) end = endOfDollars(sql, dollar, end)
    if (quote === undefined) continue
    const parts = partsOf(sql, quote, end)
    end = parts.at(-1)?.end ?? sql.length
    if (/^[Nn]?'/.test(quote)) yield { prefix: quote.slice(0, -1), parts }
  }
}

/** @param begin after the first quote */
function partsOf(sql: string, quote: string, begin: number): readonly Part[] {
  const mark = marks[quote.charAt(0).toLowerCase()] ?? /\\[\s\S]|''|'/g
  const parts: Part[] = []
  for (let next = begin; ; next = continuation.lastIndex) {
    const end = endOfString(sql, mark, next)
    if (end === undefined) throw unterminated(quote, positionsIn(sql)(begin - 1))
    parts.push({ start: next - 1, end })
    continuation.lastIndex = end
    if (quote === '"' || !continuation.test(sql)) return parts
  }
}

function endOfString(sql: string, mark: RegExp, start: number): number | undefined {
  mark.lastIndex = start
  let found = mark.exec(sql)?.[0]
  while (found !== undefined && found.length > 1) found = mark.exec(sql)?.[0]
  return found === undefined ? undefined : mark.lastIndex
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
  const standard = body.replaceAll(escapes, (found, character?: string) =>
    character === undefined ? found : (letters[character] ?? character),
  )
  return `'${standard}'${' '.repeat(body.length - standard.length)}`
}

/** Indexes, which must ascend → positions in characters, from 1. */
function positionsIn(sql: string): (index: number) => number {
  let known = 0
  let position = 1
  return (index) => {
    position += [...sql.slice(known, index)].length
    known = index
    return position
  }
}

function unsafeQuote(position: number): GatewayError {
  const message = "unsafe use of \\' in a string literal"
  return new GatewayError('badRequest', message, { sqlState: '22P06', position })
}

function unsafeUnicode(position: number): GatewayError {
  const message = 'unsafe use of string constant with Unicode escapes'
  return new GatewayError('unsupported', message, { sqlState: '0A000', position })
}

function unterminated(quote: string, position: number): GatewayError {
  const what = quote === '"' ? 'quoted identifier' : 'quoted string'
  return new GatewayError('badRequest', `unterminated ${what}`, { sqlState: '42601', position })
}
