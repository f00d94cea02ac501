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

/** A value that is not NULL as a value of which `JSON.stringify` makes its JSON text. */
export type CellValue = (value: NonNullable<StoredValue>) => JsonValue
type JsonValue = string | number | boolean | RawJson

/** Numbers that JavaScript writes in another way. */
interface RawJson {
  readonly rawJSON: string
}

/** The function that writes a stored value as JSON. */
export function cellEncoder(cell: CellKind): CellEncoder {
  const toValue = cellValue(cell)
  if (toValue !== undefined) return (value) => jsonOf(toValue(value))
  return cell.kind === 'array' ? arrayEncoder(cell.element) : documentJson
}

/** The same without the text; undefined for documents and arrays, which are copied as text. */
export function cellValue(cell: CellKind): CellValue | undefined {
  switch (cell.kind) {
    case 'json':
    case 'jsonb':
    case 'array':
      return undefined
    case 'boolean':
      return booleanValue
    case 'integer':
      return storedValue
    case 'bigint':
    case 'text':
      return textValue
    case 'float4':
      return (value) => floatValue(value, float4Number)
    case 'float8':
      return (value) => floatValue(value, (number) => number)
    case 'decimal':
      return (value) =>
        typeof value === 'string' || value instanceof Uint8Array
          ? textValue(value)
          : decimalText(value, cell.scale)
    case 'bytes':
      return bytesText
    case 'padded':
      return canonical((text) => padded(text, cell.length))
    case 'uuid':
      return canonical((text) => text.toLowerCase())
    case 'date':
      return canonical(dateText)
    case 'time':
      return canonical(timeText)
    case 'timestamp':
      return canonical(timestampText)
    case 'timestamptz':
      return canonical(timestamptzText)
  }
}

function jsonOf(value: JsonValue): string {
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}

/** A value in its own form: a number if every client can read it exactly, any other value as a string. */
function storedValue(value: NonNullable<StoredValue>): JsonValue {
  if (typeof value === 'bigint') {
    return -safe <= value && value <= safe ? Number(value) : String(value)
  }
  return typeof value === 'number' ? float8Value(value) : textValue(value)
}

const safe = BigInt(Number.MAX_SAFE_INTEGER)

function textValue(value: NonNullable<StoredValue>): string {
  if (typeof value === 'string') return value
  return value instanceof Uint8Array ? bytesText(value) : String(value)
}

function booleanValue(value: NonNullable<StoredValue>): JsonValue {
  if (typeof value === 'bigint') return value !== 0n
  return typeof value === 'number' ? value !== 0 : textValue(value)
}

function floatValue(
  value: NonNullable<StoredValue>,
  rounded: (value: number) => number,
): JsonValue {
  if (typeof value === 'number') return float8Value(rounded(value))
  return typeof value === 'bigint' ? float8Value(rounded(Number(value))) : textValue(value)
}

/** JSON cannot express NaN and the infinities; JavaScript writes -0 as 0. */
function float8Value(value: number): JsonValue {
  if (!Number.isFinite(value)) return String(value)
  return Object.is(value, -0) ? minusZero : value
}

const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => RawJson }
const minusZero = rawJSON('-0')

/** The number with the shortest text that reads back as the same float4. */
function float4Number(value: number): number {
  const single = Math.fround(value)
  // The digits of -0 have no sign.
  if (single === 0) return single
  for (let digits = 6; digits < 9; digits += 1) {
    const shorter = Number(single.toPrecision(digits))
    if (Math.fround(shorter) === single) return shorter
  }
  return Number.isFinite(single) ? Number(single.toPrecision(9)) : single
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
  if (scale === undefined || scale < 0 || scale > mostFastDigits) return undefined
  const unit = 10 ** scale
  const size = Math.abs(value)
  const units = Math.round(size * unit)
  // A double with at most 15 digits is the one that is nearest to them. Not so for NaN and the infinities.
  if (units / unit !== size || units > mostFastUnits) return undefined
  const whole = Math.floor(units / unit)
  const sign = value < 0 ? '-' : ''
  return scale === 0 ? sign + whole : `${sign}${whole}.${fractionText(units - whole * unit, scale)}`
}

/** Digits after the point, and in all, that the fast path writes. */
const mostFastDigits = 8
const mostFastUnits = 1e15

/** `05` of 5 hundredths. Those of two digits, as prices have them, are made once. */
function fractionText(units: number, scale: number): string {
  if (scale === 2) return hundredths[units] ?? ''
  return String(units).padStart(scale, '0')
}

const hundredths = Array.from({ length: 100 }, (_, units) => String(units).padStart(2, '0'))

function bytesText(value: NonNullable<StoredValue>): string {
  const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value))
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
}

/** A document is copied unchanged, so that no digit is lost; only valid JSON is copied. */
function documentJson(value: NonNullable<StoredValue>): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'string') return jsonOf(storedValue(value))
  return isJson(value) ? value : JSON.stringify(value)
}

function canonical(of: (text: string) => string): CellValue {
  return (value) => (typeof value === 'string' ? of(value) : textValue(value))
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
    typeof value === 'string' && isArray(value)
      ? encodeArray(value)
      : JSON.stringify(textValue(value))
}
