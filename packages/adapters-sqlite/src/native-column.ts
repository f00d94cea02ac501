/** How SQLite converts what is stored in a column. @see https://www.sqlite.org/datatype3.html#type_affinity */
export type Affinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric'

/** What the compiler wants to know about a column besides its type: `Column.native` of this adapter's connections. */
export interface SqliteColumnNative extends Readonly<Record<string, unknown>> {
  readonly affinity: Affinity
  /** The column is the rowid under another name: an integer key that fills itself in. */
  readonly isRowidAlias: boolean
  /** A name that reaches the rowid of the table; undefined where there is none: views, WITHOUT ROWID. */
  readonly rowidName: 'rowid' | '_rowid_' | 'oid' | undefined
  /** The table checks the types of its values. */
  readonly isStrict: boolean
  /** Part of a PRIMARY KEY in which SQLite, unlike others, stores NULL, although the column counts as not nullable. */
  readonly storesNull: boolean
  /**
   * Every value that introspection looked at is stored as this adapter stores it, so that it can be compared as it is. See
   * `sampleColumns`.
   */
  readonly isCanonical: boolean
}
