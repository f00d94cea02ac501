import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** Identifies the session that a cancel request stops. */
export interface CancelKey {
  readonly processId: number
  readonly secret: Uint8Array
}

/** Keys for cancel requests: secrets that only the server and one client know. */
export interface CancelKeys {
  /** @param secretLength bytes. @param cancel is called for every cancel request with the key. */
  issue(secretLength: number, cancel: () => void): CancelKey
  withdraw(key: CancelKey): void
  /** Does nothing for a wrong key. */
  use(processId: number, secret: Uint8Array): void
}

const largestId = 0x7fff_ffff

export function createCancelKeys(): CancelKeys {
  const sessions = new Map<number, { readonly secret: Uint8Array; readonly cancel: () => void }>()
  return {
    issue: (secretLength, cancel) => {
      let processId = randomInt(1, largestId)
      while (sessions.has(processId)) processId = randomInt(1, largestId)
      const secret = randomBytes(secretLength)
      sessions.set(processId, { secret, cancel })
      return { processId, secret }
    },
    withdraw: ({ processId }) => void sessions.delete(processId),
    use: (processId, secret) => {
      const session = sessions.get(processId)
      if (session === undefined || session.secret.length !== secret.length) return
      if (timingSafeEqual(session.secret, secret)) session.cancel()
    },
  }
}
