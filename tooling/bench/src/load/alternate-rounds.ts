/** @module Rounds of several contenders in turns, so that what slows the machine down slows each of them. */
import type { Contender } from './contenders.ts'
import { median, type Round, runRound } from './run-round.ts'
import { waitForRest } from './send-requests.ts'
import type { Workload, WorkloadName } from './workloads.ts'

/** Alternating rounds. The first ones warm up: V8 compiles what has run often, some fifteen seconds long. */
const rounds = { warm: 5, counted: 4 } as const

/** Of a round. */
const seconds = 3

/** Of a round whose requests take so long that many of them are not answered when a short one ends. */
const secondsOfSlow = 12

const slow: ReadonlySet<string> = new Set<WorkloadName>(['W4'])

/** The counted rounds of each contender, in the same order. */
export type Results = ReadonlyMap<Contender, readonly Round[]>

export async function alternateRounds(
  workload: Workload,
  contenders: readonly Contender[],
): Promise<Results> {
  const results = new Map<Contender, Round[]>(contenders.map((contender) => [contender, []]))
  for (let round = 0; round < rounds.warm + rounds.counted; round += 1) {
    for (const [{ server, loadOf }, own] of results) {
      const isCounted = round >= rounds.warm
      const length = isCounted && slow.has(workload.name) ? secondsOfSlow : seconds
      const load = loadOf(workload)
      const result = await runRound(server, load, length)
      await waitForRest(load)
      if (isCounted) own.push(result)
    }
  }
  return results
}

/** The median of the ratios in the same round. */
export function medianRatio(
  own: readonly Round[],
  bases: readonly Round[],
  of: (round: Round) => number,
): number {
  return median(own.map((round, i) => of(round) / of(bases[i] ?? round)))
}

/** A line for each contender, as multiples of the first one. */
export function printResults(results: Results): void {
  const [bases = []] = results.values()
  for (const [{ title }, own] of results) {
    const ratio = (of: (round: Round) => number) => medianRatio(own, bases, of).toFixed(2)
    const value = (of: (round: Round) => number, digits = 0) => median(own.map(of)).toFixed(digits)
    console.log(
      `  ${title.padEnd(18)} x ${ratio((r) => r.requestsPerSecond)} ${value((r) => r.requestsPerSecond).padStart(6)}/s` +
        `  CPU x ${ratio((r) => r.cpuUsPerRequest)} ${value((r) => r.cpuUsPerRequest).padStart(5)} us` +
        `  p50 ${value((r) => r.p50Ms, 1)} p99 ${value((r) => r.p99Ms, 1)} ms  ${value((r) => r.memoryMb)} MB`,
    )
  }
}
