import { afterEach, expect, test, vi } from 'vitest'
import type { Call } from '../route-handler.ts'
import { type ActivityPoint, addReports, createActivity, percentileOf } from './activity.ts'

afterEach(() => vi.useRealTimers())

const point: ActivityPoint = {
  atMs: 10_000,
  requests: 3,
  errors: 1,
  denials: 1,
  durations: [
    [4, 2],
    [40, 1],
  ],
  running: 1,
  waiting: 0,
  poolBusy: 1,
  poolSize: 4,
  memoryBytes: 100,
}

test('points of one time are added; later ones come after', () => {
  const later = { ...point, atMs: 20_000 }
  const added = addReports([
    { points: [later], statements: { main: [[1, 1]] } },
    { points: [point, later], statements: { main: [[1, 2]], other: [[7, 1]] } },
  ])
  expect(added.points).toMatchObject([
    { atMs: 10_000, requests: 3 },
    { atMs: 20_000, requests: 6, errors: 2, poolSize: 8, memoryBytes: 200 },
  ])
  expect(added.points[1]?.durations).toEqual([
    [4, 4],
    [40, 2],
  ])
  expect(added.statements).toEqual({ main: [[1, 3]], other: [[7, 1]] })
})

test('percentiles are those of the buckets; of nothing there are none', () => {
  expect(percentileOf([], 0.5)).toBeNull()
  expect(percentileOf(point.durations, 0.5)).toBeCloseTo(0.12)
  expect(percentileOf(point.durations, 0.95)).toBeCloseTo(61.44)
})

test('a point each ten seconds, of an hour; a count is in one point', async () => {
  vi.useFakeTimers({ now: 0 })
  const activity = createActivity(Date.now)
  const pool = { busy: 1, idle: 3, waiting: 0 }
  activity.begin(() => ({ load: { running: 2, waiting: 1 }, pools: { a: pool, b: pool } }) as never)
  for (const status of [200, 403, 404, 429, 500, 503]) {
    activity.hook({} as Call, {} as never)(status)
  }
  vi.advanceTimersByTime(10_000)
  expect(activity.report().points).toMatchObject([
    { atMs: 10_000, requests: 6, errors: 2, denials: 2, running: 2, poolBusy: 2, poolSize: 8 },
  ])
  vi.advanceTimersByTime(2 * 3_600_000)
  const { points } = activity.report()
  expect([points.length, points[0]?.requests]).toEqual([360, 0])
  activity.close()
  vi.advanceTimersByTime(60_000)
  expect(activity.report().points.at(-1)).toEqual(points.at(-1))
})

test('latencies of a connection are those of the last minutes', () => {
  vi.useFakeTimers({ now: 0 })
  const activity = createActivity(Date.now)
  activity.begin(() => ({ load: { running: 0, waiting: 0 }, pools: {} }) as never)
  const event = { startMs: 0, endMs: 10, error: undefined, connection: 'main' } as const
  activity.observe({ ...event, stage: 'execute' })
  activity.observe({ ...event, stage: 'plan' })
  activity.observe({ ...event, stage: 'execute', connection: undefined })
  const { main = [] } = activity.report().statements
  expect(main.map(([, count]) => count)).toEqual([1])
  expect(percentileOf(main, 0.5)).toBeGreaterThan(8)
  vi.advanceTimersByTime(6 * 60_000)
  expect(activity.report().statements['main']).toEqual(main)
  vi.advanceTimersByTime(5 * 60_000)
  expect(activity.report().statements).toEqual({})
  activity.close()
})
