import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import { databaseName } from './database-name.ts'

/**
 * Creates an empty database with the server's own collation.
 *
 * @param serverUrl URL of a user who may create databases
 * @param name what it is for; only a part of its real name, which is new each time
 * @param prefix how its real name begins, for `dropMysqlDatabases`
 * @returns its URL
 */
export async function createMysqlDatabase(
  serverUrl: string,
  name: string,
  prefix = 'engine_test_',
): Promise<string> {
  const database = databaseName(name, prefix)
  await withConnection(serverUrl, async (connection) => {
    await connection.query(`create database \`${database}\``)
  })
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Drops every database whose name begins with `prefix`. */
export async function dropMysqlDatabases(serverUrl: string, prefix: string): Promise<void> {
  await withConnection(serverUrl, async (connection) => {
    const [rows] = await connection.execute<RowDataPacket[]>(
      'select schema_name as name from information_schema.schemata where locate(?, schema_name) = 1',
      [prefix],
    )
    for (const { name } of rows) await connection.query(`drop database if exists \`${name}\``)
  })
}

async function withConnection(
  url: string,
  use: (connection: Connection) => Promise<void>,
): Promise<void> {
  const connection = await createConnection(url)
  try {
    await use(connection)
  } finally {
    await connection.end()
  }
}
