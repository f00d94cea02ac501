import { expect, test } from 'vitest'
import { createAuditQueue } from './audit-queue.ts'

const all = { entries: Infinity, size: Infinity }

test('what must be kept comes out first, each kind in order', () => {
  const queue = createAuditQueue<string>({ entries: 10, size: 100 })
  queue.push('q1', 1, true)
  queue.push('k1', 1, false)
  queue.push('q2', 1, true)
  queue.push('k2', 1, false)
  expect(queue.take({ entries: 3, size: 100 })).toEqual(['k1', 'k2', 'q1'])
  expect(queue.take(all)).toEqual(['q2'])
  expect(queue.length()).toBe(0)
})

test('when it is full the oldest that may be dropped go, and are counted', () => {
  const queue = createAuditQueue<string>({ entries: 3, size: 100 })
  for (const name of ['q1', 'q2', 'q3', 'q4']) expect(queue.push(name, 1, true)).toBe(true)
  expect(queue.push('k1', 1, false)).toBe(true)
  expect(queue.takeDropped()).toBe(2)
  expect(queue.takeDropped()).toBe(0)
  expect(queue.take(all)).toEqual(['k1', 'q3', 'q4'])
})

test('what must be kept is refused when nothing may be dropped; what may be is dropped itself', () => {
  const queue = createAuditQueue<string>({ entries: 2, size: 100 })
  queue.push('k1', 1, false)
  queue.push('k2', 1, false)
  expect(queue.push('k3', 1, false)).toBe(false)
  expect(queue.push('q1', 1, true)).toBe(true)
  expect(queue.takeDropped()).toBe(1)
  expect(queue.take({ entries: 1, size: 1 })).toEqual(['k1'])
  expect(queue.push('k3', 1, false)).toBe(true)
  expect(queue.take(all)).toEqual(['k2', 'k3'])
})

test('it is full by size too; one item alone always fits', () => {
  const queue = createAuditQueue<string>({ entries: 10, size: 10 })
  expect(queue.push('large', 50, false)).toBe(true)
  expect(queue.push('k', 1, false)).toBe(false)
  expect(queue.take({ entries: 10, size: 1 })).toEqual(['large'])
  expect(queue.push('k', 1, false)).toBe(true)
})

test('thousands go through in order', () => {
  const queue = createAuditQueue<number>({ entries: 10_000, size: 1e9 })
  const taken: number[] = []
  for (let i = 0; i < 50_000; i += 1) {
    queue.push(i, 1, false)
    if (i % 7 === 6) taken.push(...queue.take({ entries: 7, size: 1e9 }))
  }
  taken.push(...queue.take(all))
  expect(taken).toEqual(Array.from({ length: 50_000 }, (_, i) => i))
})
