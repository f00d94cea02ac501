/** @module The types of CSV columns, how SQLite declares and stores them, and how a stored value is written back. */
import { noTypmod, oids, readDateTime, readUuid } from '@engine/core/values'

export type ColumnKind =
  | 'boolean'
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'float'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'uuid'
  | 'json'
  | 'text'

export interface ColumnType {
  readonly kind: ColumnKind
  /** `decimal`: number of all digits, and of digits after the point; undefined where they vary. */
  readonly digits: { readonly precision: number; readonly scale: number } | undefined
}

/** SQLite stores a decimal with at most this number of digits exactly as a number; others are stored as text. */
export const mostExactDigits = 15

const declarations: Readonly<Record<Exclude<ColumnKind, 'decimal'>, string>> = {
  boolean: 'BOOLEAN',
  integer: 'INTEGER',
  bigint: 'BIGINT',
  float: 'DOUBLE',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMPTZ',
  uuid: 'UUID',
  json: 'JSON',
  text: 'TEXT',
}

/** The type in the names that the SQLite adapter reads. */
export function declarationOf({ kind, digits }: ColumnType): string {
  if (kind !== 'decimal') return declarations[kind]
  if (digits === undefined) return 'DECIMAL TEXT'
  const { precision, scale } = digits
  const text = precision > mostExactDigits ? ' TEXT' : ''
  return `DECIMAL${text}(${precision},${scale})`
}

export const integerPattern: RegExp = /^-?(?:0|[1-9][0-9]*)$/
export const decimalPattern: RegExp = /^-?(?:0|[1-9][0-9]*)\.[0-9]+$/
export const floatPattern: RegExp = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?[eE][-+]?[0-9]{1,3}$/
export const booleanPattern: RegExp = /^(?:true|false)$/i
const datePattern: RegExp = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/
export const timestampPattern: RegExp =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?$/
export const timestamptzPattern: RegExp =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[-+][0-9]{2}(?::?[0-9]{2})?)$/

const anyNumber = /^-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?$/

/** A cell that is not empty → its value in SQLite; undefined when it does not have the type. */
export function storedText(cell: string, { kind, digits }: ColumnType): string | undefined {
  switch (kind) {
    case 'boolean':
      return booleanPattern.test(cell) ? (/^t/i.test(cell) ? '1' : '0') : undefined
    case 'integer':
      return integerText(cell, 31n)
    case 'bigint':
      return integerText(cell, 63n)
    case 'decimal':
      return decimalText(cell, digits)
    case 'float':
      return anyNumber.test(cell) && Number.isFinite(Number(cell))
        ? String(Number(cell))
        : undefined
    case 'date':
      return isDate(cell) ? cell : undefined
    case 'time':
      return momentText(oids.time, cell)
    case 'timestamp':
      return plainMoment(cell, '') ?? otherTimestamp(cell)
    case 'timestamptz':
      return plainMoment(cell, 'Z') ?? otherTimestamptz(cell)
    case 'uuid':
      return acceptedText(readUuid(cell))
    case 'json':
      return isJson(cell) ? cell : undefined
    case 'text':
      return cell.includes('\0') ? undefined : cell
  }
}

/** More digits than the column allows are an error: no value is rounded silently. */
function decimalText(cell: string, digits: ColumnType['digits']): string | undefined {
  const point = cell.indexOf('.')
  if (!(point < 0 ? integerPattern : decimalPattern).test(cell)) return undefined
  if (digits === undefined) return cell
  const scale = decimalScale(cell)
  const whole = (point < 0 ? cell.length : point) - (cell.startsWith('-') ? 1 : 0)
  const isTooLong = scale > digits.scale || whole > Math.max(digits.precision - digits.scale, 1)
  if (isTooLong) return undefined
  return withScale(cell, scale, digits.scale)
}

/** Number of digits after the point. */
export function decimalScale(cell: string): number {
  const point = cell.indexOf('.')
  return point < 0 ? 0 : cell.length - point - 1
}

function withScale(cell: string, scale: number, wanted: number): string {
  if (scale === wanted) return cell
  return `${cell}${scale === 0 ? '.' : ''}${'0'.repeat(wanted - scale)}`
}

/** Texts with at most this number of characters fit into an int4. */
const shortInteger = 9

function integerText(cell: string, bits: bigint): string | undefined {
  if (!integerPattern.test(cell)) return undefined
  if (cell.length <= shortInteger) return cell
  return BigInt.asIntN(Number(bits) + 1, BigInt(cell)) === BigInt(cell) ? cell : undefined
}

const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** `YYYY-MM-DD`, where the day exists. */
export function isDate(cell: string): boolean {
  if (cell.length !== 10 || !datePattern.test(cell)) return false
  const year = Number(cell.slice(0, 4))
  const month = Number(cell.slice(5, 7))
  const day = Number(cell.slice(8))
  if (year === 0) return false
  if (month === 2 && day === 29) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day > 0 && day <= (daysOfMonths[month - 1] ?? 0)
}

/**
 * `YYYY-MM-DD HH:MM:SS`, with or without a fraction, as most timestamps are written: reading every spelling of
 * PostgreSQL takes ten times as long.
 */
function plainMoment(cell: string, zone: '' | 'Z'): string | undefined {
  if (cell[13] !== ':' || cell[16] !== ':' || !cell.endsWith(zone)) return undefined
  const isClock = below(cell, 11, 24) && below(cell, 14, 60) && below(cell, 17, 60)
  const day = cell.slice(0, 10)
  if (!isClock || !isDate(day)) return undefined
  const separator = cell[10]
  const fraction = cell.slice(19, cell.length - zone.length)
  if (fraction !== '' && !fractionPattern.test(fraction)) return undefined
  const isPlain = fraction === '' && separator === ' ' && zone === ''
  if (isPlain) return cell
  if (separator !== ' ' && separator !== 'T') return undefined
  const shown = fraction.replace(/\.?0+$/, '')
  return `${day} ${cell.slice(11, 19)}${shown}${zone === 'Z' ? '+00' : ''}`
}

const fractionPattern = /^\.[0-9]{1,6}$/

/** Returns whether there are two digits, of a number less than the limit. */
function below(cell: string, index: number, limit: number): boolean {
  const tens = cell.charCodeAt(index) - 0x30
  const ones = cell.charCodeAt(index + 1) - 0x30
  return tens >= 0 && tens < 10 && ones >= 0 && ones < 10 && tens * 10 + ones < limit
}

function otherTimestamp(cell: string): string | undefined {
  if (isDate(cell)) return `${cell} 00:00:00`
  return timestampPattern.test(cell) ? momentText(oids.timestamp, cell) : undefined
}

function otherTimestamptz(cell: string): string | undefined {
  return timestamptzPattern.test(cell) ? momentText(oids.timestamptz, cell) : undefined
}

function momentText(oid: number, cell: string): string | undefined {
  return acceptedText(readDateTime(oid, noTypmod, cell))
}

function acceptedText(result: ReturnType<typeof readDateTime>): string | undefined {
  return result.ok && typeof result.value === 'string' ? result.value : undefined
}

export function isJson(cell: string): boolean {
  try {
    JSON.parse(cell)
    return true
  } catch {
    return false
  }
}
