/** @module SQLite's schema as it reports it. */
import type { UniqueIndex } from '@engine/core/catalog'

/** The schema of a database as SQLite reports it. */
export interface SchemaFacts {
  /** Increases with every change of the schema, also by another process. */
  readonly version: number
  readonly tables: readonly TableFacts[]
  /** Views that cannot be used: they refer to missing names, or call forbidden functions. */
  readonly brokenViews: readonly { readonly name: string; readonly reason: string }[]
}

/** A table or view as SQLite reports it. */
export interface TableFacts {
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly isStrict: boolean
  readonly hasRowid: boolean
  readonly columns: readonly ColumnFacts[]
  /** Unique indexes. */
  readonly indexes: readonly IndexFacts[]
  /** Indexes that are not unique, over whole columns and all rows. */
  readonly plainIndexes: readonly PlainIndexFacts[]
  /** Unique indexes of expressions, of some rows, or with another collation than BINARY. */
  readonly uniqueIndexes: readonly UniqueIndex[]
  readonly foreignKeys: readonly ForeignKeyFacts[]
  /** The CREATE TABLE statement; undefined for a view. */
  readonly createSql: string | undefined
}

/** A column as SQLite reports it. */
export interface ColumnFacts {
  readonly name: string
  /** As declared; empty without a declaration. */
  readonly declaredType: string
  readonly isNotNull: boolean
  /** SQL text. */
  readonly defaultText: string | undefined
  /** Position in the primary key, from 1; 0 when it is not part of it. */
  readonly keyPosition: number
  readonly isGenerated: boolean
  /** The collation of its texts: `BINARY`, `NOCASE`, `RTRIM` or an unknown name. */
  readonly collation: string
  /** For columns of tables; rows of views are not read. */
  readonly sample: ColumnSample | undefined
}

/** Facts about the sampled values of a column. */
export interface ColumnSample {
  /** All values have this adapter's stored form of the declared type. */
  readonly isCanonical: boolean
  /** Smallest and largest integer; undefined without any. */
  readonly integers: { readonly min: bigint; readonly max: bigint } | undefined
}

/** A unique index over whole columns and all rows. */
export interface IndexFacts {
  readonly isPrimaryKey: boolean
  readonly columns: readonly { readonly name: string; readonly collation: string }[]
}

/** An index that is not unique, over whole columns and all rows. */
export interface PlainIndexFacts {
  readonly name: string
  readonly columns: readonly string[]
}

/** A foreign key as SQLite reports it. */
export interface ForeignKeyFacts {
  readonly table: string
  /** `to` is null where the key of the other table is referred to. */
  readonly columns: readonly { readonly from: string; readonly to: string | null }[]
  /** `CASCADE`, `NO ACTION` ... */
  readonly onDelete: string
  readonly onUpdate: string
}
