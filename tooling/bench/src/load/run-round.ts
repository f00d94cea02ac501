import { setTimeout as passed } from 'node:timers/promises'
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

/**
 * The load leaves by closing its connections, and Engine then cancels the statements that still run: that is not counted. In
 * seconds.
 */
const leaving = 0.1

/**
 * Sends as many requests as the server answers. CPU time is counted until shortly before the last of them.
 *
 * @throws {Error} when one is refused or fails.
 */
export async function runRound(
  server: MeasuredServer,
  load: Load,
  seconds: number,
): Promise<Round> {
  const before = await server.cpuUs()
  const begunMs = performance.now()
  const sending = sendRequests(load, seconds)
  const [sent, used] = await Promise.all([sending, usedAfter(server, seconds - leaving)])
  const requestsPerSecond = sent.answered / sent.seconds
  const countedSeconds = (used.atMs - begunMs) / 1_000
  return {
    requestsPerSecond,
    cpuUsPerRequest: (used.cpuUs - before) / (requestsPerSecond * countedSeconds),
    p50Ms: sent.p50Ms,
    p99Ms: sent.p99Ms,
    memoryMb: (await server.memoryBytes()) / 1_048_576,
  }
}

async function usedAfter(server: MeasuredServer, seconds: number) {
  await passed(seconds * 1_000)
  const cpuUs = await server.cpuUs()
  return { cpuUs, atMs: performance.now() }
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
