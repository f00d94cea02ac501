/** @module The part of the catalog that is visible to one caller: tables with any grant, and the columns it may name. */
import type { DatabaseKind } from '@engine/contract'
import type {
  Column,
  Index,
  ReferentialAction,
  Table,
  ViewWrite,
} from '../../compiler/catalog/catalog.ts'
import type { Operation } from '../../compiler/catalog/operation.ts'
import type { TypeSystem } from '../../compiler/sql-types/system/type-system.ts'

/** The part of the catalog that a caller may know. */
export interface VisibleCatalog {
  /** Equal for callers with the same visible catalog; changes whenever the catalog or permissions change. */
  readonly key: string
  readonly connections: readonly VisibleConnection[]
  /** See `Catalog.defaultConnection`. */
  readonly defaultConnection?: string | undefined
}

/** A connection with the tables that a caller may know. */
export interface VisibleConnection {
  readonly name: string
  readonly kind: DatabaseKind
  /** See `Connection.schemas`. */
  readonly schemas?: readonly string[] | undefined
  /** The name of the connection that statements run on: see `databaseOf`. */
  readonly database?: string | undefined
  readonly types: TypeSystem
  readonly tables: readonly VisibleTable[]
  /** Nothing of it is hidden from the caller: errors may quote its rows. */
  readonly isWhole: boolean
}

/** A table that a caller may read or write. */
export interface VisibleTable {
  readonly name: string
  readonly kind: Table['kind']
  readonly comment: string | undefined
  /** See `Table.oids`. */
  readonly oids?: Table['oids']
  /** None of its columns is left out. */
  readonly isWhole: boolean
  /** In the order of the table; those that the caller may neither read nor write are left out. */
  readonly columns: readonly VisibleColumn[]
  /** Column names; empty unless all of them are visible. */
  readonly primaryKey: readonly string[]
  /** Unique keys whose columns are all visible. */
  readonly uniqueKeys: readonly (readonly string[])[]
  /** Names of those keys that are constraints. */
  readonly keyNames?: readonly VisibleKeyName[] | undefined
  /** Foreign keys with both sides visible. */
  readonly foreignKeys: readonly VisibleForeignKey[]
  /** Those of which all columns are visible. */
  readonly checks: readonly VisibleCheck[]
  /** Those of which all columns are visible. */
  readonly indexes: readonly VisibleIndex[]
  /** The operations that are granted on any rows of the table. */
  readonly operations: readonly Operation[]
  /** Of a view: its query, where the caller may know all of what it names. */
  readonly definition?: VisibleDefinition | undefined
  /** Of a view: how the database does the operations that are granted; absent where that is not known. */
  readonly writes?: VisibleWrites | undefined
}

/** The query of a view, as PostgreSQL's `pg_get_viewdef` writes it. */
export interface VisibleDefinition {
  readonly text: string
  readonly pretty: string
}

export interface VisibleWrites {
  readonly insert: ViewWrite
  readonly update: ViewWrite
  readonly delete: ViewWrite
  /** Names of the columns that are columns of the table that it shows. */
  readonly columns: readonly string[]
}

/** A column that a caller may read or write. */
export interface VisibleColumn {
  readonly column: Column
  readonly isReadable: boolean
  readonly isInsertable: boolean
  readonly isUpdatable: boolean
}

export interface VisibleKeyName {
  readonly name: string
  readonly columns: readonly string[]
}

/** A foreign key between columns that a caller may know. */
export interface VisibleForeignKey {
  readonly name?: string | undefined
  readonly columns: readonly string[]
  /** The connection of `table`, where it is another one of the same database. */
  readonly connection?: string | undefined
  readonly table: string
  readonly references: readonly string[]
  readonly onDelete: ReferentialAction | undefined
  readonly onUpdate: ReferentialAction | undefined
}

export interface VisibleCheck {
  readonly name: string
  /** In PostgreSQL's SQL: `CHECK ((quantity > 0))`. */
  readonly definition: string
}

/** An index of a visible table whose parts the caller may all know. */
export interface VisibleIndex extends Omit<Index, 'columns'> {
  readonly columns: readonly string[]
}
