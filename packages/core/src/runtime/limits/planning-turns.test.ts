import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { GatewayError } from '../../foundation/errors.ts'
import type { Steps } from '../../foundation/steps.ts'
import { inPlanningTurns, spendPlanning } from './planning-turns.ts'

/** Time that passes only where a plan takes it. */
let nowMs = 0
const clock = () => nowMs

let events: string[] = []

// What earlier tests have spent no longer counts.
beforeEach(async () => {
  await inPlanningTurns(steps('before', 1, 0))
  await new Promise((resolve) => setTimeout(resolve, 20))
  events = []
})

/** A plan of `count` steps that take `ms` each. */
function* steps(name: string, count: number, ms: number): Steps<string> {
  try {
    for (let i = 0; i < count; i += 1) {
      nowMs += ms
      events.push(name)
      yield
    }
    return `${name} is made`
  } finally {
    events.push(`end of ${name}`)
  }
}

const plan = (name: string, count: number, ms: number, signal?: AbortSignal) =>
  inPlanningTurns(steps(name, count, ms), signal, clock)

/** Records each turn of the event loop while `work` lasts. */
async function withTurns<T>(work: Promise<T>): Promise<T> {
  let isOver = false
  const turns = (async () => {
    while (!isOver) {
      await nextTurn()
      events.push('turn')
    }
  })()
  try {
    return await work
  } finally {
    isOver = true
    await turns
  }
}

/** The events between two turns, as far as there are any. */
function slices(): readonly string[] {
  return events
    .join()
    .split('turn')
    .map((slice) => slice.replace(/^,|,$/g, ''))
    .filter((slice) => slice !== '')
}

test('a short plan is made at once, without a promise', () => {
  expect(plan('a', 3, 0.1)).toBe('a is made')
})

test('short plans are made in one turn until its time is spent', async () => {
  expect(plan('a', 3, 0.7)).toBe('a is made')
  expect(plan('b', 3, 0.7)).toBe('b is made')
  const third = plan('c', 3, 0.7)
  expect(third).toBeInstanceOf(Promise)
  await expect(third).resolves.toBe('c is made')
})

test('a short plan that was begun is completed in its turn', () => {
  expect(plan('a', 3, 1)).toBe('a is made')
  expect(plan('b', 3, 0.5)).toBe('b is made')
})

test('a long plan lets the event loop turn after each slice', async () => {
  await expect(withTurns(Promise.resolve(plan('a', 7, 3)))).resolves.toBe('a is made')
  expect(slices()).toEqual(['a,a', 'a,a', 'a,a', 'a,end of a'])
})

test('long plans together take no more of a turn than one', async () => {
  const both = Promise.all([plan('a', 4, 4), plan('b', 4, 4)])
  await withTurns(both)
  for (const slice of slices()) {
    expect(slice.split(',').filter((event) => !event.startsWith('end')).length).toBeLessThan(3)
  }
})

test('a short plan is complete before a long one that began earlier', async () => {
  const long = plan('long', 20, 3)
  const short = plan('short', 1, 1)
  await withTurns(Promise.all([long, short]))
  expect(events.indexOf('end of short')).toBeLessThan(events.indexOf('end of long'))
})

test('no more than two plans are in the middle of being made', async () => {
  const all = ['a', 'b', 'c', 'd'].map((name) => plan(name, 4, 3))
  await Promise.all(all)
  const firstOfThird = events.indexOf('c')
  const ends = events.slice(0, firstOfThird).filter((event) => event.startsWith('end'))
  expect(ends).toHaveLength(1)
})

test('a plan ends in the middle when its client has gone away', async () => {
  const gone = new AbortController()
  const made = plan('a', 10, 6, gone.signal)
  gone.abort()
  await expect(made).rejects.toMatchObject({ sqlState: '57014' })
  expect(events).toEqual(['a', 'end of a'])
})

test('a plan whose client has gone away before its turn is not begun', async () => {
  spendPlanning(20)
  const waits = Promise.resolve(plan('a', 1, 1, AbortSignal.abort()))
  const next = plan('b', 1, 1)
  await expect(waits).rejects.toThrow(GatewayError)
  await expect(next).resolves.toBe('b is made')
  expect(events).not.toContain('a')
})

test('an error of a later slice rejects, and the next plan is made', async () => {
  function* failing(): Steps<never> {
    yield* steps('a', 3, 6)
    throw new TypeError('a bug')
  }
  const made = inPlanningTurns(failing(), undefined, clock)
  const next = plan('b', 1, 1)
  await expect(made).rejects.toThrow('a bug')
  await expect(next).resolves.toBe('b is made')
})

test('every slice runs in the asynchronous context of its request', async () => {
  const request = new AsyncLocalStorage<string>()
  const seen = new Set<string | undefined>()
  function* looking(): Steps<void> {
    for (let i = 0; i < 3; i += 1) {
      nowMs += 6
      seen.add(request.getStore())
      yield
    }
  }
  await request.run('mine', () => inPlanningTurns(looking(), undefined, clock))
  expect([...seen]).toEqual(['mine'])
})
