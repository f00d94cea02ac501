import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { PgWireSignal } from '@engine/core/session'

/** Identifies the session that a cancel request stops. */
export interface CancelKey {
  readonly processId: number
  readonly secret: Uint8Array
}

/** A session that can be stopped. */
export interface SignalTarget {
  /** Stops the running statement, where there is one. */
  cancel(): void
  /** Ends the session. */
  terminate(): void
  /** The caller of the session, as a text. */
  callerKey(): string
}

/** Keys for cancel requests: secrets that only the server and one client know. */
export interface CancelKeys {
  /** @param secretLength bytes. @param target the session that a cancel request with the key stops. */
  issue(secretLength: number, target: SignalTarget): CancelKey
  withdraw(key: CancelKey): void
  /**
   * Stops a session, or its statement. Does nothing for a wrong secret, or a session of another caller.
   *
   * @returns whether it was stopped.
   */
  signal(signal: PgWireSignal): boolean
}

const largestId = 0x7fff_ffff

export function createCancelKeys(): CancelKeys {
  const sessions = new Map<number, { readonly secret: Uint8Array; readonly target: SignalTarget }>()
  return {
    issue: (secretLength, target) => {
      let processId = randomInt(1, largestId)
      while (sessions.has(processId)) processId = randomInt(1, largestId)
      const secret = randomBytes(secretLength)
      sessions.set(processId, { secret, target })
      return { processId, secret }
    },
    withdraw: ({ processId }) => void sessions.delete(processId),
    signal: (signal) => {
      const session = sessions.get(signal.processId)
      if (session === undefined) return false
      const { target, secret } = session
      const isAllowed =
        signal.kind === 'cancel-request'
          ? isSame(secret, Buffer.from(signal.secret, 'hex'))
          : signal.callerKey === undefined || signal.callerKey === target.callerKey()
      if (!isAllowed) return false
      if (signal.kind === 'terminate') target.terminate()
      else target.cancel()
      return true
    },
  }
}

function isSame(secret: Uint8Array, given: Uint8Array): boolean {
  return secret.length === given.length && timingSafeEqual(secret, given)
}
