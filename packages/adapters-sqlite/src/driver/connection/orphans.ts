import type { Connection } from './open-connection.ts'

/**
 * Rows whose foreign keys have no parent, in a database with keys that are checked as late as COMMIT; there is no other way to
 * find them earlier. If every key is checked immediately, no row is read.
 */
export function orphansOf(connection: Connection): readonly string[] {
  if (!hasDeferrableKeys(connection)) return []
  const rows = connection.database.prepare<[], object>('pragma foreign_key_check').all()
  return rows.map((row) => Object.values(row).map(String).join(' '))
}

/** May a foreign key be checked as late as COMMIT? */
export function hasDeferrableKeys({ database }: Connection): boolean {
  const deferrable = `select 1 from sqlite_schema where sql like '%deferr%' limit 1`
  return database.prepare(deferrable).get() !== undefined
}
