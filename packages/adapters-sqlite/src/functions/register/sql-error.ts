/** @module Errors that the adapter's functions throw inside SQLite. */

/**
 * An error with PostgreSQL's SQLSTATE as its `code`: `E22012` for a division by zero. better-sqlite3 passes the object on
 * unchanged.
 */
export function sqlError(sqlState: string, message: string): Error {
  return Object.assign(new Error(message), { code: `E${sqlState}` })
}

/** The SQLSTATE in an error of `sqlError`, undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const { code } = error
  return typeof code === 'string' && /^E[0-9A-Z]{5}$/.test(code) ? code.slice(1) : undefined
}
