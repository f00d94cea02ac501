import type { MeasuredServer } from './measured-server.ts'
import { type Load, sendRequests } from './send-requests.ts'

/** The results of one server in one round. */
export interface Round {
  readonly requestsPerSecond: number
  readonly cpuUsPerRequest: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Resident memory after the round. */
  readonly memoryMb: number
}

/** Sends as many requests as the server answers. @throws {Error} when one is refused or fails. */
export async function runRound(
  server: MeasuredServer,
  load: Load,
  seconds: number,
): Promise<Round> {
  const before = await server.cpuUs()
  const sent = await sendRequests(load, seconds)
  const cpuUs = (await server.cpuUs()) - before
  return {
    requestsPerSecond: sent.answered / sent.seconds,
    cpuUsPerRequest: cpuUs / sent.answered,
    p50Ms: sent.p50Ms,
    p99Ms: sent.p99Ms,
    memoryMb: (await server.memoryBytes()) / 1_048_576,
  }
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
