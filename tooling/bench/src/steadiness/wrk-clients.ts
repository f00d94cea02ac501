/** @module As many requests as can be had in a time: sent by wrk, which needs a tenth of the processor time of clients in Node.js. */
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { MixedClients } from './mixed-clients.ts'

const run = promisify(execFile)

export const hasWrk: boolean = spawnSync('wrk', ['-v']).error === undefined

/** Of a round of wrk, which ends by the clock. */
const secondsOf = { first: 3, shortest: 1, longest: 120 } as const

interface Report {
  readonly statuses: Readonly<Record<string, number>>
  readonly failed: number
}

/**
 * @param before requests that were sent before: `%n` goes on after them.
 * @returns how often each status was answered: at least `count` in all, and those until the end of the last round.
 * @throws {Error} when a request got no answer.
 */
export async function sendByWrk(
  mix: MixedClients,
  count: number,
  before: number,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  let answered = 0
  let seconds: number = secondsOf.first
  while (answered < count) {
    const beganMs = performance.now()
    const answeredBefore = answered
    for (const [status, times] of await sendFor(mix, seconds, before + answered)) {
      counts.set(status, (counts.get(status) ?? 0) + times)
      answered += times
    }
    const rate = (answered - answeredBefore) / ((performance.now() - beganMs) / 1_000)
    const left = Math.ceil((count - answered) / rate)
    seconds = Math.min(Math.max(left, secondsOf.shortest), secondsOf.longest)
  }
  return counts
}

async function sendFor(
  { url, authorization, requests, clients }: MixedClients,
  seconds: number,
  before: number,
): Promise<readonly (readonly [string, number])[]> {
  const script = fileURLToPath(new URL('mixed.lua', import.meta.url))
  const words = requests.flatMap(({ path, body = '', isAnonymous = false }) => [
    path,
    body,
    isAnonymous ? 'anonymous' : 'caller',
  ])
  const options = ['-t', '1', '-c', String(clients), '-d', `${seconds}s`, '--timeout', '30s']
  const env = {
    ...process.env,
    BENCH_AUTHORIZATION: authorization ?? '',
    BENCH_FIRST_NUMBER: String(before),
  }
  const { stdout } = await run('wrk', [...options, '-s', script, url, '--', ...words], { env })
  const [, text] = stdout.split('bench-report ')
  if (text === undefined) throw new Error(`wrk: ${stdout}`)
  const { statuses, failed } = JSON.parse(text) as Report
  if (failed > 0) throw new Error(`${failed} requests got no answer`)
  return Object.entries(statuses)
}
