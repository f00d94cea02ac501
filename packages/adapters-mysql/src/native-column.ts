/** What the compiler wants to know about a column besides its type: `Column.native` of this adapter's connections. */
export interface MysqlColumnNative extends Readonly<Record<string, unknown>> {
  /** `information_schema.columns.data_type`: `int`, `varchar`, `datetime`, `enum`; `json` also on MariaDB. */
  readonly dataType: string
  readonly isUnsigned: boolean
  /** Of columns with text: `utf8mb4`, `latin1`. */
  readonly charset: string | undefined
  /** Of columns with text: `utf8mb4_general_ci`. */
  readonly collation: string | undefined
  /**
   * Of columns with text: the column itself compares by code point, and blanks at the end count. Then nothing has to be
   * said about collations.
   */
  readonly isBinaryCollation: boolean
  /** Digits behind the second of times. */
  readonly fractionDigits: number
  /** The database numbers rows that bring no value. */
  readonly isAutoIncrement: boolean
  /** The expression of its default, in the server's SQL; undefined when it has none or it is NULL. */
  readonly defaultExpression: string | undefined
  /** Names of the unique indexes that it is a part of, as a whole. */
  readonly uniqueIndexes: readonly string[]
  /** Its table has a unique index that is no key: over the beginning of a text, say, or over an expression. */
  readonly inHiddenUnique: boolean
}
