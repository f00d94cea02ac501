/** @module COPY on a real PostgreSQL, at the level of bytes. */
import type { Client, Connection, Submittable } from 'pg'

export interface CopyFailure {
  readonly code: string
  readonly message: string
  /** Position in the data: CONTEXT. */
  readonly where?: string | undefined
  /** Position in the statement, in characters from 1. */
  readonly position?: number | undefined
}

/** The result of a COPY: the CopyData messages of the answer, or the error. */
export type CopyOutcome =
  | { readonly ok: true; readonly messages: readonly Uint8Array[] }
  | { readonly ok: false; readonly error: CopyFailure }

interface CopyConnection {
  query(text: string): void
  sync(): void
  sendCopyFromChunk(data: Buffer): void
  endCopyFrom(): void
}

/** Runs one COPY statement; sends `data` piece by piece where the statement reads. */
export function copyWithPostgres(
  client: Client,
  sql: string,
  data: readonly Uint8Array[] = [],
): Promise<CopyOutcome> {
  return new Promise((resolve) => {
    const messages: Uint8Array[] = []
    const numberOf = (text: unknown) => (text === undefined ? undefined : Number(text))
    const submittable = {
      submit: (connection: Connection) => (connection as unknown as CopyConnection).query(sql),
      handleCopyInResponse: (connection: CopyConnection) => {
        for (const piece of data) connection.sendCopyFromChunk(Buffer.from(piece))
        connection.endCopyFrom()
      },
      handleCopyData: ({ chunk }: { readonly chunk: Uint8Array }) => {
        messages.push(Uint8Array.from(chunk))
      },
      handleCommandComplete: () => undefined,
      handleError: (failure: CopyFailure) => {
        resolve({
          ok: false,
          error: {
            code: failure.code,
            message: failure.message,
            where: failure.where,
            position: numberOf(failure.position),
          },
        })
      },
      handleReadyForQuery: () => {
        resolve({ ok: true, messages })
      },
    }
    client.query(submittable as unknown as Submittable)
  })
}
