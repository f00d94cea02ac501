/**
 * @module Converts stored values to PostgreSQL's text format, by the type of the column for clients. Readers of that text rely on
 * the type: a value that is not of the column's type has no text.
 */

import { unreachable } from '../../foundation/unreachable.ts'
import { quotedElement } from '../sql-types/input/array-text.ts'
import { bytesText } from '../sql-types/input/bytes-input.ts'
import { readDateTime } from '../sql-types/input/date-input.ts'
import { readDecimal } from '../sql-types/input/decimal-input.ts'
import { floatTypes, readFloat } from '../sql-types/input/float-input.ts'
import { floatText } from '../sql-types/input/float-text.ts'
import type { InputResult } from '../sql-types/input/input-value.ts'
import { readJson } from '../sql-types/input/json-input.ts'
import { readUuid } from '../sql-types/input/uuid-input.ts'
import { oids } from '../sql-types/oids.ts'
import { noTypmod } from '../sql-types/typmod.ts'
import { elementsOf, elementValue, isArray, isJson } from './array-elements.ts'
import { dateText, timestampText, timestamptzText, timeText } from './canonical-time.ts'
import type { CellKind } from './cell-kind.ts'
import { decimalText, padded } from './encode-cell.ts'
import type { StoredValue } from './stored-value.ts'

/** The text of one value that is not NULL; undefined for a value that is not of the type. */
export type CellText = (value: NonNullable<StoredValue>) => string | undefined

export function cellText(cell: CellKind): CellText {
  switch (cell.kind) {
    case 'boolean':
      return booleanText
    case 'integer':
      return (value) => integerText(value, cell.range)
    case 'bigint':
      return (value) => integerText(value, undefined)
    case 'float4':
    case 'float8':
      return floatTextOf(cell.kind)
    case 'decimal':
      return (value) => numericText(value, cell.scale)
    case 'bytes':
      return (value) => plainText(value instanceof Uint8Array ? value : Buffer.from(String(value)))
    case 'json':
      return jsonText
    case 'jsonb':
      return jsonbText
    case 'array':
      return arrayTextOf(cell.element)
    case 'padded':
      return (value) => padded(plainText(value), cell.length)
    case 'text':
      return plainText
    case 'uuid':
      return ofText(uuidText)
    case 'date':
      return ofText((text) => dateOrNothing(dateText(text)))
    case 'time':
      return ofText((text) => timeOrNothing(timeText(text)))
    case 'timestamp':
      return ofText((text) => momentOrNothing(timestampText(text), oids.timestamp))
    case 'timestamptz':
      return ofText((text) => momentOrNothing(timestamptzText(text), oids.timestamptz))
    default:
      return unreachable(cell)
  }
}

function plainText(value: NonNullable<StoredValue>): string {
  if (typeof value === 'string') return value
  return value instanceof Uint8Array ? bytesText(value) : String(value)
}

function ofText(read: (text: string) => string | undefined): CellText {
  return (value) => (typeof value === 'string' ? read(value) : undefined)
}

/** A value that was read as a type, in the text that was accepted. */
function accepted(result: InputResult): string | undefined {
  return result.ok ? String(result.value) : undefined
}

function booleanText(value: NonNullable<StoredValue>): string | undefined {
  if (typeof value === 'bigint') return value === 0n ? 'f' : 't'
  if (typeof value === 'number') return value === 0 ? 'f' : 't'
  return undefined
}

function integerText(
  value: NonNullable<StoredValue>,
  range: readonly [bigint, bigint] | undefined,
): string | undefined {
  const integer = integerOf(value)
  if (integer === undefined) return undefined
  if (range !== undefined && (integer < range[0] || integer > range[1])) return undefined
  return String(integer)
}

function integerOf(value: NonNullable<StoredValue>): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : undefined
}

function floatTextOf(kind: 'float4' | 'float8'): CellText {
  const write = (value: number): string =>
    floatText(kind === 'float4' ? Math.fround(value) : value, kind)
  return (value) => {
    if (typeof value === 'number') return write(value)
    if (typeof value === 'bigint') return write(Number(value))
    if (typeof value !== 'string') return undefined
    const read = readFloat(value, floatTypes[kind])
    return read.ok ? write(Number(read.value)) : undefined
  }
}

function numericText(
  value: NonNullable<StoredValue>,
  scale: number | undefined,
): string | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return decimalText(value, scale)
  if (typeof value !== 'string') return undefined
  return /^-?\d+(\.\d+)?$/.test(value) ? value : accepted(readDecimal(value, noTypmod))
}

/** The document unchanged. */
function jsonText(value: NonNullable<StoredValue>): string | undefined {
  if (typeof value !== 'string') return jsonNumber(value)
  return isJson(value) ? value : undefined
}

function jsonbText(value: NonNullable<StoredValue>): string | undefined {
  return typeof value === 'string' ? accepted(readJson(value, 'jsonb')) : jsonNumber(value)
}

function jsonNumber(value: bigint | number | Uint8Array): string | undefined {
  if (value instanceof Uint8Array) return undefined
  const isNumber = typeof value === 'bigint' || Number.isFinite(value)
  return isNumber ? decimalText(value, undefined) : undefined
}

function uuidText(text: string): string | undefined {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) ? text : accepted(readUuid(text))
}

/** Days that exist in every month are the most frequent ones. */
const commonDay = /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/
const commonClock = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?$/

function dateOrNothing(text: string): string | undefined {
  return commonDay.test(text) ? text : accepted(readDateTime(oids.date, noTypmod, text))
}

function timeOrNothing(text: string): string | undefined {
  return commonClock.test(text) ? text : accepted(readDateTime(oids.time, noTypmod, text))
}

function momentOrNothing(text: string, oid: number): string | undefined {
  const end = oid === oids.timestamptz && text.endsWith('+00') ? text.length - 3 : text.length
  const isCommon =
    text[10] === ' ' &&
    commonDay.test(text.slice(0, 10)) &&
    commonClock.test(text.slice(11, end)) &&
    (oid === oids.timestamp || end < text.length)
  return isCommon ? text : accepted(readDateTime(oid, noTypmod, text))
}

/** `{1,NULL,"a b"}`, nested for several dimensions. */
function arrayTextOf(element: CellKind): CellText {
  const write = cellText(element)
  const writeArray = (json: string): string | undefined => {
    const texts = elementsOf(json).map(writeElement)
    if (texts.includes(undefined)) return undefined
    return texts.every((text) => text === '{}') ? '{}' : `{${texts.join(',')}}`
  }
  const writeElement = (text: string): string | undefined => {
    if (text === 'null') return 'NULL'
    if (isDocument(element)) return quoted(write(text))
    return text.startsWith('[') ? writeArray(text) : quoted(write(elementValue(text, element)))
  }
  return ofText((text) => (isArray(text) ? writeArray(text) : undefined))
}

function isDocument({ kind }: CellKind): boolean {
  return kind === 'json' || kind === 'jsonb'
}

function quoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : quotedElement(text, ',')
}
