/** @module Unique indexes that ON CONFLICT can name only by an expression, a condition, a collation or an operator class. */

/** SQL of the database's own catalog. Introspection alone makes it; a printer may repeat it, see `catalogSql`. */
export interface NativeSql {
  readonly native: string
}

/** A collation or an operator class: its name, and how the database spells it. */
export interface NamedSql extends NativeSql {
  /** Without its schema. */
  readonly name: string
}

/**
 * A unique index of expressions, of some rows only, or with another collation or operator class than its columns have. It is
 * checked at once, for every row that a statement stores.
 */
export interface UniqueIndex {
  readonly name: string
  /** In the order of the index. */
  readonly parts: readonly IndexPart[]
  /** The rows that it is over; absent for all rows. */
  readonly condition?: NativeSql | undefined
  /** Its expressions have the values that they have in a statement, and `=` compares them as it does. Absent where that is not certain. */
  readonly isLikeStatements?: true | undefined
}

/** A column or an expression of an index. */
export interface IndexPart extends NativeSql {
  /** Absent where the part has none. */
  readonly collation?: NamedSql | undefined
  /** Absent where the database has no operator classes. */
  readonly operatorClass?: NamedSql | undefined
}
