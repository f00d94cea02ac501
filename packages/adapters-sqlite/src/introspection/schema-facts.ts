/** @module What SQLite says about its schema, before anything is made of it. */

export interface SchemaFacts {
  /** Grows with every change of the schema, by whatever process. */
  readonly version: number
  readonly tables: readonly TableFacts[]
  /** Views that cannot be used: they name what is not there, or call what must not be called. */
  readonly brokenViews: readonly { readonly name: string; readonly reason: string }[]
}

export interface TableFacts {
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly isStrict: boolean
  readonly hasRowid: boolean
  readonly columns: readonly ColumnFacts[]
  /** Unique ones. */
  readonly indexes: readonly IndexFacts[]
  /** Those that are not unique, over whole columns and all rows. */
  readonly plainIndexes: readonly PlainIndexFacts[]
  readonly foreignKeys: readonly ForeignKeyFacts[]
}

export interface ColumnFacts {
  readonly name: string
  /** As declared; empty when nothing is. */
  readonly declaredType: string
  readonly isNotNull: boolean
  /** SQL text. */
  readonly defaultText: string | undefined
  /** Position in the primary key, from 1; 0 when it is not part of it. */
  readonly keyPosition: number
  readonly isGenerated: boolean
  /** How its texts compare: `BINARY`, `NOCASE`, `RTRIM` or a name that is not known here. */
  readonly collation: string
  /** Of a table's column; nobody looks at the rows of a view. */
  readonly sample: ColumnSample | undefined
}

/** What is stored in a column, as far as it was looked at. */
export interface ColumnSample {
  /** All values are stored as this adapter stores values of the declared type. */
  readonly isCanonical: boolean
  /** Smallest and largest integer; undefined without any. */
  readonly integers: { readonly min: bigint; readonly max: bigint } | undefined
}

/** A unique index over whole columns and all rows. */
export interface IndexFacts {
  readonly isPrimaryKey: boolean
  readonly columns: readonly { readonly name: string; readonly collation: string }[]
}

export interface PlainIndexFacts {
  readonly name: string
  readonly columns: readonly string[]
}

export interface ForeignKeyFacts {
  readonly table: string
  /** `to` is null where the key of the other table is meant. */
  readonly columns: readonly { readonly from: string; readonly to: string | null }[]
  /** `CASCADE`, `NO ACTION` ... */
  readonly onDelete: string
  readonly onUpdate: string
}
