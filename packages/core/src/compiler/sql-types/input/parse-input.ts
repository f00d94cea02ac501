/** @module Converts a literal or a JSON parameter to a checked value of its type. Start at `parseInput`. */
import { type Oid, oids } from '../oids.ts'
import type { PgType } from '../pg-type.ts'
import type { TypeTable } from '../type-table.ts'
import { lengthOfTypmod, noTypmod } from '../typmod.ts'
import { type BoundedText, withoutBounds } from './array-bounds.ts'
import { parseArrayLiteral } from './array-literal.ts'
import { type ArrayShape, maxDimensions, shapeOf } from './array-shape.ts'
import { readBits } from './bit-input.ts'
import { readBoolean } from './boolean-input.ts'
import { readBufferObject, readBytes } from './bytes-input.ts'
import { readDateTime } from './date-input.ts'
import { readDecimal } from './decimal-input.ts'
import { floatTypes, readFloat } from './float-input.ts'
import {
  accept,
  fail,
  failSyntax,
  type InputArray,
  type InputFailure,
  type InputMode,
  type InputResult,
  type InputValue,
} from './input-value.ts'
import { integerTypes, readInteger } from './integer-input.ts'
import { readInterval } from './interval-input.ts'
import { readJson } from './json-input.ts'
import { isJsonValue, jsonText, rawNumber } from './json-text.ts'
import { checkText, readName, readText } from './text-input.ts'
import { readUuid } from './uuid-input.ts'

/** The type of the value, and the effect of its length limit. */
export interface InputTarget {
  readonly oid: Oid
  readonly typmod: number
  readonly mode: InputMode
  /** Arrays may begin at another index than 1: the database stores their bounds. */
  readonly arrayBounds?: boolean | undefined
  /** See `DatabaseTraits.numericExponents`. */
  readonly numericExponents?: boolean | undefined
  /** What `now` and `today` mean, see `readDateTime`. */
  readonly nowMs?: number | undefined
}

/**
 * Reads a value of parsed JSON as PostgreSQL's input function would read its text: a number or
 * boolean by its spelling, an array as an array of its elements, an object as JSON where the type
 * is json. A bigint and a `JSON.rawJSON` number keep their digits; a Date and bytes occur when the value does not come from JSON.
 */
export function parseInput(types: TypeTable, target: InputTarget, value: unknown): InputResult {
  const type = types.typeByOid(target.oid)
  if (type?.baseOid !== undefined) return readDomain(types, target, type, value)
  if (value === null) return accept(null)
  if (type?.elementOid !== undefined && type.category === 'A') {
    return readArray(types, target, type.elementOid, value)
  }
  if (target.oid === oids.json || target.oid === oids.jsonb) return readJsonValue(target, value)
  if (target.oid === oids.bytea && typeof value === 'object') {
    return value instanceof Uint8Array ? accept(value) : readBufferObject(value)
  }
  const text = scalarText(value)
  if (text === undefined) {
    const kind = Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
    return fail('22P02', `expected ${type?.name ?? 'text'}, got ${kind}`)
  }
  const checked = checkText(text)
  return checked.ok ? readScalar(target, type, text) : checked
}

/** The text of a JSON scalar, as a driver would send it. */
function scalarText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      if (value === null) return undefined
      if (value instanceof Date)
        return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
      return rawNumber(value)
    default:
      return undefined
  }
}

function readScalar(target: InputTarget, type: PgType | undefined, text: string): InputResult {
  const { oid, typmod, mode, nowMs, numericExponents } = target
  switch (oid) {
    case oids.bool:
      return readBoolean(text)
    case oids.int2:
      return readInteger(text, integerTypes.int2)
    case oids.int4:
      return readInteger(text, integerTypes.int4)
    case oids.int8:
      return readInteger(text, integerTypes.int8)
    case oids.oid:
      return readInteger(text, integerTypes.oid)
    case oids.numeric:
      return readDecimal(text, typmod, numericExponents)
    case oids.float4:
      return readFloat(text, floatTypes.float4)
    case oids.float8:
      return readFloat(text, floatTypes.float8)
    case oids.text:
    case oids.unknown:
      return accept(text)
    case oids.varchar:
    case oids.bpchar:
      return readText(oid, typmod, text, mode)
    case oids.name:
      return readName(text)
    case oids.bit:
    case oids.varbit:
      return readBits(oid, typmod, text, mode)
    case oids.bytea:
      return readBytes(text)
    case oids.uuid:
      return readUuid(text)
    case oids.date:
    case oids.time:
    case oids.timetz:
    case oids.timestamp:
    case oids.timestamptz:
      return readDateTime(oid, typmod, text, nowMs)
    case oids.interval:
      return readInterval(text, typmod)
    default:
      return readOther(type, text)
  }
}

/** Enums are checked by their labels; only the database can read all other types. */
function readOther(type: PgType | undefined, text: string): InputResult {
  if (type?.enumLabels === undefined) return { ok: true, value: text, isCanonical: false }
  return type.enumLabels.includes(text)
    ? accept(text)
    : fail('22P02', `invalid input value for enum ${type.name}: "${text.slice(0, 60)}"`)
}

/** A domain's CHECK is left to the database. */
function readDomain(
  types: TypeTable,
  target: InputTarget,
  domain: PgType,
  value: unknown,
): InputResult {
  if (value === null && domain.isNotNull === true) {
    return fail('23502', `domain ${domain.name} does not allow null values`)
  }
  const oid = domain.baseOid ?? oids.text
  return parseInput(types, { ...target, oid, typmod: domain.baseTypmod ?? noTypmod }, value)
}

/** A string is JSON text; any other value is the JSON value itself. */
function readJsonValue({ oid, numericExponents }: InputTarget, value: unknown): InputResult {
  if (!isJsonValue(value)) return fail('22P02', `expected json, got ${typeof value}`)
  const text = typeof value === 'string' ? value : jsonText(value)
  if (text === undefined) return fail('54001', 'the JSON value is nested too deeply')
  const checked = checkText(text)
  if (!checked.ok) return checked
  return readJson(text, oid === oids.json ? 'json' : 'jsonb', numericExponents)
}

function readArray(
  types: TypeTable,
  target: InputTarget,
  elementOid: Oid,
  value: unknown,
): InputResult {
  const element = types.typeByOid(elementOid)
  const bounded: BoundedText | InputFailure =
    typeof value === 'string' && target.arrayBounds === true
      ? withoutBounds(value)
      : { ranges: [], text: typeof value === 'string' ? value : '' }
  if ('ok' in bounded) return bounded
  const { ranges, text } = bounded
  const shape = Array.isArray(value)
    ? shapeOf(value, !isJson(types.baseTypeOid(elementOid)))
    : typeof value === 'string'
      ? parseArrayLiteral(text, element?.delimiter ?? ',')
      : undefined
  if (shape === undefined && tooManyDimensions.test(text)) {
    return fail(
      '54000',
      `number of array dimensions exceeds the maximum allowed (${maxDimensions})`,
    )
  }
  if (shape === undefined || !areBoundsOf(shape, ranges)) {
    return failSyntax(`${element?.name ?? 'unknown'}[]`, String(scalarText(value) ?? 'an array'))
  }
  const width = lengthOfTypmod(elementOid, target.typmod) ?? 1
  if (width * shape.elements.length > maxArrayWidth) {
    return fail('54000', 'the array has too many elements of a fixed length')
  }
  const elements: InputValue[] = []
  let isCanonical = true
  for (const item of shape.elements) {
    const read = parseInput(types, { ...target, oid: elementOid }, item)
    if (!read.ok) return read
    elements.push(read.value)
    isCanonical &&= read.isCanonical
  }
  const lowerBounds = ranges.map(({ lower }) => lower)
  const array: InputArray = {
    kind: 'array',
    elementOid,
    dimensions: shape.dimensions,
    ...(lowerBounds.some((lower) => lower !== 1) && { lowerBounds }),
    elements,
  }
  return { ok: true, value: array, isCanonical }
}

const tooManyDimensions = new RegExp(`^\\s*(?:\\{\\s*){${maxDimensions + 1}}`)

/** Do the bounds, if there are any, agree with the elements? */
function areBoundsOf({ dimensions }: ArrayShape, ranges: BoundedText['ranges']): boolean {
  if (ranges.length === 0) return true
  return (
    ranges.length === dimensions.length && ranges.every(({ length }, i) => length === dimensions[i])
  )
}

/** Elements times their fixed length, since elements may be padded to it. */
const maxArrayWidth = 16_777_216

function isJson(oid: Oid): boolean {
  return oid === oids.json || oid === oids.jsonb
}
