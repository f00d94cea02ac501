/** @module What this process did in the last hour: one point each ten seconds, in memory. */
import type { Engine, Observe } from '@engine/core'
import type { PoolState } from '@engine/core/adapter'
import type { RequestHook } from '../response/answer-calls.ts'

/** Ten seconds of one process; sums of them are those of several. */
export interface ActivityPoint {
  /** Milliseconds since 1970; a multiple of `stepMs`. */
  readonly atMs: number
  readonly requests: number
  /** Answers of 500 and more. */
  readonly errors: number
  /** Answers of 401, 403 and 429. */
  readonly denials: number
  /** Durations of requests: pairs of a bucket's index and its count. */
  readonly durations: Durations
  readonly running: number
  readonly waiting: number
  readonly poolBusy: number
  readonly poolSize: number
  readonly memoryBytes: number
}

/** Pairs: the index of a bucket, and its count. */
export type Durations = readonly (readonly [bucket: number, count: number])[]

/** The last minutes of a node, for the administrator's pages. */
export interface ActivityReport {
  /** Oldest first. */
  readonly points: readonly ActivityPoint[]
  /** Durations of statements in the last minutes, by connection. */
  readonly statements: Readonly<Record<string, Durations>>
}

/** The moment, as it is read for a point. */
interface LoadState {
  readonly load: ReturnType<Engine['load']>
  readonly pools: Readonly<Record<string, PoolState>>
}

export interface Activity {
  /** Counts requests of clients. */
  readonly hook: RequestHook
  /** Measures statements by their connection. */
  readonly observe: Observe
  /** Takes a point each ten seconds from now on. */
  begin(state: () => LoadState): void
  report(): ActivityReport
  close(): void
}

export const stepMs = 10_000
const mostPoints = 360

/** Statements count for the latencies of connections for this long, at least. */
const statementMs = 5 * 60_000

const bucketsPerDoubling = 4
const bucketCount = 96

/** The smallest duration of bucket 1, in milliseconds: bucket 96 begins at 16 minutes. */
const smallestMs = 0.06

function bucketOf(ms: number): number {
  if (ms <= smallestMs) return 0
  return Math.min(bucketCount - 1, 1 + Math.floor(Math.log2(ms / smallestMs) * bucketsPerDoubling))
}

/** @param part between 0 and 1. @returns milliseconds, within 19 %; null where nothing was measured. */
export function percentileOf(durations: Durations, part: number): number | null {
  const sorted = [...durations].sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  let seen = 0
  const found = sorted.find(([, count]) => {
    seen += count
    return seen >= part * total
  })
  return smallestMs * 2 ** ((found?.[0] ?? 0) / bucketsPerDoubling)
}

/** Adds counts of the same buckets. */
export function addDurations(all: readonly Durations[]): Durations {
  const sums = new Map<number, number>()
  for (const [bucket, count] of all.flat()) sums.set(bucket, (sums.get(bucket) ?? 0) + count)
  return [...sums]
}

/** Adds what several processes did at the same time. */
export function addReports(reports: readonly ActivityReport[]): ActivityReport {
  const byTime = Map.groupBy(
    reports.flatMap(({ points }) => points),
    ({ atMs }) => atMs,
  )
  const points = [...byTime].sort(([a], [b]) => a - b).map(([, same]) => same.reduce(addPoints))
  const names = new Set(reports.flatMap(({ statements }) => Object.keys(statements)))
  const statements = [...names].map((name): [string, Durations] => [
    name,
    addDurations(reports.map((report) => report.statements[name] ?? [])),
  ])
  return { points, statements: Object.fromEntries(statements) }
}

function addPoints(a: ActivityPoint, b: ActivityPoint): ActivityPoint {
  return {
    atMs: a.atMs,
    requests: a.requests + b.requests,
    errors: a.errors + b.errors,
    denials: a.denials + b.denials,
    durations: addDurations([a.durations, b.durations]),
    running: a.running + b.running,
    waiting: a.waiting + b.waiting,
    poolBusy: a.poolBusy + b.poolBusy,
    poolSize: a.poolSize + b.poolSize,
    memoryBytes: a.memoryBytes + b.memoryBytes,
  }
}

const denied: ReadonlySet<number> = new Set([401, 403, 429])

/**
 * A request costs two readings of the clock and an addition; everything else happens once in ten seconds.
 *
 * @param clock milliseconds since 1970.
 */
export function createActivity(clock: () => number): Activity {
  const points: ActivityPoint[] = []
  let counts = { requests: 0, errors: 0, denials: 0 }
  const durations = new Uint32Array(bucketCount)
  let statements = new Map<string, Uint32Array>()
  let before: typeof statements = new Map()
  let statementsSinceMs = clock()

  const takePoint = (state: () => LoadState) => {
    const { load, pools } = state()
    const sizes = Object.values(pools)
    points.push({
      atMs: Math.floor(clock() / stepMs) * stepMs,
      ...counts,
      durations: pairsOf(durations),
      running: load.running,
      waiting: load.waiting,
      poolBusy: sizes.reduce((sum, { busy }) => sum + busy, 0),
      poolSize: sizes.reduce((sum, { busy, idle }) => sum + busy + idle, 0),
      memoryBytes: process.memoryUsage.rss(),
    })
    if (points.length > mostPoints) points.shift()
    counts = { requests: 0, errors: 0, denials: 0 }
    durations.fill(0)
    if (clock() - statementsSinceMs < statementMs) return
    statementsSinceMs = clock()
    before = statements
    statements = new Map()
  }
  let timer: NodeJS.Timeout | undefined
  return {
    begin: (state) => {
      timer = setInterval(takePoint, stepMs, state).unref()
    },
    hook: () => {
      const startMs = performance.now()
      return (status) => {
        counts.requests += 1
        if (status >= 500) counts.errors += 1
        else if (denied.has(status)) counts.denials += 1
        const bucket = bucketOf(performance.now() - startMs)
        durations[bucket] = (durations[bucket] ?? 0) + 1
      }
    },
    observe: ({ stage, connection, startMs, endMs }) => {
      if (stage !== 'execute' || connection === undefined) return
      let own = statements.get(connection)
      if (own === undefined) {
        own = new Uint32Array(bucketCount)
        statements.set(connection, own)
      }
      const bucket = bucketOf(endMs - startMs)
      own[bucket] = (own[bucket] ?? 0) + 1
    },
    report: () => {
      const names = new Set([...before.keys(), ...statements.keys()])
      const byName = [...names].map((name): [string, Durations] => [
        name,
        addDurations([before, statements].map((each) => pairsOf(each.get(name)))),
      ])
      return { points: [...points], statements: Object.fromEntries(byName) }
    },
    close: () => clearInterval(timer),
  }
}

function pairsOf(counts: Uint32Array | undefined): Durations {
  return [...(counts ?? [])].flatMap((count, bucket): [number, number][] =>
    count === 0 ? [] : [[bucket, count]],
  )
}
