import { Client } from 'pg'

/** The version of a running server, without what its distribution adds: `15.14`. */
export async function postgresVersion(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]?.server_version.split(' ')[0] ?? ''
  } finally {
    await client.end()
  }
}
