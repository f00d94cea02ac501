import type { Client, Connection, Submittable } from 'pg'

interface CopyConnection {
  query(text: string): void
  sendCopyFromChunk(data: Buffer): void
  endCopyFrom(): void
}

/** Runs COPY … FROM STDIN. @throws the server's error. */
export function copyIn(client: Client, sql: string, data: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const submittable = {
      submit: (connection: Connection) => (connection as unknown as CopyConnection).query(sql),
      handleCopyInResponse: (connection: CopyConnection) => {
        connection.sendCopyFromChunk(Buffer.from(data))
        connection.endCopyFrom()
      },
      handleCommandComplete: () => undefined,
      handleError: reject,
      handleReadyForQuery: () => resolve(),
    }
    client.query(submittable as unknown as Submittable)
  })
}
