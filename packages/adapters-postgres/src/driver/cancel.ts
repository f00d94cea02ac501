import type { Log } from '@engine/core'
import { Client } from 'pg'

/** Stops what a backend is running. Resolves when the server was told, or could not be. */
export type CancelBackend = (backendPid: number) => Promise<void>

/** How long the server may take, in milliseconds. */
const timeoutMs = 5_000

/** Cancels over connections of its own, one at a time: when many requests end at once they wait for each other. */
export function createCancel(url: string, log: Log): CancelBackend {
  let last: Promise<void> = Promise.resolve()
  return (backendPid) => {
    last = last
      .then(() => cancelBackend(url, backendPid))
      .catch((err: unknown) => {
        log.warn({ err }, 'a database query could not be cancelled')
      })
    return last
  }
}

async function cancelBackend(url: string, backendPid: number): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    fallback_application_name: 'engine',
  })
  // A connection that breaks here fails the query below as well.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select pg_catalog.pg_cancel_backend($1)', [backendPid])
  } finally {
    await client.end()
  }
}
