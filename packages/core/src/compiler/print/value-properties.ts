/** @module Facts about values that a printer knows before a statement runs. */
import type { Column } from '../catalog/catalog.ts'
import type { Sql } from './sql-writer.ts'

/** Properties of every value of an expression. */
export interface ValueProperties {
  /** Set where the value has its stored form, not the form that expressions use. */
  readonly stored: Column | undefined
  readonly isNullable: boolean
  /** `numeric`: the scale that every value has; undefined where it varies. */
  readonly scale: number | undefined
}

/** Nothing is known about the value. */
export const anyValue: ValueProperties = { stored: undefined, isNullable: true, scale: undefined }

/** The SQL of a column and the properties of its values. */
export type PrintedColumn<Properties extends ValueProperties = ValueProperties> = Properties & {
  readonly sql: Sql
  /** A column of a table without an expression around it: an index may be used. */
  readonly isBare: boolean
}

/** How the rest of a statement refers to a FROM item or to the row of a write. */
export interface RelationColumns<Properties extends ValueProperties = ValueProperties> {
  column(index: number): PrintedColumn<Properties>
}
