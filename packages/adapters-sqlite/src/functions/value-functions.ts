/** @module Casts between texts and other values, and values as JSON. */
import { randomUUID } from 'node:crypto'
import { integerTypes, readBoolean, readBytes, readInteger, readUuid } from '@engine/core/values'
import { elementsOf } from './array-functions.ts'
import { decimalText, readDecimal } from './decimal/decimal.ts'
import { canonical, entriesOf, nodeOf } from './json/json-text.ts'
import { jsonbKey } from './json/jsonb-key.ts'
import { float4Text, float8Text, readFloat } from './numbers/float-text.ts'
import {
  booleanValue,
  bytesOf,
  countOf,
  integerOf,
  isTrue,
  nullable,
  numberOf,
  type ScalarFunctions,
  strict,
  textOf,
} from './register/scalar.ts'
import { sqlError } from './register/sql-error.ts'
import { accepted } from './register/udf.ts'

export const valueFunctions: ScalarFunctions = {
  bool_text: strict((value) => (isTrue(value) ? 'true' : 'false')),
  bool_of_text: strict((text) => booleanValue(accepted(readBoolean(textOf(text))) === true)),
  int_of_text: strict((text, bits) => readBits(textOf(text), countOf(bits))),
  float_text: strict((value) => float8Text(numberOf(value))),
  float4_text: strict((value) => float4Text(numberOf(value))),
  float_of_text: strict((text) => readFloat(textOf(text), false)),
  float4_of_text: strict((text) => readFloat(textOf(text), true)),
  float_json: strict((value) => floatJson(float8Text(numberOf(value)))),
  float4_json: strict((value) => floatJson(float4Text(numberOf(value)))),
  /** A number or its text, as `json_each` returns it. */
  float_of_json: strict((value) => (typeof value === 'string' ? Number(value) : numberOf(value))),
  dec_json: strict((text) => (/^-?\d/.test(textOf(text)) ? textOf(text) : `"${textOf(text)}"`)),
  uuid_of_text: strict((text) => String(accepted(readUuid(textOf(text))))),
  bytes_of_text: strict((text) => accepted(readBytes(textOf(text))) as Uint8Array),
  bytes_concat: strict((left, right) => Buffer.concat([bytesOf(left), bytesOf(right)])),
  /** From a position counted from 1. */
  bytes_part: strict((bytes, start, length) =>
    part(bytesOf(bytes), countOf(start), countOf(length)),
  ),
  /** The same up to the end. */
  bytes_from: strict((bytes, start) => part(bytesOf(bytes), countOf(start), undefined)),
  /** `\\xdead` */
  bytes_text: strict((bytes) => `\\x${hexOf(bytesOf(bytes))}`),
  bytes_json: strict((bytes) => `"\\\\x${hexOf(bytesOf(bytes))}"`),
  /** A string of hexadecimal digits. */
  bytes_element: strict((bytes) => `"${hexOf(bytesOf(bytes))}"`),
  jsonb_key: strict((text) => jsonbKey(textOf(text))),
  bpchar_pad: strict((text, length) => padded(textOf(text), countOf(length))),
  is_utf8: strict((name) => {
    if (/^utf-?8$/i.test(textOf(name))) return 1n
    throw sqlError('0A000', 'only the encoding UTF8 is supported')
  }),
  random_uuid: { arity: 0, isVolatile: true, call: () => randomUUID() },
  /** The key of a JSON object. */
  json_key: nullable((key = null) => {
    if (key === null) throw sqlError('22004', 'field name must not be null')
    return JSON.stringify(textOf(key))
  }, 1),
  jsonb_pretty: strict((text) => pretty(canonical(textOf(text)), '')),
  jsonb_to_bool: strict((text) => {
    const node = nodeOf(textOf(text))
    if (node.kind !== 'boolean') throw notCastable(node.kind, 'boolean')
    return booleanValue(node.text === 'true')
  }),
  jsonb_to_dec: strict((text) => {
    const node = nodeOf(canonical(textOf(text)))
    const value = node.kind === 'number' ? readDecimal(node.text) : undefined
    if (value === undefined) throw notCastable(node.kind, 'numeric')
    return decimalText(value)
  }),
  /** The value of a subquery that has `count` rows. */
  only_row: nullable((count = null, value = null) => {
    if (integerOf(count) > 1n) {
      throw sqlError('21000', 'more than one row returned by a subquery used as an expression')
    }
    return value
  }, 2),
  /** The number of proposed rows with the same key. */
  once_per_key: strict((count) => {
    if (integerOf(count) > 1n) {
      throw sqlError('21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time')
    }
    return count
  }),
  /** Concatenates texts; NULL if either is NULL. */
  text_concat: strict((left, right) => bounded(textOf(left) + textOf(right))),
  /** Concatenates the texts that are not NULL. */
  text_join: nullable(
    (...parts) => bounded(parts.map((part) => (part === null ? '' : textOf(part))).join('')),
    -1,
  ),
  /** The error for an aggregate's text that became too long. */
  too_long: nullable(() => {
    throw tooLong()
  }, 0),
  not_null: nullable((value = null) => {
    if (value === null) throw sqlError('23502', 'null value violates not-null constraint')
    return value
  }, 1),
  /** Text for a column that would convert it to a number. */
  text_store: strict((value) => {
    const text = textOf(value)
    if (/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) && !isPlainNumber(text)) {
      throw sqlError('22003', 'SQLite cannot store this text exactly in this column')
    }
    return text
  }),
  zoned: strict((text) => withZone(textOf(text))),
  unzoned: strict((text) => textOf(text).replace('+00', '')),
  is_finite: strict((text) => booleanValue(!textOf(text).endsWith('infinity'))),
  /** Two periods, each by its start and end, given in any order; some may be NULL. */
  periods_overlap: nullable(
    (...ends) => overlap(ends.map((end) => (end === null ? null : textOf(end)))),
    4,
  ),
  json_pairs: strict((array) => pairsText(elementsOf(textOf(array)))),
  json_zip: strict((keys, values) =>
    zippedText(elementsOf(textOf(keys)), elementsOf(textOf(values))),
  ),
  json_strip: strict((text) => stripped(textOf(text))),
  /** Bounds for a text that begins with a date, with any text and zone after it. */
  day_before: strict((text) => shiftedDay(textOf(text), -1)),
  day_after: strict((text) => shiftedDay(textOf(text), 2)),
}

/** Reads like the integer type with this number of bits. */
function readBits(text: string, bits: number): bigint {
  const type = integerTypes[bits === 16 ? 'int2' : bits === 32 ? 'int4' : 'int8']
  return BigInt(String(accepted(readInteger(text, type))))
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

function floatJson(text: string): string {
  return /^-?\d/.test(text) ? text : `"${text}"`
}

function part(bytes: Uint8Array, start: number, length: number | undefined): Uint8Array {
  if (length === undefined) return bytes.subarray(Math.max(0, start - 1))
  if (length < 0) throw sqlError('22011', 'negative substring length not allowed')
  const end = Math.max(0, start - 1 + length)
  return bytes.subarray(Math.max(0, start - 1), end)
}

/** Pads with blanks up to `length` characters, not UTF-16 units. */
function padded(text: string, length: number): string {
  let missing = length
  for (const _character of text) missing -= 1
  return missing > 0 ? text + ' '.repeat(missing) : text
}

function notCastable(kind: string, typeName: string): Error {
  return sqlError('22023', `cannot cast jsonb ${kind} to type ${typeName}`)
}

/** @see `overlaps_timestamp` in PostgreSQL's timestamp.c */
function overlap(ends: readonly (string | null)[]): bigint | null {
  const [first, second] = [period(ends[0], ends[1]), period(ends[2], ends[3])]
  if (first === undefined || second === undefined) return null
  const isFirstLater = first.start > second.start
  if (first.start === second.start) return first.end === null || second.end === null ? null : 1n
  const [earlier, later] = isFirstLater ? [second, first] : [first, second]
  if (earlier.end === null) return null
  if (later.start < earlier.end) return 1n
  return later.end === null ? null : 0n
}

function period(
  start: string | null | undefined,
  end: string | null | undefined,
): { readonly start: string; readonly end: string | null } | undefined {
  const [one, other] = [start ?? end ?? null, start === null ? null : (end ?? null)]
  if (one === null) return undefined
  return other !== null && one > other ? { start: other, end: one } : { start: one, end: other }
}

/** `{"a" : "1"}` from a list of texts: keys and values alternate. */
function pairsText(items: readonly string[]): string {
  if (items.length % 2 === 1) throw sqlError('2202E', 'array must have even number of elements')
  const [keys, values] = [0, 1].map((rest) => items.filter((_, index) => index % 2 === rest))
  return zippedText(keys ?? [], values ?? [])
}

function zippedText(keys: readonly string[], values: readonly string[]): string {
  if (keys.length !== values.length) throw sqlError('2202E', 'mismatched array dimensions')
  const members = keys.map((key, index) => {
    if (key === 'null') throw sqlError('22004', 'null value not allowed for object key')
    return `${key} : ${values[index] ?? 'null'}`
  })
  return `{${members.join(', ')}}`
}

/** Objects without members that are null, without blanks. */
function stripped(text: string): string {
  const node = nodeOf(text)
  if (node.kind === 'array') return `[${node.items.map(stripped).join(',')}]`
  if (node.kind !== 'object') return node.text
  const kept = entriesOf(text).filter(([, value]) => nodeOf(value).kind !== 'null')
  return `{${kept.map(([key, value]) => `${JSON.stringify(key)}:${stripped(value)}`).join(',')}}`
}

/** Indented with four blanks for each level, as in PostgreSQL. */
function pretty(text: string, indent: string): string {
  const node = nodeOf(text)
  const inner = `${indent}    `
  if (node.kind === 'array') {
    if (node.items.length === 0) return `[\n${indent}]`
    const items = node.items.map((item) => inner + pretty(item, inner))
    return `[\n${items.join(',\n')}\n${indent}]`
  }
  if (node.kind !== 'object') return node.text
  if (node.members.size === 0) return `{\n${indent}}`
  const members = [...node.members].map(
    ([key, value]) => `${inner}${JSON.stringify(key)}: ${pretty(value, inner)}`,
  )
  return `{\n${members.join(',\n')}\n${indent}}`
}

/** The most characters in one value: a longer one could exhaust the memory of the process. */
const mostCharacters = 10_000_000

function bounded(text: string): string {
  if (text.length > mostCharacters) throw tooLong()
  return text
}

function tooLong(): Error {
  return sqlError('54000', 'the result is too long')
}

/** Would SQLite write the number in the same way? */
function isPlainNumber(text: string): boolean {
  if (/^-?\d+$/.test(text)) return BigInt.asIntN(64, BigInt(text)).toString() === text
  return /^-?\d+\.\d+$/.test(text) && text.length < 16 && String(Number(text)) === text
}

function withZone(text: string): string {
  if (text.endsWith('infinity')) return text
  return text.endsWith(' BC') ? `${text.slice(0, -3)}+00 BC` : `${text}+00`
}

function shiftedDay(text: string, days: number): string {
  const date = /^\d{4}-\d{2}-\d{2}/.exec(text)
  if (date === null) return text
  const shifted = new Date(Date.parse(date[0]) + days * 86_400_000).toISOString()
  // After the year 9999 the text begins with a plus sign; a colon sorts after every digit.
  return shifted.startsWith('+') ? ':' : shifted.slice(0, 10)
}
