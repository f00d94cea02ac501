/** @module One exchange with the server: messages out, answers in, until ReadyForQuery. */
import { columnTypes, commandTag, databaseError } from './protocol/backend-messages.ts'
import { messages } from './protocol/frames.ts'

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
  bytesKept(): number
  /** A message of the server: `bytes` from `start` to `end`. */
  take(type: number, bytes: Buffer, start: number, end: number): void
  /** Ends the exchange, with its first error. */
  settle(): void
  /** Only the first error counts. */
  fail(error: unknown): void
}

/** @param done is called once, with the command tag or an error. */
export function createExchange(
  options: ExchangeOptions,
  done: (tag: string, error: unknown) => void,
): Exchange {
  return new RunningExchange(options, done)
}

/** A class, since every statement has one: methods cost nothing where closures are allocated. */
class RunningExchange implements Exchange {
  readonly #options: ExchangeOptions
  readonly #done: (tag: string, error: unknown) => void
  #rowBytes = 0
  #parsesPending: number
  #completed = 0
  #tag = ''
  #error: unknown

  constructor(options: ExchangeOptions, done: (tag: string, error: unknown) => void) {
    this.#options = options
    this.#done = done
    this.#parsesPending = options.parses
  }

  bytesKept(): number {
    return this.#rowBytes
  }

  take(type: number, bytes: Buffer, start: number, end: number): void {
    const { answers, isHandedOn, onRow, onParsed, onColumns } = this.#options
    switch (type) {
      case messages.dataRow:
        if (!isHandedOn) this.#rowBytes += end - start
        if (this.#error !== undefined || this.#completed !== answers) return
        try {
          onRow(bytes, start, end)
        } catch (thrown) {
          // Thrown here, the error would reach the socket.
          this.#error = thrown
        }
        return
      case messages.commandComplete:
        if (this.#completed === answers) this.#tag = commandTag(bytes, start, end)
        this.#completed += 1
        return
      case messages.portalSuspended:
        this.#completed += 1
        return
      case messages.parseComplete:
        this.#parsesPending -= 1
        if (this.#parsesPending === 0) onParsed()
        return
      case messages.rowDescription:
        if (this.#error !== undefined) return
        try {
          onColumns(columnTypes(bytes, start))
        } catch (thrown) {
          this.#error = thrown
        }
        return
      case messages.error:
        this.#error = databaseError(bytes, start, end)
        return
      default:
    }
  }

  settle(): void {
    this.#done(this.#tag, this.#error)
  }

  fail(error: unknown): void {
    this.#error ??= error
  }
}
