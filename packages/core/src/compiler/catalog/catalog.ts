import type { DatabaseKind } from '@engine/contract'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeSystem } from '../sql-types/system/type-system.ts'
import type { KnownTraits } from './database-traits.ts'

/** Everything known about the data sources, frozen. Rebuilt as a whole, with a new version. */
export interface Catalog {
  /** Grows with every rebuild; part of the plan cache key. */
  readonly version: number
  readonly connections: ReadonlyMap<string, Connection>
}

/** One named data source and its tables. */
export interface Connection {
  readonly name: string
  /** As clients see it. Decides nothing: see `traits`. */
  readonly kind: DatabaseKind
  readonly traits: KnownTraits
  readonly types: TypeSystem
  readonly tables: ReadonlyMap<string, Table>
}

/** A table or view as clients address it: `"<connection>"."<name>"`. */
export interface Table {
  readonly connection: string
  readonly name: string
  readonly kind: 'table' | 'view'
  /** The database chooses among its rows by conditions of its own, of which nothing is known. */
  readonly hasRowSecurity?: boolean | undefined
  /** What its owner says of it. */
  readonly comment?: string | undefined
  /** How the database itself names it: schema (undefined where there is none) and name. */
  readonly native: { readonly schema: string | undefined; readonly name: string }
  /** In catalog order; `columns[i].ordinal === i`. */
  readonly columns: readonly Column[]
  /** Ordinals of the primary key; empty when there is none. */
  readonly primaryKey: readonly number[]
  /** Ordinals of every unique key that can identify a row (no partial or expression index), primary key excluded. */
  readonly uniqueKeys: readonly (readonly number[])[]
  /** Ordinals of columns that triggers may change before a row is stored; absent without such triggers. */
  readonly triggerColumns?: ReadonlySet<number> | undefined
  /**
   * Ordinals of the keys that are proven to find one row of the table at any time, the primary key first, for adapters that
   * write rows by their keys. Absent where the adapter finds rows otherwise.
   */
  readonly rowKeys?: readonly (readonly number[])[] | undefined
  /** Of those keys, the ones that the database has as constraints, by their names; absent where it names none. */
  readonly keyConstraints?: ReadonlyMap<string, readonly number[]> | undefined
  readonly foreignKeys: readonly ForeignKey[]
  /** For those who ask what there is: nothing else depends on it. Absent where the adapter does not read them. */
  readonly checks?: readonly Check[] | undefined
  /** The same; those of keys and those over expressions or some rows only are not among them. */
  readonly indexes?: readonly Index[] | undefined
  /** By relation name, seen from this table. */
  readonly relationships: ReadonlyMap<string, Relationship>
}

export interface Column {
  readonly name: string
  readonly ordinal: number
  readonly type: SqlType
  /** The type is what stored rows say, those included that a caller may not see: other rows, another type. */
  readonly isTypeInferred?: boolean
  readonly nullable: boolean
  /** Has a default, is generated, is an identity or a rowid alias: an INSERT may leave it out. */
  readonly hasDefault: boolean
  /** `always`: the client can never write it. `identity`: only with OVERRIDING SYSTEM VALUE. */
  readonly generated: 'no' | 'always' | 'identity'
  /** Something stored may be no value of the type: reading a cell can fail. */
  readonly mayBeUnreadable?: boolean
  /** The database's own spelling of the type. */
  readonly nativeType: string
  /** Default expression in the database's own SQL, where the adapter needs it (SQLite's DEFAULT in VALUES). */
  readonly nativeDefault: string | undefined
  /** Collation of text columns where it is not byte order; undefined elsewhere. */
  readonly collation: string | undefined
  /** Whatever the adapter of this connection wants to remember about the column; opaque to core. */
  readonly native: Readonly<Record<string, unknown>> | undefined
  readonly comment: string | undefined
}

export interface ForeignKey {
  /** Of the constraint, for those who ask what there is. */
  readonly name?: string | undefined
  /** Ordinals in this table. */
  readonly columns: readonly number[]
  /** Name of the referenced table in the same connection. */
  readonly table: string
  /** Names of the referenced columns, in the order of `columns`. */
  readonly references: readonly string[]
  /** ON DELETE CASCADE: a row goes with the row that it refers to. */
  readonly cascades?: boolean
  /** What becomes of a row when the one that it refers to goes or changes; undefined is NO ACTION, or not known. */
  readonly onDelete?: ReferentialAction | undefined
  readonly onUpdate?: ReferentialAction | undefined
}

export type ReferentialAction = 'restrict' | 'cascade' | 'set null' | 'set default'

export interface Check {
  readonly name: string
  /** Ordinals of the columns that it names. */
  readonly columns: readonly number[]
  /** In PostgreSQL's SQL: `CHECK ((quantity > 0))`. */
  readonly definition: string
}

export interface Index {
  readonly name: string
  /** Ordinals, in the order of the index. */
  readonly columns: readonly number[]
  /** By column; absent where all of them ascend. */
  readonly orders?: readonly IndexOrder[] | undefined
}

/** As `create index` has it. */
export type IndexOrder = 'asc' | 'asc nulls first' | 'desc' | 'desc nulls last'

export type RelationshipType = 'one-to-one' | 'one-to-many' | 'many-to-one' | 'many-to-many'

export interface Relationship {
  readonly name: string
  readonly type: RelationshipType
  /** Related table in the same connection. */
  readonly table: string
  /** Column names here and there. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  /** The junction between the two, for many-to-many: its columns towards here and towards there. */
  readonly through:
    | { readonly table: string; readonly from: readonly string[]; readonly to: readonly string[] }
    | undefined
}
