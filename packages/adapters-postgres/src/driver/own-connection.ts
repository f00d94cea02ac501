/** @module A connection for one question about a backend: that backend itself is busy. */
import { Client, type QueryResult } from 'pg'

/**
 * Connects, asks, and disconnects.
 *
 * @param timeoutMs of the connection and of the answer, in milliseconds each.
 * @throws the driver's error.
 */
export async function askOnce(
  url: string,
  text: string,
  values: readonly unknown[],
  timeoutMs: number,
): Promise<QueryResult> {
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
    return await client.query(text, [...values])
  } finally {
    await client.end()
  }
}
