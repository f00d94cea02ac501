import type { Connection } from './open-connection.ts'

/**
 * Rows whose foreign keys have no parent, in a database with keys that are checked as late as COMMIT; there is no other way to
 * find them earlier. If every key is checked immediately, no row is read.
 */
export function orphansOf({ database }: Connection): readonly string[] {
  const deferrable = `select 1 from sqlite_schema where sql like '%deferr%' limit 1`
  if (database.prepare(deferrable).get() === undefined) return []
  const rows = database.prepare<[], object>('pragma foreign_key_check').all()
  return rows.map((row) => Object.values(row).map(String).join(' '))
}
