import { expect, test } from 'vitest'
import { createTimeIds, firstIdAt, isEntryId } from './time-ids.ts'

const zeros = new Uint8Array(8)
const ones = new Uint8Array(8).fill(255)

test('ids sort by time, also within a millisecond and when the clock is set back', () => {
  let nowMs = 1_700_000_000_000
  const next = createTimeIds(() => nowMs, ones)
  const ids: string[] = []
  for (let i = 0; i < 10_000; i += 1) {
    ids.push(next().id)
    if (i % 3_000 === 0) nowMs += 1
    if (i === 5_000) nowMs -= 10
  }
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every(isEntryId)).toBe(true)
})

test('the first id of a moment parts what was before from what came then', () => {
  let nowMs = 1_700_000_000_000
  const next = createTimeIds(() => nowMs, ones)
  const before = next().id
  nowMs += 1
  const after = createTimeIds(() => nowMs, zeros)().id
  const first = firstIdAt(nowMs)
  expect(before < first && first <= after).toBe(true)
  expect(isEntryId(firstIdAt(-1))).toBe(true)
  expect(isEntryId(firstIdAt(Number.MAX_SAFE_INTEGER))).toBe(true)
})

test.each(['', 'x', "0' or 1=1", '018f2b6e-7c3a-7000-8000-0123456789AB'])('%s is no id', (text) => {
  expect(isEntryId(text)).toBe(false)
})
