/** @module Converts the driver's values to those that core encodes as JSON, by their form. */
import type { CellKind, StoredValue } from '@engine/core/values'
import type { DriverValue } from './driver-value.ts'

/** Reads one value of a result. */
export type ReadValue = (value: DriverValue) => StoredValue

/** The server has no truth values, and returns big integers as text. */
export function valueReader(cell: CellKind): ReadValue {
  switch (cell.kind) {
    case 'boolean':
      return (value) => (value === null ? null : isTrue(value) ? 1 : 0)
    case 'integer':
    case 'bigint':
      return integerOf
    case 'decimal':
      // A BIGINT has no fraction, the type of the cell may have one.
      return cell.scale === undefined ? (value) => value : integerOf
    case 'float4':
    case 'float8':
      return numberOf
    case 'array':
      return isDocument(cell.element) ? documentsOf : (value) => value
    default:
      return (value) => value
  }
}

function isDocument({ kind }: CellKind): boolean {
  return kind === 'json' || kind === 'jsonb'
}

/** A list holds documents as strings of their text: JSON_TABLE reads no others. */
function documentsOf(value: DriverValue): StoredValue {
  if (typeof value !== 'string') return value
  const texts = JSON.parse(value) as readonly (string | null)[]
  return `[${texts.map((text) => text ?? 'null').join(',')}]`
}

/** 1, '1', and the byte 1 of a BIT(1). */
export function isTrue(value: NonNullable<DriverValue>): boolean {
  if (typeof value === 'number') return value !== 0
  if (typeof value === 'string') return Number(value) !== 0
  return value.some((byte) => byte !== 0)
}

/** A DECIMAL without a fraction is an integer, too. */
function integerOf(value: DriverValue): StoredValue {
  if (typeof value !== 'string') return value
  return /^-?\d+$/.test(value) ? BigInt(value) : value
}

function numberOf(value: DriverValue): StoredValue {
  if (typeof value !== 'string' || value.trim() === '') return value
  const number = Number(value)
  return Number.isNaN(number) ? value : number
}

/** Bytes as text where the form is text: a function of the server may have lost the character set. */
export function textOf(value: DriverValue): string | undefined {
  if (value === null) return undefined
  return typeof value === 'object' ? value.toString('utf8') : String(value)
}
