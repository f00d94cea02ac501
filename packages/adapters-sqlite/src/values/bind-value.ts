/** @module Converts PostgreSQL's canonical text to the values that better-sqlite3 binds. */
import type { SqlValue } from '@engine/core/adapter'
import type { StoredValue } from '@engine/core/values'
import type { ParameterKind } from '../driver/program.ts'
import { sqlError } from '../functions/register/sql-error.ts'

/**
 * The value of a parameter as SQLite takes it.
 *
 * @param kept rows of earlier steps as JSON text, by step index.
 * @throws an `sqlError` for a value that SQLite cannot store: it would store NaN as NULL.
 */
export function bindValue(
  parameter: ParameterKind,
  value: SqlValue,
  kept: ReadonlyMap<number, string>,
): StoredValue {
  if (parameter.kind === 'step') return keptRows(parameter.step, kept)
  if (value === null) return null
  if (parameter.kind === 'array') return arrayText(parameter.element, value)
  if (typeof value !== 'string') throw new TypeError('a list was given for a scalar parameter')
  switch (parameter.kind) {
    case 'integer':
      return BigInt(value)
    case 'boolean':
      return value === 'true' ? 1n : 0n
    case 'float':
      return finite(value)
    case 'bytes':
      return Buffer.from(value.slice(2), 'hex')
    case 'text':
      return value
  }
}

function keptRows(step: number, kept: ReadonlyMap<number, string>): string {
  const rows = kept.get(step)
  if (rows === undefined) throw new TypeError(`step ${step} kept nothing`)
  return rows
}

function finite(text: string): number {
  const value = Number(text)
  if (Number.isNaN(value)) throw sqlError('0A000', 'SQLite cannot hold NaN')
  return value
}

/** JSON whose elements have, as `json_each.value`, the storage class of a scalar parameter; bytes are hexadecimal text. */
function arrayText(element: ParameterKind, value: SqlValue): string {
  if (value === null) return 'null'
  if (typeof value !== 'string') {
    return `[${value.map((item) => arrayText(element, item)).join(',')}]`
  }
  switch (element.kind) {
    case 'integer':
    case 'boolean':
      return value
    case 'float':
      return realText(finite(value))
    case 'bytes':
      return `"${value.slice(2).toUpperCase()}"`
    default:
      return JSON.stringify(value)
  }
}

/** A number as JSON that SQLite reads as REAL, not as INTEGER. */
export function realText(value: number): string {
  if (!Number.isFinite(value)) return value < 0 ? '-9e999' : '9e999'
  const text = Object.is(value, -0) ? '-0' : String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}
