/** @module The description of a statement before it runs, for its client. */
import type { DatabaseKind } from '@engine/contract'
import type { OutputColumn } from '../../compiler/bind/tree/bound-query.ts'
import type { CursorRows } from '../../compiler/bind/tree/cursor-rows.ts'
import type { Operation } from '../../compiler/catalog/operation.ts'
import type { SqlType } from '../../compiler/sql-types/sql-type.ts'
import type { TypeSystem } from '../../compiler/sql-types/system/type-system.ts'

/** What is known about a statement before it runs. */
export interface StatementDescription {
  readonly connection: string
  readonly kind: DatabaseKind
  /** Types of the connection, including its enums and domains. */
  readonly types: TypeSystem
  /** The operation of the statement itself, not of its WITH queries. */
  readonly operation: Operation | 'merge'
  readonly isWrite: boolean
  /** The database writes dates and intervals in the styles of the session, for which the statement was planned. */
  readonly isStyled: boolean
  /** Type of each `$n`. */
  readonly parameterTypes: readonly SqlType[]
  /** Empty when there are no result rows. */
  readonly columns: readonly DescribedColumn[]
  /** For a statement that was described as that of a cursor: its rows have more cells than `columns`. */
  readonly cursor?: CursorRows | undefined
}

/** A column of a result and its origin. */
export interface DescribedColumn extends OutputColumn {
  /** The column of a table, if it is returned unchanged. */
  readonly origin: ColumnOrigin | undefined
}

export interface ColumnOrigin {
  readonly connection: string
  readonly table: string
  readonly column: string
}
