/** @module json and jsonb. */
import { noTypmod } from '../typmod.ts'
import { readDecimal } from './decimal-input.ts'
import { accept, fail, type InputFailure, type InputResult } from './input-value.ts'
import { jsonbArray, jsonbObject, jsonbString } from './jsonb-text.ts'

/** Deeper JSON is refused; PostgreSQL's own limit depends on the size of its stack. */
const maxDepth = 500

/**
 * Checks JSON text. json keeps it unchanged; jsonb gets PostgreSQL's spelling: keys sorted, the
 * last of equal keys kept, a blank after `:` and `,`, numbers as numeric prints them.
 *
 * @param hasExponents see `readDecimal`.
 */
export function readJson(text: string, type: 'json' | 'jsonb', hasExponents = false): InputResult {
  const isBinary = type === 'jsonb'
  const scanner: Scanner = { text, position: 0, isBinary, hasExponents, failure: undefined }
  const canonical = scanValue(scanner, 0)
  if (canonical === undefined) return scanner.failure ?? syntaxFailure
  if (scanner.position < text.length) return syntaxFailure
  return accept(scanner.isBinary ? canonical : text)
}

const syntaxFailure = fail('22P02', 'invalid input syntax for type json')

/** A position in the text. The scan functions move it, and return undefined on a fault. */
interface Scanner {
  readonly text: string
  position: number
  readonly isBinary: boolean
  readonly hasExponents: boolean
  /** A fault other than bad syntax. */
  failure: InputFailure | undefined
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const wordPattern = /true|false|null/y
const blankPattern = /[ \t\n\r]*/y

/** One value and the blanks around it, as jsonb would print it. */
function scanValue(scanner: Scanner, depth: number): string | undefined {
  if (depth > maxDepth) {
    scanner.failure = fail('54001', `JSON is nested deeper than ${maxDepth} levels`)
    return undefined
  }
  match(scanner, blankPattern)
  const value = scanOne(scanner, depth)
  match(scanner, blankPattern)
  return value
}

function scanOne(scanner: Scanner, depth: number): string | undefined {
  switch (scanner.text[scanner.position]) {
    case '{':
      return scanObject(scanner, depth)
    case '[':
      return scanArray(scanner, depth)
    case '"':
      return scanString(scanner)
    default:
      return match(scanner, wordPattern) ?? scanNumber(scanner)
  }
}

function scanObject(scanner: Scanner, depth: number): string | undefined {
  scanner.position += 1
  match(scanner, blankPattern)
  const members = new Map<string, string>()
  if (skip(scanner, '}')) return jsonbObject(members)
  do {
    match(scanner, blankPattern)
    const key = scanKey(scanner)
    match(scanner, blankPattern)
    if (key === undefined || !skip(scanner, ':')) return undefined
    const value = scanValue(scanner, depth + 1)
    if (value === undefined) return undefined
    members.set(key, value)
  } while (skip(scanner, ','))
  return skip(scanner, '}') ? jsonbObject(members) : undefined
}

function scanArray(scanner: Scanner, depth: number): string | undefined {
  scanner.position += 1
  match(scanner, blankPattern)
  const items: string[] = []
  if (skip(scanner, ']')) return jsonbArray(items)
  do {
    const item = scanValue(scanner, depth + 1)
    if (item === undefined) return undefined
    items.push(item)
  } while (skip(scanner, ','))
  return skip(scanner, ']') ? jsonbArray(items) : undefined
}

function scanKey(scanner: Scanner): string | undefined {
  const quoted = scanQuoted(scanner)
  return quoted === undefined ? undefined : decodeString(scanner, quoted)
}

function scanString(scanner: Scanner): string | undefined {
  const text = scanKey(scanner)
  return text === undefined ? undefined : jsonbString(text)
}

/** A string with its quotes and escapes. A loop, because a pattern would recurse on long strings. */
function scanQuoted(scanner: Scanner): string | undefined {
  const start = scanner.position
  if (!skip(scanner, '"')) return undefined
  for (;;) {
    const code = scanner.text.charCodeAt(scanner.position)
    if (code === quote) {
      scanner.position += 1
      return scanner.text.slice(start, scanner.position)
    }
    if (code === backslash) {
      if (match(scanner, escapePattern) === undefined) return undefined
    } else if (code >= firstPrintable) {
      scanner.position += 1
    } else {
      return undefined // a control character, or NaN at the end of the text
    }
  }
}

const quote = 0x22
const backslash = 0x5c
const firstPrintable = 0x20

/** jsonb stores text, so it refuses NUL and half of a surrogate pair; json does not check this. */
function decodeString(scanner: Scanner, quoted: string): string | undefined {
  const text: unknown = JSON.parse(quoted)
  if (typeof text !== 'string') return undefined
  if (!scanner.isBinary || !quoted.includes('\\u')) return text
  if (text.includes('\0')) {
    scanner.failure = fail('22P05', 'unsupported Unicode escape sequence: \\u0000')
    return undefined
  }
  return text.isWellFormed() ? text : undefined
}

function scanNumber(scanner: Scanner): string | undefined {
  const text = match(scanner, numberPattern)
  if (text === undefined || !scanner.isBinary) return text
  const number = readDecimal(text, noTypmod, scanner.hasExponents)
  if (number.ok) return String(number.value)
  scanner.failure = number
  return undefined
}

/** The match of the sticky pattern here; undefined, without moving, when it does not match. */
function match(scanner: Scanner, pattern: RegExp): string | undefined {
  pattern.lastIndex = scanner.position
  const found = pattern.exec(scanner.text)?.[0]
  if (found !== undefined) scanner.position += found.length
  return found
}

function skip(scanner: Scanner, character: string): boolean {
  if (scanner.text[scanner.position] !== character) return false
  scanner.position += 1
  return true
}
