import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import { databaseName } from '../database-name.ts'

/**
 * Creates an empty database.
 *
 * @param serverUrl URL of a user who may create databases
 * @param name its purpose; only a part of its real name, which is new each time
 * @param prefix the beginning of its real name, for `dropMysqlDatabases`
 * @param collation default of its tables: the one that TEST_MYSQL_COLLATION names, or else the server's own
 * @returns its URL
 */
export async function createMysqlDatabase(
  serverUrl: string,
  name: string,
  prefix = 'engine_test_',
  collation: string | undefined = process.env['TEST_MYSQL_COLLATION'],
): Promise<string> {
  const database = databaseName(name, prefix)
  await withConnection(serverUrl, async (connection) => {
    const collated = collation ? ` collate ${collation}` : ''
    await connection.query(`create database \`${database}\`${collated}`)
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
