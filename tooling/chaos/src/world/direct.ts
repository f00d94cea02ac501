/** @module Direct access to the databases, without the service. */
import Database from 'better-sqlite3'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import pg from 'pg'

/** Runs statements of the database's own; the rows of the last one. */
export type Direct = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

export function directPostgres(url: string): Direct {
  return async (sql) => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows
    } finally {
      await client.end()
    }
  }
}

export function directMysql(url: string): Direct {
  return async (sql) => {
    const connection = await createConnection({ uri: url, connectTimeout: 10_000 })
    try {
      const [rows] = await connection.query<RowDataPacket[]>(sql)
      return Array.isArray(rows) ? rows : []
    } finally {
      await connection.end()
    }
  }
}

export function directSqlite(path: string): Direct {
  return async (sql) => {
    const database = new Database(path, { timeout: 10_000 })
    try {
      const statement = database.prepare<[], Record<string, unknown>>(sql)
      if (statement.reader) return statement.all()
      statement.run()
      return []
    } finally {
      database.close()
    }
  }
}
