import { type RawBuilder, sql } from 'kysely'

/** Does a column contain a text? Ignores letter case. `!` is the escape character on every database; a backslash is not. */
export function contains(column: string, search: string): RawBuilder<boolean> {
  const pattern = `%${search.toLowerCase().replace(/[!%_]/g, '!$&')}%`
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '!'`
}
