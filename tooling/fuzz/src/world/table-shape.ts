/** @module Features of a table besides columns and rows. */

/** A unique index that does not identify rows. */
export interface OddIndex {
  readonly column: string
  /**
   * - `partial`: of some rows only. `folded`: texts that differ by case are one. `operators`: with other operators than the
   *   column's. `nullable`: with any number of NULLs.
   */
  readonly form: 'partial' | 'folded' | 'operators' | 'nullable'
}

export interface WorldTrigger {
  readonly when: 'before' | 'after'
  /** `sets`: the column becomes the value. `raises`: rows whose column has the value are refused. */
  readonly does: 'sets' | 'raises'
  readonly column: string
  readonly value: string
}

export interface TableShape {
  /** Columns of the primary key; none: there is no key, and ids may be duplicates. */
  readonly key: readonly string[]
  /** The key is checked at the end of a statement or of a transaction. */
  readonly deferrable: 'immediate' | 'deferred' | undefined
  /** PostgreSQL: some rows are in a table that inherits, whose ids may be those of others. */
  readonly hasChild: boolean
  /** PostgreSQL: the column that determines a row's partition; one partition in the middle, and one for all others. */
  readonly partitionedBy: 'id' | 'k' | undefined
  readonly indexes: readonly OddIndex[]
  readonly triggers: readonly WorldTrigger[]
  /** SQLite. */
  readonly isWithoutRowid: boolean
  /** Several rows may have one id. */
  readonly hasTwins: boolean
}
