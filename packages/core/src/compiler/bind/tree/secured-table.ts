import type { Table } from '../../catalog/catalog.ts'
// biome-ignore lint/suspicious/noImportCycles: a query holds expressions, an expression holds queries; types alone
import type { RelationId } from './bound-query.ts'
// biome-ignore lint/suspicious/noImportCycles: a query holds expressions, an expression holds queries; types alone
import type { Expression, FunctionCall } from './expression.ts'

/**
 * A base table as one caller may see it: the virtual table of the permission model. Made by `authorize` only.
 * Expressions outside refer to `id`; `filter`, `masks` and `pushed` refer to the raw row, `base`.
 *
 * Prints as the bare table when `filter`, `masks` and `pushed` are empty; otherwise as
 * `(select <cells> from table base where <filter> and <pushed> [barrier]) id`.
 */
export interface SecuredTable {
  readonly kind: 'securedTable'
  readonly id: RelationId
  readonly base: RelationId
  readonly table: Table
  /** Condition for the rows that the caller can see; undefined = all. */
  readonly filter: Expression | undefined
  /** By ordinal: the cell is its value only where this is TRUE, else NULL. */
  readonly masks: ReadonlyMap<number, Expression>
  /** Ordinals the caller may read; no other column is ever printed. */
  readonly readable: ReadonlySet<number>
  /** Leakproof conditions of the client, moved inside so that indexes are used; they also stay outside. */
  readonly pushed: readonly Expression[]
  /** The database must evaluate `filter` before anything outside (OFFSET 0, LIMIT -1 ...). */
  readonly barrier: boolean
  /** TABLESAMPLE: rows are taken from those of the table, before `filter`. Its arguments refer to outer queries only. */
  readonly sample?: FunctionCall | undefined
}
