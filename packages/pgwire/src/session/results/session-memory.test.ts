import { expect, test } from 'vitest'
import { createSessionMemory, sizeOfRow } from './session-memory.ts'

test('what was given back may be taken again, and no more', () => {
  const memory = createSessionMemory(100)
  memory.take(60)
  memory.take(40)
  expect(() => memory.take(1)).toThrow(expect.objectContaining({ sqlState: '53200' }))
  memory.give(60)
  memory.take(60)
  expect(() => memory.take(1)).toThrow(expect.objectContaining({ sqlState: '53200' }))
})

test('a row is as large as its values', () => {
  const empty = sizeOfRow([])
  const cell = sizeOfRow([null]) - empty
  expect(sizeOfRow(['abc', Buffer.alloc(10), null])).toBe(empty + 3 * cell + 6 + 10)
})
