import { expect, test } from 'vitest'
import { idleEnd } from './idle-sessions.ts'

/** A session that has been idle since 0. */
function sessionIn(status: 'I' | 'T' | 'E', own: number | undefined, isBusy = false) {
  return {
    loop: { isBusy: () => isBusy, idleSinceMs: () => 0 },
    settings: { idleSessionTimeoutMs: () => own, idleInTransactionTimeoutMs: () => own },
    status: () => status,
  }
}

const limits = { idleSessionTimeoutMs: undefined, idleInTransactionTimeoutMs: 1_000 }

test('a session may be idle for ever, a transaction may not', () => {
  expect(idleEnd(sessionIn('I', undefined), limits, 1e9)).toBeUndefined()
  expect(idleEnd(sessionIn('T', undefined), limits, 999)).toBeUndefined()
  for (const status of ['T', 'E'] as const) {
    expect(idleEnd(sessionIn(status, undefined), limits, 1_000)).toMatchObject({
      severity: 'FATAL',
      sqlState: '25P03',
    })
  }
})

test('what the session says itself counts where it is shorter', () => {
  expect(idleEnd(sessionIn('I', 500), limits, 500)).toMatchObject({ sqlState: '57P05' })
  expect(idleEnd(sessionIn('T', 500), limits, 500)).toMatchObject({ sqlState: '25P03' })
  expect(idleEnd(sessionIn('T', 5_000), limits, 1_000)).toMatchObject({ sqlState: '25P03' })
})

test('nothing ends while a statement runs', () => {
  expect(idleEnd(sessionIn('T', 1, true), limits, 1e9)).toBeUndefined()
})
