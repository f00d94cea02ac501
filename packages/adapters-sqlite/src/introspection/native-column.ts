/** SQLite's conversion of values stored in a column. @see https://www.sqlite.org/datatype3.html#type_affinity */
export type Affinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric'

/** The facts about a column that the compiler needs besides its type: `Column.native` of this adapter's connections. */
export interface SqliteColumnNative extends Readonly<Record<string, unknown>> {
  readonly affinity: Affinity
  /** The column is the rowid under another name: an integer key with automatic values. */
  readonly isRowidAlias: boolean
  /** A name of the table's rowid; undefined where there is none: views, WITHOUT ROWID. */
  readonly rowidName: 'rowid' | '_rowid_' | 'oid' | undefined
  /** The table checks the types of its values. */
  readonly isStrict: boolean
  /** Part of a PRIMARY KEY in which SQLite, unlike other databases, allows NULL, although the column counts as not nullable. */
  readonly storesNull: boolean
  /** Every sampled value has this adapter's stored form, so that it can be compared directly. See `sampleColumns`. */
  readonly isCanonical: boolean
}
