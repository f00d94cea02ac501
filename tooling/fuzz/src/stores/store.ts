/** @module The content of a database, read and restored without the engine. */
import type { Cell, Row, WorldColumn } from '../world/world.ts'

/** Rows by name of the table, in a fixed order; cells in PostgreSQL's text form. */
export type Contents = ReadonlyMap<string, readonly Row[]>

export interface Store {
  readonly contents: () => Promise<Contents>
  /** Restores the rows of the world. */
  readonly restore: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Rows in an order that depends only on their content. */
export function sortedRows(rows: readonly Row[]): readonly Row[] {
  return rows
    .map((row) => ({ row, key: JSON.stringify(row) }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ row }) => row)
}

export function isSameContents(one: Contents, other: Contents): boolean {
  return JSON.stringify([...one]) === JSON.stringify([...other])
}

/** A driver's value as a cell. */
export function cellOf(value: unknown, { type }: Pick<WorldColumn, 'type'>): Cell {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) {
    return type === 'bytea'
      ? `\\x${Buffer.from(value).toString('hex')}`
      : Buffer.from(value).toString()
  }
  if (type === 'bool') return String(value) === '1' ? 'true' : 'false'
  const text = String(value)
  return type === 'timestamptz' && !/[+Z]/.test(text) ? `${text}+00` : text
}
