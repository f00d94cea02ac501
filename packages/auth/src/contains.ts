import { type RawBuilder, sql } from 'kysely'

/** Does a column contain a text? Ignores letter case. `!` is the escape character on every database; a backslash is not. */
export function contains(column: string, search: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${sql.ref(column)}) like ${likePattern(search)} escape '!'`
}

/** For a comparison of lower-case texts with the escape character `!`. */
export function likePattern(search: string): string {
  return `%${search.toLowerCase().replace(/[!%_]/g, '!$&')}%`
}
