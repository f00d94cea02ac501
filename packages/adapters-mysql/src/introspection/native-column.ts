/** The facts about a column that the compiler needs besides its type: `Column.native` of this adapter's connections. */
export interface MysqlColumnNative extends Readonly<Record<string, unknown>> {
  /** `information_schema.columns.data_type`: `int`, `varchar`, `datetime`, `enum`; `json` also on MariaDB. */
  readonly dataType: string
  readonly isUnsigned: boolean
  /** For columns with text: `utf8mb4`, `latin1`. */
  readonly charset: string | undefined
  /** For columns with text: `utf8mb4_general_ci`. */
  readonly collation: string | undefined
  /**
   * For columns with text: the column itself compares by code point, and blanks at the end are significant. Then SQL needs no
   * collation.
   */
  readonly isBinaryCollation: boolean
  /** Digits after the second of times. */
  readonly fractionDigits: number
  /** The database numbers rows without a value. */
  readonly isAutoIncrement: boolean
  /** The expression of its default, in the server's SQL; undefined when it has none or it is NULL. */
  readonly defaultExpression: string | undefined
  /** Names of the unique indexes that contain the whole column. */
  readonly uniqueIndexes: readonly string[]
  /** Its table has a unique index that is not a key: for example on the beginning of a text, or on an expression. */
  readonly inHiddenUnique: boolean
  /** Its table has no primary key but the one that the server generated, over an invisible number. */
  readonly besideGeneratedKey: boolean
}

/** The name of that number. */
export const generatedKeyName = 'my_row_id'
