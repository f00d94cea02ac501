/** Answer of `GET /schema`: structure, never data. */
export interface SchemaDocument {
  /** By connection name. */
  readonly connections: Readonly<Record<string, ConnectionDescription>>
  /** By action name; absent where there are none. */
  readonly actions?: Readonly<Record<string, ActionDescription>>
}

/** What a connection speaks to: one of ours, or the name that another adapter gives. */
export type DatabaseKind = 'postgres' | 'mysql' | 'sqlite' | 'csv' | (string & {})

/** A connection with its tables and views. */
export interface ConnectionDescription {
  readonly type: DatabaseKind
  /** Tables and views, by name. */
  readonly tables: Readonly<Record<string, TableDescription>>
}

/** A table or view with its columns and relations. */
export interface TableDescription {
  /** What its owner wrote about it; absent where there is nothing. */
  readonly comment?: string
  /** By column name, in the order of the table. */
  readonly columns: Readonly<Record<string, ColumnDescription>>
  /** By relation name; empty where the table stands alone. */
  readonly relationships: Readonly<Record<string, RelationshipDescription>>
}

/** A column of a table or view. */
export interface ColumnDescription {
  /**
   * PostgreSQL's name of the type that values have on the wire, whatever the database: `integer`, `numeric(10,2)`,
   * `timestamp without time zone`, `text[]`. A domain has the name of the type beneath it; a name that PostgreSQL does
   * not bring along is a type of the database's own, an enum say, whose values are texts.
   */
  readonly type: string
  /** Name of the domain that the column is declared with; absent where there is none. */
  readonly domain?: string
  /**
   * The only values of the column, or of the elements of an array: those of an enum, or those that a check lists
   * (`check (status in ('new', 'paid'))`). Absent where the schema lists none.
   */
  readonly enum?: readonly (string | number)[]
  /** A SET of MySQL: a value is any of these texts, in this order, with commas between them. */
  readonly set?: readonly string[]
  /** Whether the column accepts NULL. */
  readonly nullable: boolean
  /** An INSERT may leave the column out: a default, an identity, a rowid alias, a generated column. */
  readonly hasDefault: boolean
  /** Part of the primary key. */
  readonly primaryKey: boolean
  /**
   * Only where the column is an identity. `always`: a value is refused, unless the INSERT says OVERRIDING SYSTEM VALUE; an UPDATE can
   * set it to DEFAULT alone.
   */
  readonly identity?: 'always' | 'byDefault'
  /** Only where the database computes the column: no statement can write it. */
  readonly generated?: true
  /** What its owner wrote about it; absent where there is nothing. */
  readonly comment?: string
}

/** A relation of a table to another one of its connection, or to itself. */
export interface RelationshipDescription {
  /** `<connection>.<table>` */
  readonly table: string
  readonly type: 'one-to-one' | 'one-to-many' | 'many-to-one' | 'many-to-many'
  /** Columns here; a list where there are several. */
  readonly from: string | readonly string[]
  /** Columns there, in the same order; through a junction, the columns that it refers to on either side. */
  readonly to: string | readonly string[]
}

/** What an action takes and gives, as JSON Schema. */
export interface ActionDescription {
  readonly input: JsonSchema
  /** Absent where the action defines none. */
  readonly output?: JsonSchema
}

/** A JSON Schema of draft 2020-12; `{}` says nothing. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Names the connections, with `, ` between them, whose tables `GET /schema` could not tell: the database was never reached. */
export const schemaIncompleteHeader = 'X-Schema-Incomplete'
