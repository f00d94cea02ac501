/**
 * Statements of the corpus that the gateway refuses with a clear 400 on PostgreSQL too. The list can only shrink: the
 * test of a statement that is answered fails until it is removed here.
 */
export const refusedOnPostgres: ReadonlySet<string> = new Set(['postgres-only: tablesample of all'])
