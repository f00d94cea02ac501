/** @module The error that a function of ours throws inside SQLite. */

/**
 * An error with the SQLSTATE that PostgreSQL would give, as `code`: `E22012` for a division by zero. better-sqlite3
 * hands the object through unchanged.
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
