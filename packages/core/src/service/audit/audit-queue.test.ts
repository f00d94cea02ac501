import { expect, test } from 'vitest'
import { type AuditQueue, createAuditQueue } from './audit-queue.ts'

interface Named {
  readonly name: string
  readonly size: number
}

const item = (name: string, size = 1): Named => ({ name, size })

/** Takes items until there are none, or so many. */
function names(queue: AuditQueue<Named>, most = Infinity): string[] {
  const taken: string[] = []
  while (taken.length < most) {
    const next = queue.next()
    if (next === undefined) break
    taken.push(next.name)
  }
  return taken
}

test('what must be kept comes out first, each kind in order', () => {
  const queue = createAuditQueue<Named>({ entries: 10, size: 100 })
  queue.push(item('q1'), true)
  queue.push(item('k1'), false)
  queue.push(item('q2'), true)
  queue.push(item('k2'), false)
  expect(names(queue, 3)).toEqual(['k1', 'k2', 'q1'])
  expect(names(queue)).toEqual(['q2'])
  expect(queue.length()).toBe(0)
})

test('when it is full the oldest that may be dropped go, and are counted', () => {
  const queue = createAuditQueue<Named>({ entries: 3, size: 100 })
  for (const name of ['q1', 'q2', 'q3', 'q4']) expect(queue.push(item(name), true)).toBe(true)
  expect(queue.push(item('k1'), false)).toBe(true)
  expect(queue.takeDropped()).toBe(2)
  expect(queue.takeDropped()).toBe(0)
  expect(names(queue)).toEqual(['k1', 'q3', 'q4'])
})

test('what must be kept is refused when nothing may be dropped; what may be is dropped itself', () => {
  const queue = createAuditQueue<Named>({ entries: 2, size: 100 })
  queue.push(item('k1'), false)
  queue.push(item('k2'), false)
  expect(queue.push(item('k3'), false)).toBe(false)
  expect(queue.push(item('q1'), true)).toBe(true)
  expect(queue.takeDropped()).toBe(1)
  expect(names(queue, 1)).toEqual(['k1'])
  expect(queue.push(item('k3'), false)).toBe(true)
  expect(names(queue)).toEqual(['k2', 'k3'])
})

test('it is full by size too; one item alone always fits', () => {
  const queue = createAuditQueue<Named>({ entries: 10, size: 10 })
  expect(queue.push(item('large', 50), false)).toBe(true)
  expect(queue.push(item('k'), false)).toBe(false)
  expect(names(queue, 1)).toEqual(['large'])
  expect(queue.push(item('k'), false)).toBe(true)
})

test('thousands go through in order', () => {
  const queue = createAuditQueue<Named>({ entries: 10_000, size: 1e9 })
  const taken: string[] = []
  for (let i = 0; i < 50_000; i += 1) {
    queue.push(item(`${i}`), false)
    if (i % 7 === 6) taken.push(...names(queue, 7))
  }
  taken.push(...names(queue))
  expect(taken).toEqual(Array.from({ length: 50_000 }, (_, i) => `${i}`))
})
