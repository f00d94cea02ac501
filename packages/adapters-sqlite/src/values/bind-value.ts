/** @module Converts PostgreSQL's canonical text to the values that better-sqlite3 binds. */
import type { SqlValue } from '@engine/core/adapter'
import {
  bindParameter,
  type ParameterForms,
  type ParameterKind,
  type StoredValue,
} from '@engine/core/values'
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
  return bindParameter(parameter, value, kept, forms)
}

const forms: ParameterForms<StoredValue> = {
  value: (kind, text) => {
    switch (kind) {
      case 'integer':
        return BigInt(text)
      case 'boolean':
        return text === 'true' ? 1n : 0n
      case 'real':
      case 'float':
        return finite(text)
      case 'bytes':
        return Buffer.from(text.slice(2), 'hex')
      default:
        return text
    }
  },
  // Elements have, as `json_each.value`, the storage class of a scalar parameter; bytes are hexadecimal text.
  json: (kind, text) => {
    switch (kind) {
      case 'integer':
      case 'boolean':
        return text
      case 'real':
      case 'float':
        return realText(finite(text))
      case 'bytes':
        return `"${text.slice(2).toUpperCase()}"`
      default:
        return JSON.stringify(text)
    }
  },
}

function finite(text: string): number {
  const value = Number(text)
  if (Number.isNaN(value)) throw sqlError('0A000', 'SQLite cannot hold NaN')
  return value
}

/** A number as JSON that SQLite reads as REAL, not as INTEGER. */
export function realText(value: number): string {
  if (!Number.isFinite(value)) return value < 0 ? '-9e999' : '9e999'
  const text = Object.is(value, -0) ? '-0' : String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}
