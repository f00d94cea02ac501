import type { Log } from '@engine/core/adapter'
import { type ConnectionOptions, createConnection } from 'mysql2'

/** Stops the statement that a connection is running. Resolves when the request was sent, or could not be sent. */
export type CancelStatement = (threadId: number) => Promise<void>

/** How long the server may take, in milliseconds. */
const timeoutMs = 5_000

/** Cancels over separate connections, one at a time: when many requests end at once, they wait for each other. */
export function createCancel(options: ConnectionOptions, log: Log): CancelStatement {
  let last: Promise<void> = Promise.resolve()
  return (threadId) => {
    last = last
      .then(() => cancelStatement(options, threadId))
      .catch((err: unknown) => {
        log.warn({ err }, 'a database query could not be cancelled')
      })
    return last
  }
}

function cancelStatement(options: ConnectionOptions, threadId: number): Promise<void> {
  const connection = createConnection({ ...options, connectTimeout: timeoutMs })
  return new Promise<void>((resolve, reject) => {
    connection.on('error', reject)
    connection.query({ sql: `kill query ${threadId}`, timeout: timeoutMs }, (error) => {
      // The connection is closed, and its statement with it.
      if (error === null || error.errno === noSuchThread) resolve()
      else reject(error)
    })
  }).finally(() => connection.destroy())
}

const noSuchThread = 1094
