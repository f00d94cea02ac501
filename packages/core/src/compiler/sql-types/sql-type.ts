/** The PostgreSQL type of a column or expression. */
export interface SqlType {
  /** OID in PostgreSQL's pg_type; a connection's own types have the OID of that connection. */
  readonly oid: number
  /** Type modifier as in pg_attribute.atttypmod (`varchar(20)` is 24); -1 when there is none. */
  readonly typmod: number
  /** Of a `record`, or an array of records: the fields of a row. Absent where an expression has no such value. */
  readonly fields?: readonly RowField[]
}

/** A field of a row: `f1` of `row(a, b)`, `id` of a row of a table. */
export interface RowField {
  readonly name: string
  readonly type: SqlType
}
