/** @module Descriptions of functions that SQLite calls: values in, a value out. */
import { sqlError } from './sql-error.ts'

/** Values that SQLite passes to a function and receives from it: integers are always bigint, a number is a REAL. */
export type SqliteValue = null | bigint | number | string | Uint8Array

export interface ScalarFunction {
  /** Number of arguments; -1 for any. */
  readonly arity: number
  /** May return another value for the same arguments, so that SQLite must call it for every row. */
  readonly isVolatile?: boolean
  /** Matches a regular expression, which may never end. */
  readonly isPattern?: boolean
  readonly call: (...args: readonly SqliteValue[]) => SqliteValue
}

/** By their names in SQL. */
export type ScalarFunctions = Readonly<Record<string, ScalarFunction>>

/** Functions that are NULL if any argument is NULL; the arity is the number of parameters. */
export function strict(
  call: (...args: readonly NonNullable<SqliteValue>[]) => SqliteValue,
  arity: number = call.length,
): ScalarFunction {
  return { arity, call: strictCall(call, arity) }
}

/** The usual numbers of arguments are written out: these calls are the hot path of every query. */
function strictCall(
  call: (...args: readonly NonNullable<SqliteValue>[]) => SqliteValue,
  arity: number,
): ScalarFunction['call'] {
  switch (arity) {
    case 1:
      return (a = null) => (a === null ? null : call(a))
    case 2:
      return (a = null, b = null) => (a === null || b === null ? null : call(a, b))
    default:
      return (...args) => {
        const present = args.filter((argument) => argument !== null)
        return present.length < args.length ? null : call(...present)
      }
  }
}

/** Functions that receive NULL arguments. */
export function nullable(
  call: ScalarFunction['call'],
  arity: number = call.length,
): ScalarFunction {
  return { arity, call }
}

export function textOf(value: SqliteValue): string {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint') return value.toString()
  throw misplaced(value, 'text')
}

export function integerOf(value: SqliteValue): bigint {
  if (typeof value === 'bigint') return value
  throw misplaced(value, 'an integer')
}

/** A position, count or scale: fits a double; a larger number is cut to ±2^53. */
export function countOf(value: SqliteValue): number {
  return Number(
    BigInt.asIntN(54, integerOf(value)) === value
      ? value
      : integerOf(value) < 0n
        ? -(2n ** 53n)
        : 2n ** 53n,
  )
}

export function numberOf(value: SqliteValue): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  throw misplaced(value, 'a number')
}

export function bytesOf(value: SqliteValue): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (typeof value === 'string') return Buffer.from(value)
  throw misplaced(value, 'bytes')
}

export function isTrue(value: SqliteValue): boolean {
  return value !== null && Number(value) !== 0
}

export function booleanValue(value: boolean): bigint {
  return value ? 1n : 0n
}

/** The error for a stored value without the form that its column's type requires. */
export function misplaced(value: SqliteValue, wanted: string): Error {
  const kind = value === null ? 'NULL' : value instanceof Uint8Array ? 'bytes' : typeof value
  return sqlError('22000', `a stored value is ${kind} where ${wanted} is expected`)
}
