/** @module What a printer knows about values before a statement runs. */
import type { Column } from '../catalog/catalog.ts'
import type { Sql } from './sql-writer.ts'

/** What holds for every value of an expression. */
export interface ValueProperties {
  /** Set where the value is as a table stores it, not in the form that expressions work with. */
  readonly stored: Column | undefined
  readonly isNullable: boolean
  /** `numeric`: the scale that every value has; undefined where it varies. */
  readonly scale: number | undefined
}

export const anyValue: ValueProperties = { stored: undefined, isNullable: true, scale: undefined }

export type PrintedColumn<Properties extends ValueProperties = ValueProperties> = Properties & {
  readonly sql: Sql
  /** The column of a table without anything around it: an index may find it. */
  readonly isBare: boolean
}

/** How the rest of a statement refers to a FROM item or to the row of a write. */
export interface RelationColumns<Properties extends ValueProperties = ValueProperties> {
  column(index: number): PrintedColumn<Properties>
}
