/** @module What "Query" and "Explain" keep of a statement that was not sent: never the caller, which may be a token. */

export interface StatementDraft {
  readonly sql: string
  /** As typed: a JSON list. */
  readonly params: string
}

/** @returns undefined for a value of another kind. */
export function statementIn(value: unknown): StatementDraft | undefined {
  const { sql, params } = value as Partial<StatementDraft>
  return typeof sql === 'string' && typeof params === 'string' ? { sql, params } : undefined
}
