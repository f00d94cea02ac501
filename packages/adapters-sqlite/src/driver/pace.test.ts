import { expect, test } from 'vitest'
import { createPace as createPaceOf, type Pace, type Run } from './pace.ts'

const createPace = (isKnownShort: boolean) => createPaceOf(isKnownShort, 0.5)

const short: Run = { takenMs: 0.05, answerBytes: 100 }
const long: Run = { takenMs: 30, answerBytes: 100 }
const large: Run = { takenMs: 0.1, answerBytes: 1_000_000 }

/** Runs a program wherever it belongs; returns the number of runs on the main thread. */
function runs(pace: Pace, count: number, run: Run): number {
  let here = 0
  for (let i = 0; i < count; i += 1) {
    const isHere = pace.isShort()
    if (isHere) pace.ranHere(run)
    else pace.ranOnWorker(run)
    if (isHere) here += 1
  }
  return here
}

test('a key look-up starts on the main thread, any other program on the workers', () => {
  expect(runs(createPace(true), 100, short)).toBe(100)
  expect(runs(createPace(false), 8, short)).toBe(0)
})

test('a program moves to the main thread when its first runs were short', () => {
  expect(runs(createPace(false), 108, short)).toBe(100)
  expect(runs(createPace(false), 1_000, long)).toBe(0)
})

test('a program that becomes slow moves to the workers', () => {
  const pace = createPace(true)

  expect(runs(pace, 400, long)).toBeLessThan(20)
})

test('what is short depends on whether other processors could take it', () => {
  const run = { ...short, takenMs: 1 }

  expect(runs(createPaceOf(true, 0.5), 400, run)).toBeLessThan(20)
  expect(runs(createPaceOf(true, 2), 400, run)).toBe(400)
})

test('a long answer counts as a slow run', () => {
  expect(runs(createPace(true), 400, large)).toBeLessThan(20)
})

test('one slow run among short ones changes nothing', () => {
  const pace = createPace(true)
  runs(pace, 10, short)
  runs(pace, 1, long)

  expect(runs(pace, 100, short)).toBe(100)
})

test('a slow program is tried again after 500 runs, and stays when it is short', () => {
  const pace = createPace(true)
  runs(pace, 100, long)

  expect(runs(pace, 2_000, short)).toBeGreaterThan(1_400)
})

test('runs that waited while another one was stopped go to the workers', () => {
  const pace = createPace(true)
  expect([pace.isShort(), pace.isShort(), pace.isStillShort()]).toEqual([true, true, true])

  pace.stoppedHere()

  expect(pace.isStillShort()).toBe(false)
})

test('a stopped program waits for twice as many runs each time', () => {
  const pace = createPace(true)
  const waits = [0, 0, 0].map(() => {
    pace.stoppedHere()
    let wait = 0
    while (!pace.isShort()) wait += 1
    return wait
  })

  expect(waits).toEqual([500, 1_000, 2_000])
})
