/** @module One exchange with the server: messages out, answers in, until ReadyForQuery. */
import { columnTypes, commandTag, databaseError } from './backend-messages.ts'
import { messages } from './frames.ts'

/** Callbacks for the answers of an exchange. */
export interface ExchangeOptions {
  readonly onColumns: (oids: readonly number[]) => void
  /** A DataRow from `start` to `end`. If it throws, the exchange ends with that error and skips the remaining rows. */
  readonly onRow: (bytes: Buffer, start: number, end: number) => void
  /** Number of expected ParseComplete messages; the last one is that of the statement itself. */
  readonly parses: number
  readonly onParsed: () => void
  /** Called with the error of the exchange, or undefined, before its caller gets the outcome. */
  readonly onEnd: (error: unknown) => void
  /** Number of the command, from 0, that returns the rows and the tag; undefined: none does. */
  readonly answers: number | undefined
  /** Rows are not buffered, so the answer may have any size. */
  readonly isHandedOn?: boolean
}

/** An exchange in progress. */
export interface Exchange {
  /** Bytes of the rows that are buffered until the answer ends. */
  readonly bytesKept: () => number
  /** A message of the server: `bytes` from `start` to `end`. */
  take(type: number, bytes: Buffer, start: number, end: number): void
  /** Ends the exchange, with its first error. */
  settle(): void
  /** Only the first error counts. */
  fail(error: unknown): void
}

/** @param done is called once, with the command tag or an error. */
export function createExchange(
  { onColumns, onRow, parses, answers, onParsed, isHandedOn = false }: ExchangeOptions,
  done: (outcome: { readonly tag: string; readonly error: unknown }) => void,
): Exchange {
  let rowBytes = 0
  let parsesPending = parses
  let completed = 0
  let tag = ''
  let error: unknown
  return {
    bytesKept: () => rowBytes,
    take: (type, bytes, start, end) => {
      switch (type) {
        case messages.dataRow:
          if (!isHandedOn) rowBytes += end - start
          if (error !== undefined || completed !== answers) return
          try {
            onRow(bytes, start, end)
          } catch (thrown) {
            // Thrown here, the error would reach the socket.
            error = thrown
          }
          return
        case messages.commandComplete:
          if (completed === answers) tag = commandTag(bytes, start, end)
          completed += 1
          return
        case messages.portalSuspended:
          completed += 1
          return
        case messages.parseComplete:
          parsesPending -= 1
          if (parsesPending === 0) onParsed()
          return
        case messages.rowDescription:
          if (error !== undefined) return
          try {
            onColumns(columnTypes(bytes, start))
          } catch (thrown) {
            error = thrown
          }
          return
        case messages.error:
          error = databaseError(bytes, start, end)
          return
        default:
      }
    },
    settle: () => done({ tag, error }),
    fail: (reason) => {
      error ??= reason
    },
  }
}
