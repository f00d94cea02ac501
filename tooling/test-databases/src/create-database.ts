import { Client } from 'pg'
import { databaseName } from './database-name.ts'

/**
 * Creates an empty database in UTC.
 *
 * @param serverUrl URL of a role that may create databases
 * @param name its purpose; only a part of its real name, which is new each time
 * @param prefix the beginning of its real name, for `dropDatabases`
 * @returns its URL
 */
export async function createDatabase(
  serverUrl: string,
  name: string,
  prefix = 'engine_test_',
): Promise<string> {
  const database = databaseName(name, prefix)
  await withClient(serverUrl, async (client) => {
    await client.query(`create database "${database}" template template0`)
    await client.query(`alter database "${database}" set timezone to 'UTC'`)
  })
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Drops every database whose name begins with `prefix`, even one that is in use. */
export async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    )
    for (const { datname } of rows) {
      await client.query(`drop database if exists "${datname}" with (force)`)
    }
  })
}

async function withClient(url: string, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}
