import type { InputResult, InputValue } from '@engine/core/values'
import { sqlError } from './sql-error.ts'

/** A value inside SQLite: NULL, INTEGER (booleans are 0 and 1), REAL, TEXT or BLOB. */
export type UdfValue = null | bigint | number | string | Uint8Array

/** A function that SQLite can call. */
export interface UdfDefinition {
  readonly name: string
  /** Number of arguments; `any` for any number. */
  readonly arity: number | 'any'
  /** Returns NULL for a NULL argument: `run` never receives NULL. */
  readonly isStrict: boolean
  readonly run: (...args: readonly UdfValue[]) => UdfValue
  /** Matches a regular expression. */
  readonly isPattern?: boolean
}

/** A strict function of fixed arity. */
export function strict(
  name: string,
  arity: number,
  run: (...args: readonly UdfValue[]) => UdfValue,
): UdfDefinition {
  return { name, arity, isStrict: true, run }
}

/** A strict function with any number of arguments. */
export function strictAny(
  name: string,
  run: (...args: readonly UdfValue[]) => UdfValue,
): UdfDefinition {
  return { name, arity: 'any', isStrict: true, run }
}

/** A function that handles NULL itself. */
export function nullable(
  name: string,
  run: (...args: readonly UdfValue[]) => UdfValue,
): UdfDefinition {
  return { name, arity: 'any', isStrict: false, run }
}

export function textOf(value: UdfValue | undefined): string {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint' || typeof value === 'number') return String(value)
  throw sqlError('22P02', 'a text was expected')
}

export function integerOf(value: UdfValue | undefined): bigint {
  if (typeof value === 'bigint') return value
  throw sqlError('22P02', 'an integer was expected')
}

/** An integer that fits a JavaScript number. */
export function countOf(value: UdfValue | undefined): number {
  return Number(integerOf(value))
}

export function floatOf(value: UdfValue | undefined): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  throw sqlError('22P02', 'a number was expected')
}

export function bytesOf(value: UdfValue | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw sqlError('22P02', 'bytes were expected')
}

export function truth(value: boolean): bigint {
  return value ? 1n : 0n
}

/** The result of one of core's input functions, or its failure as an error of SQLite's. */
export function accepted(result: InputResult): Exclude<InputValue, null> {
  if (!result.ok) throw sqlError(result.sqlState, result.message)
  if (result.value === null) throw sqlError('XX000', 'an input function gave NULL')
  return result.value
}
