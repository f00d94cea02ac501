/**
 * @module Rows too large for JavaScript. A row becomes strings all at once, and when these do not fit into its memory, V8 ends
 * the process: no error can be caught. So SQLite checks the size first, where a statement could return so much.
 */
import type { CellKind } from '@engine/core/values'
import type Database from 'better-sqlite3'
import { databaseFault, faultError } from '../errors/fault.ts'

/** The maximum size of a row of an answer. In bytes. */
export const maxRowBytes = 67_108_864

/** Functions return texts of at most ten million characters: up to this number of such columns is no danger. */
const harmlessColumns = 8

/** Types of columns whose values may have any size. */
const largeKinds: ReadonlySet<CellKind['kind']> = new Set([
  'array',
  'bytes',
  'json',
  'jsonb',
  'padded',
  'text',
])

/**
 * Wraps a statement that ends in a LIMIT so that it fails on rows with more bytes than the placeholder's value. Undefined where
 * that is not needed.
 */
export function withRowSizeGuard(
  sql: string,
  cells: readonly CellKind[],
  placeholder: number,
): string | undefined {
  const names = cells.map((_cell, index) => `c${index + 1}`)
  const large = names.filter((_name, index) => largeKinds.has(cells[index]?.kind ?? 'text'))
  if (large.length <= harmlessColumns) return undefined
  const sizes = large.map((name) => `ifnull(octet_length(${name}), 0)`)
  return `with r(${names.join(', ')}) as (${sql}) select ${names.join(', ')} from r
    where ${sum(sizes)} <= ?${placeholder} or row_too_large(null)`
}

/** As a balanced tree: SQLite's expressions may be a thousand deep. */
function sum(terms: readonly string[]): string {
  if (terms.length <= 2) return terms.join(' + ')
  const middle = Math.ceil(terms.length / 2)
  return `(${sum(terms.slice(0, middle))}) + (${sum(terms.slice(middle))})`
}

/** `row_too_large(size)` fails for NULL and for more than `maxRowBytes`; it is for rows that cannot be filtered. */
export function registerRowSizeGuard(database: Database.Database): void {
  database.function('row_too_large', { directOnly: true, safeIntegers: false }, (size: unknown) => {
    if (typeof size === 'number' && size <= maxRowBytes) return 1
    throw faultError(databaseFault('54000', new Error('a row is too large')))
  })
}
