/** @module The load of a round: by wrk where it is installed, which leaves the processor to databases, else by autocannon. */
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

/** A POST of a JSON body, or a GET where there is none. `path` begins with a slash. */
export interface LoadRequest {
  readonly path: string
  readonly body: string | undefined
}

/** Requests to one server, sent in turn. `url` has no path. */
export interface Load {
  readonly url: string
  readonly requests: readonly LoadRequest[]
  readonly authorization: string | undefined
}

/** What a client saw of a load. */
export interface Sent {
  readonly answered: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface Report extends Sent {
  readonly refused: number
  readonly failed: number
}

const connections = 64
const hasWrk = spawnSync('wrk', ['-v']).error === undefined
const run = promisify(execFile)

/** Who sends the load, for reports. */
export const generator = hasWrk ? 'wrk' : 'autocannon'

/** Sends as many requests as the server answers. @throws {Error} when one is refused or fails. */
export async function sendRequests(load: Load, seconds: number): Promise<Sent> {
  const sent = await (hasWrk ? sendByWrk : sendByAutocannon)(load, seconds)
  if (sent.refused > 0 || sent.failed > 0) {
    throw new Error(`${sent.refused} refused, ${sent.failed} failed requests`)
  }
  return sent
}

/** Sends the first request of a load once. */
export function sendFirst({ url, requests, authorization }: Load): Promise<Response> {
  const { path = '', body } = requests[0] ?? {}
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
  return fetch(
    `${url}${path}`,
    body === undefined ? { headers } : { method: 'POST', headers, body },
  )
}

/**
 * Waits until a server has done what a load left behind: a handler that does not notice that its client has left still sends its
 * statements to the database, where they would take the time of the next server. As many requests as the load had connections wait
 * behind them.
 */
export async function waitForRest(load: Load): Promise<void> {
  await Promise.all(
    Array.from({ length: connections }, async () => (await sendFirst(load)).arrayBuffer()),
  )
}

async function sendByAutocannon(
  { url, requests, authorization }: Load,
  seconds: number,
): Promise<Report> {
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: requests.map(({ path, body }) =>
      body === undefined
        ? { method: 'GET' as const, path, headers }
        : { method: 'POST' as const, path, headers, body },
    ),
  })
  return {
    answered: result['2xx'],
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    refused: result.non2xx,
    failed: result.errors,
  }
}

/** The script receives the path and the body of each request; the body of a GET is empty. */
async function sendByWrk({ url, requests, authorization }: Load, seconds: number): Promise<Report> {
  const script = fileURLToPath(new URL('wrk.lua', import.meta.url))
  const { stdout } = await run(
    'wrk',
    [
      '-t',
      '1',
      '-c',
      String(connections),
      '-d',
      `${seconds}s`,
      // A handler with one thread may leave a connection unanswered for seconds.
      '--timeout',
      '30s',
      '-s',
      script,
      url,
      '--',
      ...requests.flatMap(({ path, body }) => [path, body ?? '']),
    ],
    { env: { ...process.env, BENCH_AUTHORIZATION: authorization ?? '' } },
  )
  const [, report] = stdout.split('bench-report ')
  if (report === undefined) throw new Error(`wrk: ${stdout}`)
  return JSON.parse(report) as Report
}
