import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import autocannon from 'autocannon'
import { pageSelect, pageSize, pointSelect, tenantKeys } from '../statements.ts'
import { tokenOf } from '../token.ts'
import { type MeasuredServer, startServer } from './measured-server.ts'

/** Seconds of each of the alternating rounds, and number of connections. */
const load = { rounds: 5, seconds: 2, connections: 32 } as const

interface Workload {
  readonly name: string
  /** Sent in turn. */
  readonly bodies: readonly string[]
}

const workloads: readonly Workload[] = [
  {
    name: 'W1: point select by key',
    bodies: tenantKeys(100).map((key) => bodyOf(pointSelect, [key])),
  },
  {
    name: `W2: ${pageSize} rows of 8 columns`,
    bodies: tenantKeys(100).map((key) => bodyOf(pageSelect, [key, pageSize])),
  },
]

function bodyOf(sql: string, params: readonly number[]): string {
  return JSON.stringify({ sql, params, method: 'all' })
}

/** The results of one server in one round. */
interface Round {
  readonly requestsPerSecond: number
  readonly cpuUsPerRequest: number
}

/** Prints a comparison of `POST /data` with a handwritten handler: both run at once, in alternating rounds. */
export async function compareLoads(url: string): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  const authorization = `Bearer ${await tokenOf(secret)}`
  const engine = await startServer('./engine-server.ts', [url, secret])
  const byHand = await startServer('./handwritten-server.ts', [url])
  console.log(
    `\nPOST /data compared with Hono and pg by hand (${load.rounds} rounds of ${load.seconds} s, medians):`,
  )
  try {
    for (const workload of workloads) {
      await requireSameRows(workload, authorization, [engine, byHand])
      const ratios = await compare(workload, authorization, engine, byHand)
      console.log(`  ${workload.name.padEnd(30)} ${ratios}`)
    }
  } finally {
    await engine.stop()
    await byHand.stop()
  }
}

async function compare(
  workload: Workload,
  authorization: string,
  engine: MeasuredServer,
  byHand: MeasuredServer,
): Promise<string> {
  const rounds: { readonly ours: Round; readonly theirs: Round }[] = []
  for (let round = -1; round < load.rounds; round++) {
    const ours = await runRound(engine, workload, authorization)
    const theirs = await runRound(byHand, workload, authorization)
    if (round >= 0) rounds.push({ ours, theirs })
  }
  const speed = median(
    rounds.map(({ ours, theirs }) => ours.requestsPerSecond / theirs.requestsPerSecond),
  )
  const cpu = median(
    rounds.map(({ ours, theirs }) => ours.cpuUsPerRequest / theirs.cpuUsPerRequest),
  )
  const ours = median(rounds.map((round) => round.ours.cpuUsPerRequest))
  const theirs = median(rounds.map((round) => round.theirs.cpuUsPerRequest))
  const perSecond = median(rounds.map((round) => round.ours.requestsPerSecond))
  return (
    `x ${speed.toFixed(2)} requests/s (${perSecond.toFixed(0)}), x ${cpu.toFixed(2)} CPU a request ` +
    `(${ours.toFixed(0)} to ${theirs.toFixed(0)} µs)`
  )
}

async function runRound(
  server: MeasuredServer,
  { bodies }: Workload,
  authorization: string,
): Promise<Round> {
  const before = await server.cpuUs()
  const result = await autocannon({
    url: `${server.url}/data`,
    connections: load.connections,
    duration: load.seconds,
    requests: bodies.map((body) => ({
      method: 'POST' as const,
      headers: { 'content-type': 'application/json', authorization },
      body,
    })),
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} refused, ${result.errors} failed requests`)
  }
  const cpuUs = (await server.cpuUs()) - before
  const answered = result['2xx']
  return {
    requestsPerSecond: answered / result.duration,
    cpuUsPerRequest: cpuUs / answered,
  }
}

/** A comparison of servers with different answers would be worthless. Dates have a different format, by design. */
async function requireSameRows(
  { name, bodies: [body = ''] }: Workload,
  authorization: string,
  servers: readonly MeasuredServer[],
): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization }
  const [ours, theirs] = await Promise.all(
    servers.map(async ({ url }) => {
      const response = await fetch(`${url}/data`, { method: 'POST', headers, body })
      const { rows } = (await response.json()) as { readonly rows: readonly (readonly unknown[])[] }
      return rows.map((row) => row.filter((cell) => !/^\d{4}-\d\d-\d\d/.test(String(cell))))
    }),
  )
  if (ours?.length === 0 || !isDeepStrictEqual(ours, theirs)) {
    throw new Error(`the servers answer ${name} differently`)
  }
}

function median(numbers: readonly number[]): number {
  return (
    numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? Number.NaN
  )
}
