/** @module Messages that the server sends. */
import type { Format } from './frontend-message.ts'

/** One column of a RowDescription. */
export interface FieldDescription {
  readonly name: string
  /** OID of the table; 0 where the column does not belong to one. */
  readonly tableOid: number
  /** Number of the column, from 1; 0 where the column does not belong to a table. */
  readonly columnNumber: number
  readonly typeOid: number
  /** Length in bytes where the OID does not determine it: enums have 4. */
  readonly typeLength?: number | undefined
  readonly typmod: number
  /** 0 also where it is not known yet. */
  readonly format: Format
}

export type TransactionStatus = 'I' | 'T' | 'E'

/** Fields of an ErrorResponse or NoticeResponse; those that are undefined are left out. */
export interface ErrorFields {
  readonly severity: 'ERROR' | 'FATAL' | 'PANIC' | 'WARNING' | 'NOTICE' | 'INFO'
  readonly sqlState: string
  readonly message: string
  readonly detail?: string | undefined
  readonly hint?: string | undefined
  /** From 1, in characters of the client's text. */
  readonly position?: number | undefined
  /** The context of the error: `COPY items, line 3`. */
  readonly context?: string | undefined
  readonly schema?: string | undefined
  readonly table?: string | undefined
  readonly column?: string | undefined
  readonly constraint?: string | undefined
  /** The function of PostgreSQL's source that raises the error. */
  readonly routine?: string | undefined
}

/** Writes messages into a buffer of the connection. The buffer is sent by `flush`, or when it is large. */
export interface MessageWriter {
  /** Names are sent in the encoding of the client. @throws {GatewayError} 22P05; nothing is written then. */
  rowDescription(fields: readonly FieldDescription[]): void
  /** A string is sent in the encoding of the client. @throws {GatewayError} 22P05; nothing is written then. */
  dataRow(cells: readonly (string | Uint8Array | null)[]): void
  commandComplete(tag: string): void
  parameterDescription(oids: readonly number[]): void
  parseComplete(): void
  bindComplete(): void
  closeComplete(): void
  noData(): void
  portalSuspended(): void
  emptyQueryResponse(): void
  readyForQuery(status: TransactionStatus): void
  error(fields: ErrorFields): void
  notice(fields: ErrorFields): void
  notification(processId: number, channel: string, payload: string): void
  parameterStatus(name: string, value: string): void
  copyInResponse(format: Format, columnCount: number): void
  copyOutResponse(format: Format, columnCount: number): void
  /** See `dataRow`. */
  copyData(data: string | Uint8Array): void
  copyDone(): void
  /** Whole messages that another server created. */
  raw(messages: Uint8Array): void
  flush(): void
  /**
   * Back-pressure: undefined while the client reads fast enough; otherwise a promise that resolves when the client has
   * read everything, or has disconnected. Never rejects.
   */
  drained(): Promise<void> | undefined
}
