/** @module PostgreSQL's string functions. Positions count code points, from 1. */
import { createHash } from 'node:crypto'
import { readBytes } from '@engine/core/values'
import { sqlError } from '../register/sql-error.ts'
import {
  accepted,
  bytesOf,
  countOf,
  integerOf,
  nullable,
  strict,
  strictAny,
  textOf,
  truth,
  type UdfDefinition,
  type UdfValue,
} from '../register/udf.ts'
import { lowerCase, upperCase } from './letter-case.ts'

/** The longest text that a function returns, in characters: a longer one is an attack on memory. */
const maxLength = 10_000_000

function checkLength(length: number): void {
  if (length > maxLength) throw sqlError('54000', 'the result is too long')
}

function points(text: string): readonly string[] {
  return Array.from(text)
}

/** Without surrogates: code units are code points, and slicing is cheap. */
function isSimple(text: string): boolean {
  return !/[\ud800-\udfff]/.test(text)
}

function lengthOf(text: string): number {
  return isSimple(text) ? text.length : points(text).length
}

function slice(text: string, start: number, end?: number): string {
  return isSimple(text) ? text.slice(start, end) : points(text).slice(start, end).join('')
}

function substring(text: string, start: number, count: number | undefined): string {
  if (count !== undefined && count < 0) {
    throw sqlError('22011', 'negative substring length not allowed')
  }
  const first = Math.max(start - 1, 0)
  const last = count === undefined ? undefined : Math.max(start - 1 + count, 0)
  return last !== undefined && last <= first ? '' : slice(text, first, last)
}

function left(text: string, count: number): string {
  return count >= 0 ? slice(text, 0, count) : slice(text, 0, Math.max(lengthOf(text) + count, 0))
}

function right(text: string, count: number): string {
  const length = lengthOf(text)
  return slice(text, count >= 0 ? Math.max(length - count, 0) : Math.min(-count, length))
}

function pad(text: string, length: number, fill: string, side: 'left' | 'right'): string {
  const width = Math.max(length, 0)
  checkLength(width)
  const own = lengthOf(text)
  if (own >= width) return slice(text, 0, width)
  const units = points(fill)
  if (units.length === 0) return text
  const padding = Array.from({ length: width - own }, (_, i) => units[i % units.length]).join('')
  return side === 'left' ? padding + text : text + padding
}

function splitPart(text: string, delimiter: string, field: number): string {
  if (field === 0) throw sqlError('22023', 'field position must not be zero')
  const parts = delimiter === '' ? [text] : text.split(delimiter)
  return parts.at(field > 0 ? field - 1 : field) ?? ''
}

function translate(text: string, from: string, to: string): string {
  const targets = points(to)
  const map = new Map<string, string>()
  for (const [i, character] of points(from).entries()) {
    if (!map.has(character)) map.set(character, targets[i] ?? '')
  }
  return points(text)
    .map((character) => map.get(character) ?? character)
    .join('')
}

/** The first letter of every run of letters and digits in upper case, the others in lower case. */
function initcap(text: string): string {
  let isInside = false
  return points(text)
    .map((character) => {
      const shown = isInside ? lowerCase(character) : upperCase(character)
      isInside = /[\p{Alphabetic}\p{Nd}]/u.test(character)
      return shown
    })
    .join('')
}

function overlay(text: string, part: string, start: number, count: number): string {
  if (start <= 0) throw sqlError('22011', 'negative substring length not allowed')
  if (start + count > 2_147_483_647) throw sqlError('22003', 'integer out of range')
  return substring(text, 1, start - 1) + part + substring(text, start + count, undefined)
}

function chr(code: number): string {
  if (code === 0) throw sqlError('54000', 'null character not permitted')
  if (code < 0 || code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff)) {
    throw sqlError('54000', 'requested character not valid for encoding')
  }
  return String.fromCodePoint(code)
}

/** `%s`, `%I`, `%L` and `%%`, with `%n$s` positions; no widths. */
function format(template: string, args: readonly UdfValue[]): string {
  let next = 0
  return template.replace(
    /%(?:%|(?:(\d+)\$)?(.)|$)/gsu,
    (match, position: string | undefined, conversion: string | undefined) => {
      if (match === '%%') return '%'
      if (conversion === undefined || !'sIL'.includes(conversion)) {
        throw sqlError(
          /[-*\d]/.test(conversion ?? '') ? '0A000' : '22023',
          'unrecognized format() type specifier',
        )
      }
      const index = position === undefined ? next : Number(position) - 1
      next = index + 1
      if (index < 0 || index >= args.length)
        throw sqlError('22023', 'too few arguments for format()')
      return spell(args[index] ?? null, conversion)
    },
  )
}

function spell(value: UdfValue, conversion: string): string {
  if (conversion === 'L') return value === null ? 'NULL' : quoteLiteral(textOf(value))
  if (conversion === 's') return value === null ? '' : textOf(value)
  if (value === null)
    throw sqlError('22004', 'null values cannot be formatted as an SQL identifier')
  return quoteIdentifier(textOf(value))
}

function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`
  return text.includes('\\') ? ` E${quoted}` : quoted
}

/** Which words need quotes depends on PostgreSQL's list of keywords: only certain cases are supported. */
function quoteIdentifier(text: string): string {
  if (/^[a-z_][a-z0-9_$]*$/.test(text)) {
    throw sqlError('0A000', 'whether this identifier is a keyword is not known on this connection')
  }
  return `"${text.replaceAll('"', '""')}"`
}

const encodings = ['hex', 'base64', 'escape'] as const

function encode(bytes: Uint8Array, name: string): string {
  switch (encodings.find((encoding) => encoding === name.toLowerCase())) {
    case 'hex':
      return Buffer.from(bytes).toString('hex')
    case 'base64':
      // PostgreSQL breaks lines after 76 characters.
      return (
        Buffer.from(bytes)
          .toString('base64')
          .match(/.{1,76}/g) ?? []
      ).join('\n')
    case 'escape':
      return Array.from(bytes, escapeByte).join('')
    default:
      throw sqlError('22023', 'unrecognized encoding')
  }
}

function escapeByte(byte: number): string {
  if (byte === 0 || byte > 127) return `\\${byte.toString(8).padStart(3, '0')}`
  return byte === 92 ? '\\\\' : String.fromCharCode(byte)
}

function decode(text: string, name: string): Uint8Array {
  switch (encodings.find((encoding) => encoding === name.toLowerCase())) {
    case 'hex':
      return accepted(readBytes(`\\x${text}`)) as Uint8Array
    case 'base64': {
      const digits = text.replace(/[ \n\t\r]/g, '')
      if (!/^([a-z0-9+/]{4})*([a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?$/i.test(digits)) {
        throw sqlError('22023', 'invalid base64 data')
      }
      return Buffer.from(digits, 'base64')
    }
    case 'escape':
      throw sqlError('0A000', 'decode(…, escape) is not supported on this connection')
    default:
      throw sqlError('22023', 'unrecognized encoding')
  }
}

function hash(algorithm: string, value: UdfValue | undefined): Buffer {
  const data = value instanceof Uint8Array ? value : textOf(value)
  return createHash(algorithm).update(data).digest()
}

function hexOf(value: bigint, bits: bigint): string {
  return (value < 0n ? value + (1n << bits) : value).toString(16)
}

function concatenate(values: readonly UdfValue[], separator: string): string {
  const parts = values.filter((value) => value !== null).map((value) => textOf(value))
  checkLength(parts.reduce((sum, part) => sum + part.length, 0))
  return parts.join(separator)
}

function cut(text: string, length: number): string {
  return lengthOf(text) <= length ? text : slice(text, 0, length)
}

/** Assignment to varchar(n): too long is an error, unless only blanks are lost. */
function checkedCut(text: string, length: number): string {
  if (lengthOf(text) <= length) return text
  const kept = slice(text, 0, length)
  if (/[^ ]/.test(text.slice(kept.length))) {
    throw sqlError('22001', `value too long for type character varying(${length})`)
  }
  return kept
}

export const textFunctions: readonly UdfDefinition[] = [
  strict('pg_lower', 1, (text) => lowerCase(textOf(text))),
  strict('pg_upper', 1, (text) => upperCase(textOf(text))),
  strict('pg_initcap', 1, (text) => initcap(textOf(text))),
  strictAny('pg_substring', (text, start, count) =>
    substring(textOf(text), countOf(start), count === undefined ? undefined : countOf(count)),
  ),
  strict('pg_left', 2, (text, count) => left(textOf(text), countOf(count))),
  strict('pg_right', 2, (text, count) => right(textOf(text), countOf(count))),
  strictAny('pg_lpad', (text, length, fill) =>
    pad(textOf(text), countOf(length), fill === undefined ? ' ' : textOf(fill), 'left'),
  ),
  strictAny('pg_rpad', (text, length, fill) =>
    pad(textOf(text), countOf(length), fill === undefined ? ' ' : textOf(fill), 'right'),
  ),
  strict('pg_repeat', 2, (text, count) => {
    const times = Math.max(countOf(count), 0)
    checkLength(textOf(text).length * times)
    return textOf(text).repeat(times)
  }),
  strict('pg_reverse', 1, (text) => points(textOf(text)).toReversed().join('')),
  strict('pg_split_part', 3, (text, delimiter, field) =>
    splitPart(textOf(text), textOf(delimiter), countOf(field)),
  ),
  strict('pg_translate', 3, (text, from, to) => translate(textOf(text), textOf(from), textOf(to))),
  strict('pg_md5', 1, (value) => hash('md5', value).toString('hex')),
  strict('pg_sha224', 1, (value) => hash('sha224', value)),
  strict('pg_sha256', 1, (value) => hash('sha256', value)),
  strict('pg_sha384', 1, (value) => hash('sha384', value)),
  strict('pg_sha512', 1, (value) => hash('sha512', value)),
  strict('pg_to_hex', 2, (value, bits) => hexOf(integerOf(value), integerOf(bits))),
  strict('pg_ascii', 1, (text) => BigInt(textOf(text).codePointAt(0) ?? 0)),
  strict('pg_chr', 1, (code) => chr(countOf(code))),
  strict('pg_replace', 3, (text, from, to) => {
    if (textOf(from) === '') return textOf(text)
    const parts = textOf(text).split(textOf(from))
    const gain = textOf(to).length - textOf(from).length
    checkLength(textOf(text).length + (parts.length - 1) * gain)
    return parts.join(textOf(to))
  }),
  strict('pg_starts_with', 2, (text, start) => truth(textOf(text).startsWith(textOf(start)))),
  strictAny('pg_overlay', (text, part, start, count) =>
    overlay(
      textOf(text),
      textOf(part),
      countOf(start),
      count === undefined ? lengthOf(textOf(part)) : countOf(count),
    ),
  ),
  nullable('pg_concat_ws', (separator, ...values) =>
    separator === null ? null : concatenate(values, textOf(separator)),
  ),
  nullable('pg_format', (template, ...values) =>
    template === null ? null : format(textOf(template), values),
  ),
  strict('pg_quote_ident', 1, (text) => quoteIdentifier(textOf(text))),
  strict('pg_quote_literal', 1, (text) => quoteLiteral(textOf(text)).trimStart()),
  strict('pg_encode', 2, (bytes, name) => encode(bytesOf(bytes), textOf(name))),
  strict('pg_decode', 2, (text, name) => decode(textOf(text), textOf(name))),
  strict('pg_varchar_cut', 2, (text, length) => cut(textOf(text), countOf(length))),
  strict('pg_varchar_check', 2, (text, length) => checkedCut(textOf(text), countOf(length))),
]
