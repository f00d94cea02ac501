import { expect, test } from 'vitest'
import type { DenialEvent } from '../../foundation/audit-event.ts'
import { createDenialThrottle } from './denial-throttle.ts'

function denial(more: Partial<DenialEvent> = {}): DenialEvent {
  return {
    kind: 'denial',
    correlationId: 'r',
    ip: '192.0.2.1',
    via: 'http',
    caller: undefined,
    roles: undefined,
    credentialId: undefined,
    sql: undefined,
    params: undefined,
    error: 'UNAUTHORIZED',
    message: 'no',
    ...more,
  }
}

function admitted(count: number, admit: () => boolean): number {
  return Array.from({ length: count }, admit).filter(Boolean).length
}

test('a hundred a minute are written down, the rest is counted and given out when the minute is over', () => {
  let nowMs = 0
  const throttle = createDenialThrottle(() => nowMs)
  expect(admitted(250, () => throttle.admit(denial()))).toBe(100)
  expect(throttle.take(false)).toEqual([])
  expect(throttle.hasCounted()).toBe(true)
  nowMs = 60_000
  expect(throttle.take(false)).toEqual([
    { ip: '192.0.2.1', via: 'http', error: 'UNAUTHORIZED', count: 150 },
  ])
  expect(throttle.hasCounted()).toBe(false)
  expect(admitted(250, () => throttle.admit(denial()))).toBe(100)
  expect(throttle.take(true)).toMatchObject([{ count: 150 }])
  expect(throttle.take(true)).toEqual([])
})

test('what was counted is not forgotten when the next minute begins with a refusal', () => {
  let nowMs = 0
  const throttle = createDenialThrottle(() => nowMs)
  admitted(130, () => throttle.admit(denial()))
  nowMs = 61_000
  throttle.admit(denial())
  expect(throttle.take(false)).toMatchObject([{ count: 30 }])
})

test('addresses and errors are counted by themselves; one network of IPv6 is one address', () => {
  const throttle = createDenialThrottle(() => 0)
  expect(admitted(100, () => throttle.admit(denial()))).toBe(100)
  expect(throttle.admit(denial())).toBe(false)
  expect(throttle.admit(denial({ ip: '192.0.2.2' }))).toBe(true)
  expect(throttle.admit(denial({ error: 'RATE_LIMITED' }))).toBe(true)
  let host = 0
  const ofNetwork = () => {
    host += 1
    return throttle.admit(denial({ ip: `2001:db8::${host.toString(16)}` }))
  }
  expect(admitted(150, ofNetwork)).toBe(100)
})

test('refusals of callers that are known are always written down', () => {
  const throttle = createDenialThrottle(() => 0)
  expect(admitted(500, () => throttle.admit(denial({ caller: 'ada' })))).toBe(500)
  expect(throttle.hasCounted()).toBe(false)
})

test('however many addresses there are, no count is lost', () => {
  const throttle = createDenialThrottle(() => 0)
  for (let i = 0; i < 101; i += 1) throttle.admit(denial())
  for (let i = 0; i < 10_000; i += 1) {
    throttle.admit(denial({ ip: `10.0.${Math.floor(i / 250)}.${i % 250}` }))
  }
  expect(throttle.take(false)).toMatchObject([{ ip: '192.0.2.1', count: 1 }])
})
