import { expect, test } from 'vitest'
import { createLatencyEstimate } from './latency-estimate.ts'

test('a statement is short once it was', () => {
  const latency = createLatencyEstimate()
  expect(latency.isShort()).toBe(false)
  latency.record(20)
  expect(latency.isShort()).toBe(false)
  latency.record(0.5)
  latency.record(20)
  expect(latency.isShort()).toBe(true)
})

test('what was long ago does not count', () => {
  const latency = createLatencyEstimate()
  latency.record(0.5)
  for (let run = 0; run < 200; run++) latency.record(20)
  expect(latency.isShort()).toBe(false)
})

test('one that kept others waiting is not short for a good while', () => {
  const latency = createLatencyEstimate()
  latency.record(0.5)
  latency.excludeFromSharing()
  for (let run = 0; run < 125; run++) latency.record(0.5)
  expect(latency.isShort()).toBe(false)
  for (let run = 0; run < 125; run++) latency.record(0.5)
  expect(latency.isShort()).toBe(true)
})

test('one is tiny when it took no longer than sending it', () => {
  const latency = createLatencyEstimate()
  latency.record(1)
  expect(latency.isTiny()).toBe(false)
  latency.record(0.2)
  latency.record(20)
  expect(latency.isTiny()).toBe(true)
})

test('one is brief when others can wait for its commit', () => {
  const latency = createLatencyEstimate()
  latency.record(60)
  expect(latency.isBrief()).toBe(false)
  latency.record(10)
  expect([latency.isBrief(), latency.isShort()]).toEqual([true, false])
  latency.excludeFromSharing(3)
  for (let run = 0; run < 3; run++) {
    expect(latency.isBrief()).toBe(false)
    latency.record(10)
  }
  expect(latency.isBrief()).toBe(true)
})
