/** @module Finds the times during which the event loop stood still, and what ran then. */
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import type { Stall, Stalls } from './messages.ts'

/** Interval of the timer, and the least delay that counts, in milliseconds. */
const intervalMs = 2
const leastMs = 10

/** The profiler itself stops the loop when it starts: this long nothing counts, in milliseconds. */
const settlingMs = 1_000

/** Between two samples of the profiler, in microseconds. */
const samplingUs = 500

/** The functions that are named for each stall. */
const mostCauses = 4

interface Gap {
  readonly fromMs: number
  readonly toMs: number
  readonly cpuMs: number
}

export interface StallWatch {
  /** Ends it. */
  stalls(): Promise<Stalls>
}

export async function watchStalls(): Promise<StallWatch> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: samplingUs })
  await session.post('Profiler.start')
  const beganMs = performance.now()
  const gaps: Gap[] = []
  let turns = 0
  let lastMs = performance.now()
  let lastCpuMs = threadCpuMs()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    const cpuMs = threadCpuMs()
    turns += 1
    if (nowMs - lastMs - intervalMs >= leastMs && lastMs - beganMs >= settlingMs) {
      gaps.push({ fromMs: lastMs, toMs: nowMs, cpuMs: cpuMs - lastCpuMs })
    }
    lastMs = nowMs
    lastCpuMs = cpuMs
  }, intervalMs)
  return {
    stalls: async () => {
      clearInterval(timer)
      const { profile } = await session.post('Profiler.stop')
      session.disconnect()
      const samples = samplesOf(profile, beganMs)
      const stalls = gaps.map((gap): Stall => {
        const within = samples.filter(({ atMs }) => atMs >= gap.fromMs && atMs <= gap.toMs)
        return {
          wallMs: gap.toMs - gap.fromMs,
          cpuMs: gap.cpuMs,
          causes: causesOf(within.map(({ cause }) => cause)),
        }
      })
      return { stalls: stalls.toSorted((left, right) => right.cpuMs - left.cpuMs), turns }
    },
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

interface Sample {
  readonly atMs: number
  readonly cause: string
}

/** @param beganMs when the profile began, in milliseconds of `performance.now()`. */
function samplesOf(
  { nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
  beganMs: number,
): Sample[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  )
  const causes = new Map<number, string>()
  const causeOf = (id: number): string => {
    const known = causes.get(id)
    if (known !== undefined) return known
    const cause = nameOf(id, byId, parents)
    causes.set(id, cause)
    return cause
  }
  let atUs = beganMs * 1_000
  return samples.map((id, i) => {
    atUs += timeDeltas[i] ?? 0
    return { atMs: atUs / 1_000, cause: causeOf(id) }
  })
}

/** `work < our function`: the function that ran, and the next one of ours that called it. */
function nameOf(
  id: number,
  byId: ReadonlyMap<number, Profiler.ProfileNode>,
  parents: ReadonlyMap<number, number>,
): string {
  const own = byId.get(id)
  const top = own === undefined ? 'unknown' : frameName(own)
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const node = byId.get(at)
    if (node !== undefined && /\/(packages|apps)\/[^/]+\/(src|dist)\//.test(node.callFrame.url)) {
      const caller = frameName(node)
      return caller === top ? top : `${top} < ${caller}`
    }
  }
  return top
}

function frameName({ callFrame: { functionName, url, lineNumber } }: Profiler.ProfileNode): string {
  const file = url.split('/').slice(-2).join('/')
  const name = functionName === '' ? '(anonymous)' : functionName
  return file === '' ? name : `${name} ${file}:${lineNumber + 1}`
}

function causesOf(causes: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const cause of causes) {
    if (cause !== '(idle)') counts.set(cause, (counts.get(cause) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, mostCauses)
    .map(([cause, count]) => `${Math.round((count / causes.length) * 100)} % ${cause}`)
}
