/** @module One exchange of several statements up to one Sync: they share a transaction, which ends with the last one. */

import type { Exchange } from './exchange.ts'
import { commandTag, databaseError } from './protocol/backend-messages.ts'
import { messages } from './protocol/frames.ts'

/** A statement of the group. */
export interface GroupStatement {
  /** A DataRow from `start` to `end`. */
  onRow(bytes: Buffer, start: number, end: number): void
}

/** All statements of a group were committed, or none was. */
export type GroupOutcome =
  /** The command tag of each statement, all of them committed: `INSERT 0 1`. */
  | { readonly kind: 'committed'; readonly tags: readonly string[] }
  /** None of them is stored. `failedAt`: index of the statement that failed; their number where the commit did. */
  | { readonly kind: 'undone'; readonly error: unknown; readonly failedAt: number }
  /** The connection broke before the server said how it ended. */
  | { readonly kind: 'unknown'; readonly error: unknown }

export interface GroupExchangeOptions {
  readonly members: readonly GroupStatement[]
  /** The server has prepared the statement of the next Parse. */
  readonly onParsed: () => void
}

/** @param done is called once. */
export function createGroupExchange(
  options: GroupExchangeOptions,
  done: (outcome: GroupOutcome) => void,
): Exchange {
  return new RunningGroup(options, done)
}

class RunningGroup implements Exchange {
  readonly #options: GroupExchangeOptions
  readonly #done: (outcome: GroupOutcome) => void
  readonly #tags: string[] = []
  #rowBytes = 0
  #outcome: GroupOutcome | undefined

  constructor(options: GroupExchangeOptions, done: (outcome: GroupOutcome) => void) {
    this.#options = options
    this.#done = done
  }

  bytesKept(): number {
    return this.#rowBytes
  }

  take(type: number, bytes: Buffer, start: number, end: number): void {
    switch (type) {
      case messages.dataRow:
        this.#rowBytes += end - start
        this.#options.members[this.#tags.length]?.onRow(bytes, start, end)
        return
      case messages.commandComplete:
        this.#tags.push(commandTag(bytes, start, end))
        return
      case messages.parseComplete:
        this.#options.onParsed()
        return
      case messages.error:
        this.#outcome = {
          kind: 'undone',
          error: databaseError(bytes, start, end),
          failedAt: this.#tags.length,
        }
        return
      default:
    }
  }

  settle(): void {
    this.#done(this.#outcome ?? { kind: 'committed', tags: this.#tags })
  }

  /** The connection ended: an error before it may be that of the connection, sent after the commit. */
  fail(error: unknown): void {
    this.#outcome = { kind: 'unknown', error }
  }
}
