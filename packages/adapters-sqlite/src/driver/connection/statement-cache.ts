import type Database from 'better-sqlite3'

/** The most cached prepared statements; each needs some ten kilobytes. */
const maxStatements = 256

export type PreparedStatement = Database.Statement<unknown[], unknown>

export type StatementCache = (sql: string) => PreparedStatement

/** Prepares a text once and caches it while it is in use; SQLite itself prepares it again when the schema changes. */
export function createStatementCache(database: Database.Database): StatementCache {
  const statements = new Map<string, PreparedStatement>()
  return (sql) => {
    const known = statements.get(sql)
    if (known !== undefined) {
      statements.delete(sql)
      statements.set(sql, known)
      return known
    }
    const statement = database.prepare<unknown[], unknown>(sql)
    if (statement.reader) statement.raw()
    statements.set(sql, statement)
    if (statements.size > maxStatements) {
      const [oldest] = statements.keys()
      if (oldest !== undefined) statements.delete(oldest)
    }
    return statement
  }
}
