/**
 * @module Converts stored values to JSON, by the type of the column for clients. Some databases store values of any type in any
 * column: a value that is not of the column's type keeps its own form, for example a text as a JSON string, and the JSON around
 * it is always valid.
 */
import { decimalTextOfNumber } from '../sql-types/input/decimal-input.ts'
import { elementsOf, elementValue, isArray, isJson } from './array-elements.ts'
import { dateText, timestampText, timestamptzText, timeText } from './canonical-time.ts'
import type { CellKind } from './cell-kind.ts'
import type { StoredValue } from './stored-value.ts'

/** JSON text of one value that is not NULL. */
export type CellEncoder = (value: NonNullable<StoredValue>) => string

/** The function that writes a stored value as JSON. */
export function cellEncoder(cell: CellKind): CellEncoder {
  switch (cell.kind) {
    case 'boolean':
      return booleanJson
    case 'integer':
      return storedJson
    case 'bigint':
      return (value) => (typeof value === 'bigint' ? `"${value}"` : quotedJson(value))
    case 'float4':
      return (value) => floatJson(value, float4Text)
    case 'float8':
      return (value) => floatJson(value, float8Text)
    case 'decimal':
      return (value) => decimalJson(value, cell.scale)
    case 'bytes':
      return bytesJson
    case 'json':
    case 'jsonb':
      return documentJson
    case 'array':
      return arrayEncoder(cell.element)
    case 'padded':
      return textEncoder((text) => padded(text, cell.length))
    case 'text':
      return quotedJson
    case 'uuid':
      return textEncoder((text) => text.toLowerCase())
    case 'date':
      return textEncoder(dateText)
    case 'time':
      return textEncoder(timeText)
    case 'timestamp':
      return textEncoder(timestampText)
    case 'timestamptz':
      return textEncoder(timestamptzText)
  }
}

/** A value in its own form: a number if every client can read it exactly, any other value as a string. */
function storedJson(value: NonNullable<StoredValue>): string {
  if (typeof value === 'bigint') {
    return -safe <= value && value <= safe ? value.toString() : `"${value}"`
  }
  if (typeof value === 'number') return float8Text(value)
  return quotedJson(value)
}

const safe = BigInt(Number.MAX_SAFE_INTEGER)

function quotedJson(value: NonNullable<StoredValue>): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `"${value}"`
  if (typeof value === 'number') return `"${String(value)}"`
  return bytesJson(value)
}

function booleanJson(value: NonNullable<StoredValue>): string {
  if (typeof value === 'bigint') return value === 0n ? 'false' : 'true'
  return typeof value === 'number' ? String(value !== 0) : quotedJson(value)
}

function floatJson(value: NonNullable<StoredValue>, textOf: (value: number) => string): string {
  if (typeof value === 'number') return textOf(value)
  return typeof value === 'bigint' ? textOf(Number(value)) : quotedJson(value)
}

/** JSON cannot express NaN and the infinities. */
function float8Text(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`
  return Object.is(value, -0) ? '-0' : String(value)
}

/** The shortest text that reads back as the same float4. */
function float4Text(value: number): string {
  const single = Math.fround(value)
  for (let digits = 6; digits < 9; digits += 1) {
    const shorter = Number(single.toPrecision(digits))
    if (Math.fround(shorter) === single) return float8Text(shorter)
  }
  return float8Text(Number.isFinite(single) ? Number(single.toPrecision(9)) : single)
}

function decimalJson(value: NonNullable<StoredValue>, scale: number | undefined): string {
  if (typeof value === 'string' || value instanceof Uint8Array) return quotedJson(value)
  return `"${decimalText(value, scale)}"`
}

/** A number as a numeric with this scale: `12.50`. */
export function decimalText(value: bigint | number, scale: number | undefined): string {
  if (typeof value === 'number') {
    return withZeros(value, scale) ?? decimalTextOfNumber(value, scale)
  }
  return scale === undefined || scale <= 0 ? String(value) : `${value}.${'0'.repeat(scale)}`
}

/** The fast path for a number with no more digits than the column: 12.5 is 12.50. */
function withZeros(value: number, scale: number | undefined): string | undefined {
  const size = Math.abs(value)
  // Other numbers, and NaN, have no digits alone: 1e+21, 1e-7.
  const isPlain = size === 0 || (size >= 1e-6 && size < 1e21)
  if (scale === undefined || !isPlain) return undefined
  const text = String(value)
  const point = text.indexOf('.')
  if (point < 0) return scale > 0 ? `${text}.${'0'.repeat(scale)}` : text
  const missing = scale - (text.length - point - 1)
  return missing < 0 ? undefined : text + '0'.repeat(missing)
}

function bytesJson(value: NonNullable<StoredValue>): string {
  const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value))
  return `"\\\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}"`
}

/** A document is copied unchanged, so that no digit is lost; only valid JSON is copied. */
function documentJson(value: NonNullable<StoredValue>): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'string') return storedJson(value)
  return isJson(value) ? value : JSON.stringify(value)
}

function textEncoder(canonical: (text: string) => string): CellEncoder {
  return (value) =>
    typeof value === 'string' ? JSON.stringify(canonical(value)) : quotedJson(value)
}

/** Pads with blanks up to `length` characters, not UTF-16 units. */
export function padded(text: string, length: number): string {
  if (text.length >= length * 2) return text
  let missing = length
  for (const _character of text) missing -= 1
  return missing > 0 ? text + ' '.repeat(missing) : text
}

/** A JSON array whose elements are stored values, or already in their final form. */
function arrayEncoder(element: CellKind): CellEncoder {
  const encode = cellEncoder(element)
  const encodeArray = (text: string): string => `[${elementsOf(text).map(encodeElement).join(',')}]`
  const encodeElement = (text: string): string => {
    if (element.kind === 'json' || element.kind === 'jsonb' || text === 'null') return text
    if (text.startsWith('[')) return encodeArray(text)
    return encode(elementValue(text, element))
  }
  return (value) =>
    typeof value === 'string' && isArray(value) ? encodeArray(value) : quotedJson(value)
}
