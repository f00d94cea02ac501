import type { PgType } from '../sql-types/pg-type.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type {
  ColumnSequence,
  Index,
  ListedValues,
  NamedSequence,
  ReferentialAction,
  TableOids,
  ViewDefinition,
  ViewWrites,
} from './catalog.ts'
import type { WriteOperation } from './operation.ts'
import type { UniqueIndex } from './unique-index.ts'

/** An adapter's report on its database. Names are the database's own spelling. */
export interface Introspection {
  /** Enums, domains, their arrays and unknown (opaque) types of this database; builtin types need no mention. */
  readonly types?: readonly PgType[] | undefined
  readonly tables: readonly IntrospectedTable[]
  /** Partitions of these tables; absent where the database has none. */
  readonly partitions?: readonly IntrospectedPartition[] | undefined
  /** See `Connection.sequences`. */
  readonly sequences?: readonly NamedSequence[] | undefined
  /** Tables that `tables.exclude` left out; undefined where the adapter does not know them. */
  readonly excluded?: readonly string[]
  /** Differs after every change that the introspection would show. Read before everything else, or in the same snapshot. */
  readonly schemaVersion?: string | undefined
  /** Types of `ConnectionOptions.columnTypes` that columns cannot have. */
  readonly typeFaults?: readonly ColumnTypeFault[]
}

/** A configured type that a column cannot have. */
export interface ColumnTypeFault {
  readonly table: string
  readonly column: string
  readonly message: string
}

/** A table or view in an adapter's report; see `Table`. What is absent it does not have. */
export interface IntrospectedTable {
  readonly schema?: string | undefined
  readonly name: string
  /** Its name in the database, where clients use another one. */
  readonly nativeName?: string | undefined
  readonly kind: 'table' | 'view'
  /** The database has row security: it selects rows by conditions that the engine does not know. */
  readonly hasRowSecurity?: boolean | undefined
  /** See `Table.oids`. */
  readonly oids?: TableOids | undefined
  readonly comment?: string | undefined
  readonly columns: readonly IntrospectedColumn[]
  /** Column names of the primary key, in key order. */
  readonly primaryKey?: readonly string[] | undefined
  readonly uniqueKeys?: readonly (readonly string[])[] | undefined
  /** See `Table.triggerColumns`; absent where no trigger changes a row before it is stored. */
  readonly triggerColumns?: 'all' | readonly string[] | undefined
  /** See `Table.viewWrites`. */
  readonly viewWrites?:
    | (Omit<ViewWrites, 'columns' | 'keys'> & {
        readonly columns: ReadonlyMap<string, string>
        readonly keys: readonly (readonly string[])[]
      })
    | undefined
  /** See `Table.definition`. */
  readonly definition?: ViewDefinition | undefined
  /** See `Table.ruledWrites`. */
  readonly ruledWrites?: readonly WriteOperation[] | undefined
  /** See `Table.hasPlainInserts`. */
  readonly hasPlainInserts?: true | undefined
  /** See `Table.rowKeys`. */
  readonly rowKeys?: readonly (readonly string[])[] | undefined
  /** Keys that ON CONFLICT ON CONSTRAINT may name, the primary key included. */
  readonly keyConstraints?:
    | readonly { readonly name: string; readonly columns: readonly string[] }[]
    | undefined
  /** See `Table.oid`. */
  readonly oid?: string | undefined
  /** See `Table.family`. */
  readonly family?: string | undefined
  /** See `Table.uniqueIndexes`. */
  readonly uniqueIndexes?: readonly UniqueIndex[] | undefined
  readonly foreignKeys?: readonly IntrospectedForeignKey[] | undefined
  readonly checks?: readonly {
    readonly name: string
    readonly columns: readonly string[]
    /** In PostgreSQL's SQL: `CHECK ((quantity > 0))`. */
    readonly definition: string
  }[]
  /** Indexes that belong to no constraint; see `Index`. */
  readonly indexes?: readonly (Omit<Index, 'columns'> & { readonly columns: readonly string[] })[]
}

/** A foreign key in an adapter's report; see `ForeignKey`. */
export interface IntrospectedForeignKey {
  readonly name?: string | undefined
  readonly columns: readonly string[]
  readonly table: string
  readonly references: readonly string[]
  /** ON DELETE CASCADE: a row is deleted with the row that it refers to. */
  readonly cascades?: boolean
  readonly onDelete?: ReferentialAction | undefined
  readonly onUpdate?: ReferentialAction | undefined
}

/** A partition in an adapter's report: it has the columns of its table. */
export interface IntrospectedPartition {
  readonly schema: string | undefined
  readonly name: string
  /** Its name in the database, where clients use another one. */
  readonly nativeName?: string | undefined
  /** Name of the partitioned table in `tables`, also for a partition of a partition. */
  readonly table: string
  /** See `Table.oid`. */
  readonly oid?: string | undefined
  /** See `Table.oids`. */
  readonly oids?: TableOids | undefined
  /** Names, in its own order. */
  readonly columns: readonly string[]
  readonly hasRowSecurity?: boolean | undefined
  /** See `Table.ruledWrites`. */
  readonly ruledWrites?: readonly WriteOperation[] | undefined
}

/** A column in an adapter's report; see `Column`. What is absent it does not have. */
export interface IntrospectedColumn {
  readonly name: string
  readonly type: SqlType
  /** The type is inferred from stored rows, including rows hidden from the caller: with other rows the type may differ. */
  readonly isTypeInferred?: boolean
  /** Default true. */
  readonly nullable?: boolean | undefined
  /** By default whether it is generated. */
  readonly hasDefault?: boolean | undefined
  /** Default `no`. */
  readonly generated?: 'no' | 'always' | 'identity' | undefined
  /** A stored value may be outside of the type: reading a cell can fail. */
  readonly mayBeUnreadable?: boolean
  /** In the database's own words; by default those of PostgreSQL. */
  readonly nativeType?: string | undefined
  readonly nativeDefault?: string | undefined
  readonly collation?: string | undefined
  readonly native?: Readonly<Record<string, unknown>> | undefined
  readonly comment?: string | undefined
  readonly sequences?: readonly ColumnSequence[] | undefined
  /** See `Column.listed`. */
  readonly listed?: ListedValues | undefined
}
