import type { DatabaseKind } from '@engine/contract'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeSystem } from '../sql-types/system/type-system.ts'
import type { KnownTraits } from './database-traits.ts'
import type { WriteOperation } from './operation.ts'
import type { UniqueIndex } from './unique-index.ts'

/** Everything known about the data sources, frozen. Rebuilt as a whole, with a new version. */
export interface Catalog {
  /** Grows with every rebuild; part of the plan cache key. */
  readonly version: number
  readonly connections: ReadonlyMap<string, Connection>
  /** The connection that `public` means, and a name without qualifier where there is no search path. */
  readonly defaultConnection: string | undefined
}

/** One named data source and its tables. */
export interface Connection {
  readonly name: string
  /** The kind that clients see. Nothing depends on it: see `traits`. */
  readonly kind: DatabaseKind
  readonly traits: KnownTraits
  /**
   * Where it shows several schemas of its database: tables of the first have plain names, those of the others `schema.table`.
   */
  readonly schemas?: readonly string[] | undefined
  /** Of a database that several connections share: their schemas by name. The first one is that of `name`. */
  readonly members?: ReadonlyMap<string, string> | undefined
  /** The database of a connection that shares it: see `databaseOf`. */
  readonly shared?: Connection | undefined
  readonly types: TypeSystem
  /** By name; those of a shared database by key. */
  readonly tables: ReadonlyMap<string, Table>
  /**
   * Partitions of these tables, by name as `tables`. Statements and permissions may name them, see `findTable`; lists leave them out, since there may be
   * thousands. Absent without any.
   */
  readonly partitions?: ReadonlyMap<string, Table> | undefined
  /** Every sequence of its schemas, also those that number no column: only callers without any restriction may name them. */
  readonly sequences?: readonly NamedSequence[] | undefined
  /** See `Introspection.schemaVersion`. */
  readonly schemaVersion?: string | undefined
}

/** A table or view as clients address it: `"<connection>"."<name>"`. */
export interface Table {
  readonly connection: string
  readonly name: string
  /** Its name in `tables` of the connection that statements run on: the same, unless several connections share a database. */
  readonly key: string
  readonly kind: 'table' | 'view'
  /** Its number in the database's catalog, which is `tableoid` in its rows; absent where rows have none. */
  readonly oid?: string | undefined
  /** The key of its partitioned table, for a partition: a table with permissions of its own. */
  readonly partitionOf?: string | undefined
  /** Equal for tables that may have the same rows: a table and its partitions, or those that inherit from each other. */
  readonly family?: string | undefined
  /** A statement names it with ONLY: without the rows of partitions and of tables that inherit from it. See `onlyOf`. */
  readonly isOnly?: true | undefined
  /** The database has row security: it selects rows by conditions that the engine does not know. */
  readonly hasRowSecurity?: boolean | undefined
  /** The comment of its owner. */
  readonly comment?: string | undefined
  /** Its name in the database: schema (undefined where there is none) and name. */
  readonly native: { readonly schema: string | undefined; readonly name: string }
  /** Its OIDs in the database, for clients of the wire protocol; absent where the database has none. */
  readonly oids?: TableOids | undefined
  /** In catalog order; `columns[i].ordinal === i`. */
  readonly columns: readonly Column[]
  /** Ordinals of the primary key; empty when there is none. */
  readonly primaryKey: readonly number[]
  /** Ordinals of every unique key that can identify a row (no partial or expression index), primary key excluded. */
  readonly uniqueKeys: readonly (readonly number[])[]
  /** Ordinals of columns that triggers may change before a row is stored; absent without such triggers. */
  readonly triggerColumns?: ReadonlySet<number> | undefined
  /** Of a view: how the database writes its rows. Absent where it cannot write views, or where that is not known. */
  readonly viewWrites?: ViewWrites | undefined
  /** Of a table: the writes for which it has a rule of the database, which may write anything instead. Absent without any. */
  readonly ruledWrites?: readonly WriteOperation[] | undefined
  /** Of a view: its query, for catalog queries only. Absent where the adapter does not read it. */
  readonly definition?: ViewDefinition | undefined
  /**
   * An INSERT runs nothing but code of the database itself (no trigger, rule, row security or function of a user), so that those of
   * several callers may share a transaction. Absent where that is not certain.
   */
  readonly hasPlainInserts?: true | undefined
  /**
   * Ordinals of the keys that are proven to identify one row of the table at any time, the primary key first, for adapters that
   * write rows by their keys. Absent where the adapter finds rows in another way.
   */
  readonly rowKeys?: readonly (readonly number[])[] | undefined
  /** The keys among them that are constraints of the database, by name; absent where the database names none. */
  readonly keyConstraints?: ReadonlyMap<string, readonly number[]> | undefined
  /** The unique indexes that are no such keys; absent where the adapter does not read them. */
  readonly uniqueIndexes?: readonly UniqueIndex[] | undefined
  readonly foreignKeys: readonly ForeignKey[]
  /** For catalog queries only: nothing else depends on it. Absent where the adapter does not read them. */
  readonly checks?: readonly Check[] | undefined
  /** For catalog queries and the names of constraints only; without the indexes of constraints. */
  readonly indexes?: readonly Index[] | undefined
  /** By relation name, seen from this table. */
  readonly relationships: ReadonlyMap<string, Relationship>
}

/** PostgreSQL's numbers of a table, of the type of its rows and of arrays of them. */
export interface TableOids {
  readonly table: number
  readonly rowType: number
  readonly rowArray: number
}

/** How the database writes the rows of a view. */
export interface ViewWrites {
  readonly insert: ViewWrite
  readonly update: ViewWrite
  readonly delete: ViewWrite
  /** The columns that are cells of `base`, by ordinal: the name of the cell's column there. A trigger may write others, too. */
  readonly columns: ReadonlyMap<number, string>
  /** The table that stores the rows, if it is known: its name in the database. */
  readonly base: { readonly schema: string; readonly name: string } | undefined
  /** Does it show every row of `base`? False where that is not known. */
  readonly showsEveryRow: boolean
  /** Keys of `base` that it shows, as ordinals of its own columns: targets of ON CONFLICT. */
  readonly keys: readonly (readonly number[])[]
}

/** The query of a view. It names what the view reads, and holds constants: `visibleDefinition` says who may know it. */
export interface ViewDefinition {
  /** As PostgreSQL's `pg_get_viewdef(view)` writes it, with the connection's first schema in the search path. */
  readonly text: string
  /** As `pg_get_viewdef(view, true)` writes it. */
  readonly pretty: string
  /** Keys of the tables and views that it names; undefined where it names one that the connection does not show. */
  readonly tables: readonly string[] | undefined
  /**
   * It names nothing besides: no system table, no sequence, nothing that users made, and no function that could look up a text.
   * False where that is not certain.
   */
  readonly isPlain: boolean
}

/** On the rows of the table that it shows, by an INSTEAD OF trigger, by a rule, or not at all. */
export type ViewWrite = 'table' | 'trigger' | 'rule' | 'none'

/** A column of a table or view. */
export interface Column {
  readonly name: string
  readonly ordinal: number
  readonly type: SqlType
  /** The type is inferred from stored rows, including rows hidden from the caller: with other rows the type may differ. */
  readonly isTypeInferred?: boolean
  readonly nullable: boolean
  /** Has a default, is generated, is an identity or a rowid alias: an INSERT may leave it out. */
  readonly hasDefault: boolean
  /** `always`: the client can never write it. `identity`: only with OVERRIDING SYSTEM VALUE. */
  readonly generated: 'no' | 'always' | 'identity'
  /** A stored value may be outside of the type: reading a cell can fail. */
  readonly mayBeUnreadable?: boolean
  /** The database's own spelling of the type. */
  readonly nativeType: string
  /** Default expression in the database's own SQL, where the adapter needs it (SQLite's DEFAULT in VALUES). */
  readonly nativeDefault: string | undefined
  /** Collation of text columns where it is not byte order; undefined elsewhere. */
  readonly collation: string | undefined
  /** Data that the adapter of this connection keeps about the column; opaque to core. */
  readonly native: Readonly<Record<string, unknown>> | undefined
  readonly comment: string | undefined
  /** `tableoid`: no column of the catalog, see `withTableOid`. Every caller who may read the table may read it. */
  readonly isSystem?: true | undefined
  /** The sequences that number the column; absent where there are none. */
  readonly sequences?: readonly ColumnSequence[] | undefined
  /** For `GET /schema` only: nothing else depends on it. Values of an enum type are in the type instead. */
  readonly listed?: ListedValues | undefined
}

/** The only values of a column, as far as its declaration lists them. */
export interface ListedValues {
  /** `one`: a value is one of the list. `several`: it is texts of the list, in its order, with commas between them. */
  readonly kind: 'one' | 'several'
  readonly values: readonly ListedValue[]
}

/** One value of a list in a declaration. */
export type ListedValue = string | number

export interface NamedSequence {
  /** Its name for clients, as the key of a table: `orders_id_seq` of the first schema, `auth.users_id_seq` of another one. */
  readonly key: string
  readonly native: { readonly schema: string; readonly name: string }
}

/** A sequence of the column's identity, one that the column owns, or one of its default. */
export interface ColumnSequence extends NamedSequence {
  readonly use: 'identity' | 'owned' | 'default'
  readonly options: SequenceOptions
}

/** As in `create sequence`; numbers are texts of PostgreSQL's bigint. */
export interface SequenceOptions {
  /** `smallint`, `integer` or `bigint`. */
  readonly type: string
  readonly start: string
  readonly increment: string
  readonly minimum: string
  readonly maximum: string
  readonly cache: string
  readonly cycles: boolean
}

/** A foreign key of a table. */
export interface ForeignKey {
  /** Name of the constraint, for catalog queries. */
  readonly name?: string | undefined
  /** Ordinals in this table. */
  readonly columns: readonly number[]
  /** Key of the referenced table in the same database. */
  readonly table: string
  /** Names of the referenced columns, in the order of `columns`. */
  readonly references: readonly string[]
  /** ON DELETE CASCADE: a row is deleted with the row that it refers to. */
  readonly cascades?: boolean
  /** The action on a row when the row that it refers to is deleted or changed; undefined is NO ACTION, or unknown. */
  readonly onDelete?: ReferentialAction | undefined
  readonly onUpdate?: ReferentialAction | undefined
}

/** The action of a foreign key, except NO ACTION. */
export type ReferentialAction = 'restrict' | 'cascade' | 'set null' | 'set default'

/** A check constraint of a table. */
export interface Check {
  readonly name: string
  /** Ordinals of the columns that it names. */
  readonly columns: readonly number[]
  /** In PostgreSQL's SQL: `CHECK ((quantity > 0))`. */
  readonly definition: string
}

/** An index that is not a key. */
export interface Index {
  readonly name: string
  /** Ordinals, in the order of the index; of an index with `parts`, of all columns that it depends on. */
  readonly columns: readonly number[]
  /** By column; absent where all of them ascend. */
  readonly orders?: readonly IndexOrder[] | undefined
  /** Absent for a B-tree. */
  readonly method?: IndexMethod | undefined
  readonly isUnique?: true | undefined
  /** Of an index with expressions or a condition; absent: its parts are its columns, and it has all rows. */
  readonly parts?: readonly IndexKey[] | undefined
  /** `(quantity > 0)`, in PostgreSQL's SQL; absent for an index of all rows. */
  readonly condition?: string | undefined
}

/** The name of a column, or an expression in PostgreSQL's SQL. */
export type IndexKey = { readonly column: string } | { readonly expression: string }

/** PostgreSQL's own access methods, with their default operator classes. */
export type IndexMethod = 'hash' | 'gist' | 'gin' | 'spgist' | 'brin'

/** As in `create index`. */
export type IndexOrder = 'asc' | 'asc nulls first' | 'desc' | 'desc nulls last'

/** The number of rows on the two sides of a relation. */
export type RelationshipType = 'one-to-one' | 'one-to-many' | 'many-to-one' | 'many-to-many'

/** A relation between two tables, seen from one of them. */
export interface Relationship {
  readonly name: string
  readonly type: RelationshipType
  /** Key of the related table in the same database. */
  readonly table: string
  /** Column names of this table and of the related one. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  /** The junction between the two, for many-to-many: its columns that refer to this table and to the related one. */
  readonly through:
    | { readonly table: string; readonly from: readonly string[]; readonly to: readonly string[] }
    | undefined
}
