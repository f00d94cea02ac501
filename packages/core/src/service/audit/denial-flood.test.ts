import { expect, test } from 'vitest'
import type { DenialEvent } from '../../foundation/audit-event.ts'
import { createDenialFlood } from './denial-flood.ts'

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
  const flood = createDenialFlood(() => nowMs)
  expect(admitted(250, () => flood.admit(denial()))).toBe(100)
  expect(flood.take(false)).toEqual([])
  expect(flood.hasCounted()).toBe(true)
  nowMs = 60_000
  expect(flood.take(false)).toEqual([
    { ip: '192.0.2.1', via: 'http', error: 'UNAUTHORIZED', count: 150 },
  ])
  expect(flood.hasCounted()).toBe(false)
  expect(admitted(250, () => flood.admit(denial()))).toBe(100)
  expect(flood.take(true)).toMatchObject([{ count: 150 }])
  expect(flood.take(true)).toEqual([])
})

test('what was counted is not forgotten when the next minute begins with a refusal', () => {
  let nowMs = 0
  const flood = createDenialFlood(() => nowMs)
  admitted(130, () => flood.admit(denial()))
  nowMs = 61_000
  flood.admit(denial())
  expect(flood.take(false)).toMatchObject([{ count: 30 }])
})

test('addresses and errors are counted by themselves; one network of IPv6 is one address', () => {
  const flood = createDenialFlood(() => 0)
  expect(admitted(100, () => flood.admit(denial()))).toBe(100)
  expect(flood.admit(denial())).toBe(false)
  expect(flood.admit(denial({ ip: '192.0.2.2' }))).toBe(true)
  expect(flood.admit(denial({ error: 'RATE_LIMITED' }))).toBe(true)
  let host = 0
  const ofNetwork = () => {
    host += 1
    return flood.admit(denial({ ip: `2001:db8::${host.toString(16)}` }))
  }
  expect(admitted(150, ofNetwork)).toBe(100)
})

test('refusals of callers that are known are always written down', () => {
  const flood = createDenialFlood(() => 0)
  expect(admitted(500, () => flood.admit(denial({ caller: 'ada' })))).toBe(500)
  expect(flood.hasCounted()).toBe(false)
})

test('however many addresses there are, no count is lost', () => {
  const flood = createDenialFlood(() => 0)
  for (let i = 0; i < 101; i += 1) flood.admit(denial())
  for (let i = 0; i < 10_000; i += 1) {
    flood.admit(denial({ ip: `10.0.${Math.floor(i / 250)}.${i % 250}` }))
  }
  expect(flood.take(false)).toMatchObject([{ ip: '192.0.2.1', count: 1 }])
})
