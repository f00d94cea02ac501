/** @module One line of COPY data → its fields. */
import type { CopyOptions } from '../session/statements/client-statement.ts'
import { classEscape } from './class-escape.ts'
import { findInvalidEncoding } from './text-reader.ts'

/** Null for SQL's NULL. @throws the errors that `FieldFailures` creates */
export type ReadFields = (line: string) => readonly (string | null)[]

/** Creates the errors. */
export interface FieldFailures {
  /** 22P04. */
  readonly format: (message: string) => Error
  /** 22021. */
  readonly encoding: (message: string) => Error
}

export function readFieldsOf(copy: CopyOptions, fail: FieldFailures): ReadFields {
  return copy.format === 'csv' ? csvFields(copy, fail) : textFields(copy, fail)
}

function textFields({ delimiter, nullText }: CopyOptions, fail: FieldFailures): ReadFields {
  const value = (raw: string) =>
    raw === nullText ? null : raw.includes('\\') ? unescapeText(raw, fail) : raw
  return (line) => {
    const rough = line.split(delimiter)
    return (line.includes('\\') ? joinEscaped(rough, delimiter) : rough).map(value)
  }
}

/** A delimiter after a backslash is part of the value: a piece that ends in an odd number of backslashes continues. */
function joinEscaped(pieces: readonly string[], delimiter: string): readonly string[] {
  const fields: string[] = []
  let open: string[] = []
  for (const [index, piece] of pieces.entries()) {
    open.push(piece)
    if (endsEscaping(piece) && index + 1 < pieces.length) continue
    fields.push(open.join(delimiter))
    open = []
  }
  return fields
}

function endsEscaping(text: string): boolean {
  let backslashes = 0
  while (text.charAt(text.length - 1 - backslashes) === '\\') backslashes += 1
  return backslashes % 2 === 1
}

const letters: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

function unescapeText(raw: string, fail: FieldFailures): string {
  if (/\\[0-7x]/.test(raw)) return unescapeBytes(raw, fail)
  return raw.replaceAll(/\\([\s\S]?)/gu, (_, character: string) => letters[character] ?? character)
}

const backslash = 0x5c
const utf8 = new TextEncoder()

/** Octal and hexadecimal escapes are bytes: several of them may be one character. */
function unescapeBytes(raw: string, fail: FieldFailures): string {
  const source = utf8.encode(raw)
  const bytes = new Uint8Array(source.length)
  let size = 0
  let at = 0
  while (at < source.length) {
    const byte = source[at] ?? 0
    at += 1
    if (byte !== backslash) bytes[size++] = byte
    else if (at < source.length) {
      const [value, length] = escapedByte(source, at)
      bytes[size++] = value
      at += length
    }
  }
  const text = bytes.subarray(0, size)
  const problem = findInvalidEncoding(text)
  if (problem !== undefined) throw fail.encoding(problem.message)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(text)
}

/** Reads the escape sequence after a backslash: its value, and how many bytes it has. */
function escapedByte(source: Uint8Array, at: number): readonly [value: number, length: number] {
  const ascii = String.fromCharCode(...source.subarray(at, at + 3))
  const octal = /^[0-7]+/.exec(ascii)?.[0]
  if (octal !== undefined) return [Number.parseInt(octal, 8) & 0xff, octal.length]
  const hex = /^x([0-9a-fA-F]{1,2})/.exec(ascii)
  if (hex !== null) return [Number.parseInt(hex[1] ?? '', 16), hex[0].length]
  const letter = letters[ascii.charAt(0)]
  return [letter === undefined ? (source[at] ?? 0) : letter.charCodeAt(0), 1]
}

/** As PostgreSQL reads them: quotes may begin and end in the middle of a value. */
function csvFields(
  { delimiter, quote, nullText, escape: escapeCharacter }: CopyOptions,
  fail: FieldFailures,
): ReadFields {
  const plain = new RegExp(`[^${classEscape(delimiter)}${classEscape(quote)}]*`, 'y')
  const quoted = new RegExp(`[^${classEscape(quote)}${classEscape(escapeCharacter)}]*`, 'y')
  return (line) => {
    if (!line.includes(quote)) {
      return line.split(delimiter).map((raw) => (raw === nullText ? null : raw))
    }
    const fields: (string | null)[] = []
    let at = 0
    const run = (pattern: RegExp) => {
      pattern.lastIndex = at
      const text = pattern.exec(line)?.[0] ?? ''
      at += text.length
      return text
    }
    const readQuoted = () => {
      let value = ''
      for (;;) {
        value += run(quoted)
        const character = line.charAt(at)
        if (character === '') throw fail.format('unterminated CSV quoted field')
        at += 1
        const next = line.charAt(at)
        if (
          character === escapeCharacter &&
          next !== '' &&
          (next === escapeCharacter || next === quote)
        ) {
          value += next
          at += 1
        } else if (character === quote) return value
        else value += character
      }
    }
    for (;;) {
      let value = run(plain)
      let isQuoted = false
      while (line.charAt(at) === quote) {
        at += 1
        isQuoted = true
        value += readQuoted() + run(plain)
      }
      fields.push(!isQuoted && value === nullText ? null : value)
      if (at >= line.length) return fields
      at += 1
    }
  }
}
