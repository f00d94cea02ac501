/**
 * @module Rows too large for JavaScript. A row becomes strings all at once, and when these do not fit into its memory, V8
 * ends the process: nothing can be caught. So SQLite has to look first, where a statement could ask for so much.
 */
import type { CellKind } from '@engine/core/values'
import type Database from 'better-sqlite3'
import { databaseFault, faultError } from './connection/fault.ts'

/** What a row of an answer may have. In bytes. */
export const maxRowBytes = 67_108_864

/** Functions give texts of ten million characters at most: so many of them are no danger. */
const harmlessColumns = 8

/** Columns whose values have any size. */
const largeKinds: ReadonlySet<CellKind['kind']> = new Set([
  'array',
  'bytes',
  'json',
  'jsonb',
  'padded',
  'text',
])

/**
 * Puts a statement that ends in a LIMIT into one that fails on rows of more bytes than the placeholder says. Undefined
 * where that is not needed.
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

/** As a balanced tree: SQLite takes expressions a thousand deep. */
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
