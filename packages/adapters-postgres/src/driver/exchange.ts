/** @module One exchange with the server: what is sent, what becomes of the answers, until it is ready again. */
import { type Connection, DatabaseError } from 'pg'

/** What is sent and who hears of the answers. */
export interface ExchangeOptions {
  /** Whole messages up to Sync, sent in one write. */
  readonly submit: () => readonly Buffer[]
  readonly onColumns: (oids: readonly number[]) => void
  /** In text format. What it throws is what the exchange ends with; the rows behind are passed over. */
  readonly onRow: (cells: readonly (string | null)[]) => void
  /** How many ParseComplete messages come; the last one is that of the statement itself. */
  readonly parses: number
  readonly onParsed: () => void
}

/** An exchange that is under way. One at a time on a connection. */
export interface Exchange {
  /** Received since the answer began, or since the last row that was handed on. */
  readonly bytes: () => number
  /** @param isHandedOn rows are not kept: only what came since the last one counts. */
  count(bytes: number, isHandedOn: boolean): void
  parsed(): void
  /** Ends it, with the first error that there was. */
  settle(): void
  /** The first error counts. */
  fail(error: unknown): void
  /** What node-postgres calls. */
  readonly submittable: Submittable
}

/** What node-postgres calls while it runs our query. */
interface Submittable {
  submit(connection: Connection): void
  handleRowDescription(message: {
    readonly fields: readonly { readonly dataTypeID: number }[]
  }): void
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void
  handlePortalSuspended(): void
  handleCommandComplete(message: { readonly text: string }): void
  handleError(error: unknown): void
  handleReadyForQuery(): void
  handleEmptyQuery(): void
}

/** @param done is called once, with the command tag or an error. */
export function createExchange(
  { submit, onColumns, onRow, parses, onParsed }: ExchangeOptions,
  done: (outcome: { readonly tag: string; readonly error: unknown }) => void,
): Exchange {
  let bytes = 0
  let hasRows = false
  let parsesPending = parses
  let tag = ''
  let error: unknown
  const settle = () => done({ tag, error })
  /** An error thrown here would end up in the socket. */
  const guarded = (work: () => void) => {
    if (error !== undefined) return
    try {
      work()
    } catch (thrown) {
      error = thrown
    }
  }
  return {
    bytes: () => bytes,
    count: (more, isHandedOn) => {
      bytes = isHandedOn && hasRows ? more : bytes + more
      hasRows = false
    },
    parsed: () => {
      parsesPending -= 1
      if (parsesPending === 0) onParsed()
    },
    settle,
    fail: (reason) => {
      error ??= reason
    },
    submittable: {
      submit: (connection) => {
        // One that has ended says so itself.
        if (connection.stream.writable) connection.stream.write(Buffer.concat(submit()))
      },
      handleRowDescription: ({ fields }) =>
        guarded(() => onColumns(fields.map(({ dataTypeID }) => dataTypeID))),
      handleDataRow: ({ fields }) => {
        hasRows = true
        guarded(() => onRow(fields))
      },
      handlePortalSuspended: () => undefined,
      handleCommandComplete: ({ text }) => {
        tag = text
      },
      handleError: (reason) => {
        error = reason
        // The server's own error is followed by ReadyForQuery or by the end of the connection.
        if (!(reason instanceof DatabaseError)) settle()
      },
      handleReadyForQuery: () => undefined,
      handleEmptyQuery: () => undefined,
    },
  }
}
