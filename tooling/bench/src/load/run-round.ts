import autocannon from 'autocannon'
import type { MeasuredServer } from './measured-server.ts'

/** Requests to one server, sent in turn. */
export interface Load {
  readonly url: string
  readonly bodies: readonly string[]
  readonly authorization: string | undefined
}

/** The results of one server in one round. */
export interface Round {
  readonly requestsPerSecond: number
  readonly cpuUsPerRequest: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Resident memory after the round. */
  readonly memoryMb: number
}

const connections = 64

/** Sends as many requests as the server answers. @throws {Error} when one is refused or fails. */
export async function runRound(
  server: MeasuredServer,
  { url, bodies, authorization }: Load,
  seconds: number,
): Promise<Round> {
  const before = await server.cpuUs()
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: bodies.map((body) => ({ method: 'POST' as const, headers, body })),
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} refused, ${result.errors} failed requests`)
  }
  const cpuUs = (await server.cpuUs()) - before
  const answered = result['2xx']
  return {
    requestsPerSecond: answered / result.duration,
    cpuUsPerRequest: cpuUs / answered,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    memoryMb: (await server.memoryBytes()) / 1_048_576,
  }
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
