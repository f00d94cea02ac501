import type { Connection } from './open-connection.ts'

/**
 * Rows whose foreign keys have no parent, in a database that may check its keys as late as at COMMIT; there is no other way
 * to ask for them before. Where every key is checked at once nothing is looked at.
 */
export function orphansOf({ database }: Connection): readonly string[] {
  const deferrable = `select 1 from sqlite_schema where sql like '%deferr%' limit 1`
  if (database.prepare(deferrable).get() === undefined) return []
  const rows = database.prepare<[], object>('pragma foreign_key_check').all()
  return rows.map((row) => Object.values(row).map(String).join(' '))
}
