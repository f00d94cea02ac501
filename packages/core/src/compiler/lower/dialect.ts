/** What a database can do of what PostgreSQL can. */
export interface LoweringDialect {
  /** As people call it: for refusals. */
  readonly database: string
  /**
   * What becomes of LATERAL: it stays; or it becomes a table function over any query (`rowsOfQuery`), or over one whose rows
   * can be listed where they are (see `canBeListed`).
   */
  readonly lateral: 'native' | 'rows' | 'listedRows'
  /** Subqueries in FROM see what is outside their query. */
  readonly derivedSeesOutside: boolean
  /** WITH queries of an inner query see those of outer queries. */
  readonly withSeesOutside: boolean
  /** A scalar subquery of several rows fails; else it is marked with `singleRow`. */
  readonly refusesSeveralRows: boolean
  readonly hasFullJoin: boolean
  /** Aggregates have FILTER. */
  readonly hasFilter: boolean
  /** Expressions may have aggregates and window functions among their operands. */
  readonly calculatesWithCalls: boolean
  /** `lag(x, n, default)` */
  readonly hasLagDefault: boolean
  /** INTERSECT ALL and EXCEPT ALL. */
  readonly hasAllOfSets: boolean
  /** `array(select ...)` */
  readonly hasArraySubquery: boolean
  /** `x in (select ... limit 3)`, and LIMIT takes any expression. */
  readonly hasFreeLimit: boolean
  /** ORDER BY of a subquery in FROM counts for what reads it. */
  readonly keepsInnerOrder: boolean
}
