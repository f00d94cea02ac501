/** The PostgreSQL type of a column or expression. */
export interface SqlType {
  /** OID in PostgreSQL's pg_type; a connection's own types have the OID of that connection. */
  readonly oid: number
  /** Type modifier as in pg_attribute.atttypmod (`varchar(20)` is 24); -1 when there is none. */
  readonly typmod: number
}
