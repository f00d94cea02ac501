import { expect, test } from 'vitest'
import { createCounter } from './counter.ts'

test('without lost answers a number is what was added', () => {
  const counter = createCounter(() => 0)
  expect(counter.added(1)).toBeUndefined()
  expect(counter.added()).toBeUndefined()
  expect(counter.read(2)).toBeUndefined()
  expect(counter.read(1)).toContain('lost')
  expect(counter.read(3)).toContain('twice')
})

test('a lost answer leaves one more open, until it shows', () => {
  const counter = createCounter(() => 0)
  counter.maybeAdded()
  expect(counter.range()).toEqual([0, 1])
  expect(counter.read(0)).toBeUndefined()
  expect(counter.added(2)).toBeUndefined()
  expect(counter.range()).toEqual([2, 2])
  expect(counter.read(3)).toContain('twice')
})

test('what has not shown for long is not going to', () => {
  let now = 0
  const counter = createCounter(() => now)
  counter.maybeAdded()
  now = 30_000
  expect(counter.read(0)).toBeUndefined()
  expect(counter.range()).toEqual([0, 0])
})
