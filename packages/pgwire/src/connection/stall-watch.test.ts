import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createStallWatch } from './stall-watch.ts'

const socket = (bytesWritten: number, writableNeedDrain: boolean) =>
  ({ bytesWritten, writableNeedDrain }) as Socket

test('time counts while something waits and nothing is taken', () => {
  const stalledMs = createStallWatch()
  expect(stalledMs(socket(0, false), 1_000)).toBe(0)
  expect(stalledMs(socket(500, true), 2_000)).toBe(0)
  expect(stalledMs(socket(500, true), 5_000)).toBe(3_000)
  expect(stalledMs(socket(501, true), 6_000)).toBe(0)
  expect(stalledMs(socket(501, true), 7_000)).toBe(1_000)
  expect(stalledMs(socket(501, false), 8_000)).toBe(0)
})
