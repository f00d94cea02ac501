import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Caller } from '@engine/core'

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
  caller(): Caller
}

/** Keys for cancel requests: secrets that only the server and one client know. */
export interface CancelKeys {
  /** @param secretLength bytes. @param target the session that a cancel request with the key stops. */
  issue(secretLength: number, target: SignalTarget): CancelKey
  withdraw(key: CancelKey): void
  /** Does nothing for a wrong key. */
  use(processId: number, secret: Uint8Array): void
  /** The session with this process id. The caller of the method decides who may stop it. */
  find(processId: number): SignalTarget | undefined
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
    use: (processId, secret) => {
      const session = sessions.get(processId)
      if (session === undefined || session.secret.length !== secret.length) return
      if (timingSafeEqual(session.secret, secret)) session.target.cancel()
    },
    find: (processId) => sessions.get(processId)?.target,
  }
}
