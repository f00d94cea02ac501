/** The limits of a statement; `limits` of the configuration. */
export interface StatementLimits {
  readonly maxRows: number
  /** Tables on the longest chain of joins and subqueries. */
  readonly maxRelationDepth: number
  /** AND, OR and NOT inside each other. */
  readonly maxFilterNesting: number
  /** Conditions of one statement. */
  readonly maxFilterConditions: number
}
