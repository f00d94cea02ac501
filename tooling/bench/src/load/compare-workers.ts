/**
 * @module Compares one process with two of the same server, in alternating rounds. `pnpm bench load workers [database...]
 * [workload...]`
 */
import autocannon from 'autocannon'
import { type DatabaseKind, databaseKinds, openDatabase } from './databases.ts'
import { type ProgramServer, startProgram } from './program-server.ts'
import { median } from './run-round.ts'
import { authorizationOf, setupOf } from './setups.ts'
import { bodyOf, type Workload, workloads } from './workloads.ts'

const rounds = { warm: 1, counted: 5, seconds: 3 } as const
const connections = 64
const counts = [1, 2] as const

interface Contender {
  readonly server: ProgramServer
  readonly authorization: string | undefined
}

/** Nothing is pinned to a processor: servers, load and databases share all of them. */
export async function compareWorkers(words: readonly string[]): Promise<void> {
  const kinds = databaseKinds.filter((kind) => words.includes(kind))
  const names = workloads.filter(({ name }) => words.includes(name))
  console.log('\nTwo workers beside one process, x requests a second (lowest and highest ratio):')
  for (const kind of kinds.length === 0 ? databaseKinds : kinds) {
    await compareDatabase(kind, names.length === 0 ? workloads : names)
  }
}

async function compareDatabase(kind: DatabaseKind, measured: readonly Workload[]): Promise<void> {
  const database = await openDatabase(kind)
  const contenders: Contender[] = []
  try {
    const { config } = setupOf(database, 'all')
    for (const count of counts) {
      const server = await startProgram(config, ['--workers', String(count)])
      contenders.push({ server, authorization: await authorizationOf(server.url, 'all', 'token') })
    }
    for (const workload of measured) {
      const ratios: number[] = []
      for (let round = 0; round < rounds.warm + rounds.counted; round += 1) {
        const [one = 1, two = 0] = await runBoth(contenders, workload)
        if (round >= rounds.warm) ratios.push(two / one)
      }
      const [least, middle, most] = [Math.min(...ratios), median(ratios), Math.max(...ratios)]
      const range = `${least.toFixed(2)} to ${most.toFixed(2)}`
      console.log(`${database.title} ${workload.name}: x ${middle.toFixed(2)} (${range})`)
    }
  } finally {
    for (const { server } of contenders) await server.stop()
    await database.stop()
  }
}

async function runBoth(
  contenders: readonly Contender[],
  workload: Workload,
): Promise<readonly number[]> {
  const results: number[] = []
  for (const contender of contenders) results.push(await requestsPerSecond(contender, workload))
  return results
}

async function requestsPerSecond(
  { server, authorization }: Contender,
  workload: Workload,
): Promise<number> {
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
  const result = await autocannon({
    url: `${server.url}/data`,
    connections,
    duration: rounds.seconds,
    requests: workload.params.map((params) => ({
      method: 'POST' as const,
      headers,
      body: bodyOf(workload, params),
    })),
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} refused, ${result.errors} failed requests`)
  }
  return result['2xx'] / result.duration
}
