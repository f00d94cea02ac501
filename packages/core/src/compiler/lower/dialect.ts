/** Which of PostgreSQL's features a database has. */
export interface LoweringDialect {
  /** The name that users know: for refusals. */
  readonly database: string
  /**
   * LATERAL stays; or it becomes a table function over any query (`rowsOfQuery`), or over one whose rows can be listed in place
   * (see `canBeListed`).
   */
  readonly lateral: 'native' | 'rows' | 'listedRows'
  /** Subqueries in FROM see the columns outside their query. */
  readonly derivedSeesOutside: boolean
  /** WITH queries of an inner query see WITH queries of outer queries. */
  readonly withSeesOutside: boolean
  /** A scalar subquery with several rows fails; else the subquery is marked with `singleRow`. */
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
  /** ORDER BY of a subquery in FROM decides the row order of the query around it. */
  readonly keepsInnerOrder: boolean
}
