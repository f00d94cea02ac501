/** @module A literal or a parameter after it was read as its type. */
import type { Oid } from '../pg-type.ts'

/**
 * A checked value in the form its type has inside the engine.
 * - `boolean`: bool
 * - `bigint`: int2, int4, int8, oid
 * - `number`: float4 (already rounded to single precision), float8; NaN and the infinities occur
 * - `Uint8Array`: bytea
 * - `InputArray`: every array type
 * - `string`: all other types, as PostgreSQL prints them (a session in UTC, ISO dates)
 */
export type InputValue = null | boolean | bigint | number | string | Uint8Array | InputArray

/** An array. */
export interface InputArray {
  readonly kind: 'array'
  readonly elementOid: Oid
  /** Lengths from the outermost dimension inwards; empty for the empty array. */
  readonly dimensions: readonly number[]
  /** The first index of each dimension; absent where all are 1. */
  readonly lowerBounds?: readonly number[]
  /** Row-major, `null` for SQL NULL; never nested. */
  readonly elements: readonly InputValue[]
}

/**
 * 22P02 bad syntax, 2202E bad bounds of an array, 22003 number out of range, 22007 bad date, 22008 date or interval out of range,
 * 22009 zone and 22015 interval field out of range, 22001 text too long, 22026 wrong number of bits,
 * 22021 invalid Unicode text, 22023 bad hexadecimal digits or an unknown time zone, 22P05 not to be stored in jsonb, 23502 NULL in a domain, 54000 too
 * large, 54001 too deep.
 */
export type InputSqlState =
  | '22P02'
  | '2202E'
  | '22003'
  | '22007'
  | '22008'
  | '22009'
  | '22015'
  | '22001'
  | '22026'
  | '22021'
  | '22023'
  | '22P05'
  | '23502'
  | '54000'
  | '54001'

export interface InputSuccess {
  readonly ok: true
  readonly value: InputValue
  /** False where only the database can read the text (inet, ranges, opaque types ...). */
  readonly isCanonical: boolean
}

export interface InputFailure {
  readonly ok: false
  readonly sqlState: InputSqlState
  /** For the client; never contains more than the start of the value. */
  readonly message: string
}

/** A value, or the reason why a text is not one. */
export type InputResult = InputSuccess | InputFailure

/**
 * The effect of a length limit on a longer value: `explicit` is a cast (varchar is cut), `assignment` is INSERT or UPDATE
 * (varchar is refused unless only blanks are lost).
 */
export type InputMode = 'explicit' | 'assignment'

export function accept(value: InputValue): InputSuccess {
  return { ok: true, value, isCanonical: true }
}

export function fail(sqlState: InputSqlState, message: string): InputFailure {
  return { ok: false, sqlState, message }
}

/** `invalid input syntax for type integer: "abc"`. */
export function failSyntax(typeText: string, text: string): InputFailure {
  return fail('22P02', `invalid input syntax for type ${typeText}: "${excerpt(text)}"`)
}

/** `value "99999999999" is out of range for type integer`. */
export function failRange(typeText: string, text: string): InputFailure {
  return fail('22003', `value "${excerpt(text)}" is out of range for type ${typeText}`)
}

const excerptLength = 60

function excerpt(text: string): string {
  return text.length <= excerptLength ? text : `${text.slice(0, excerptLength)}...`
}
