/**
 * @module Compares requests as users send them with handwritten servers of the same databases, in alternating rounds. `pnpm bench
 * load [database...] [workload...] [setup...] [credential...]`
 */
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { type DatabaseKind, databaseKinds, openDatabase } from './databases.ts'
import { type MeasuredServer, startServer } from './measured-server.ts'
import { median, type Round, runRound } from './run-round.ts'
import { generator, type Load } from './send-requests.ts'
import {
  authorizationOf,
  type CredentialName,
  credentialNames,
  type SetupName,
  setupNames,
  setupOf,
} from './setups.ts'
import { bodyOf, type Workload, workloads } from './workloads.ts'

/** Alternating rounds of so many seconds; the first ones warm up. */
const rounds = { warm: 3, counted: 4, seconds: 3 } as const

/** Like the program `engine-server`, which restarts itself with it. */
const programOptions = ['--max-semi-space-size=32']

/** One server under the load of one workload. */
interface Contender {
  readonly title: string
  readonly server: MeasuredServer
  readonly loadOf: (workload: Workload) => Load
}

export async function compareLoads(words: readonly string[]): Promise<void> {
  const chosen = <Name extends string>(names: readonly Name[], usual: readonly Name[]) => {
    const found = names.filter((name) => words.includes(name))
    return found.length === 0 ? usual : found
  }
  // The measured servers run on the first processor alone; load, and databases started here, on the second.
  pin(process.pid, 1)
  const setups = chosen(setupNames, ['all'])
  const credentials = chosen(credentialNames, ['token', 'session', 'key'])
  const names = workloads.map(({ name }) => name)
  const wanted = chosen(names, names)
  console.log(
    `\nx requests a second (x CPU a request; p50 and p99 in ms; MB), base = by hand, load by ${generator}:`,
  )
  for (const kind of chosen(databaseKinds, databaseKinds)) {
    const measured = workloads.filter(({ name }) => wanted.includes(name))
    await compareDatabase(kind, setups, credentials, measured)
  }
  pin(process.pid, `0-${processors - 1}`)
}

async function compareDatabase(
  kind: DatabaseKind,
  setups: readonly SetupName[],
  credentials: readonly CredentialName[],
  measured: readonly Workload[],
): Promise<void> {
  const database = await openDatabase(kind)
  const servers: MeasuredServer[] = []
  const start = async (
    file: string,
    args: readonly string[],
    nodeOptions: readonly string[] = [],
  ) => {
    const server = await startServer(file, args, nodeOptions)
    pin(server.pid, 0)
    servers.push(server)
    return server
  }
  try {
    const byHand = await start('./handwritten-server.ts', [kind, database.url])
    const contenders: Contender[] = []
    for (const name of setups) {
      const setup = JSON.stringify(setupOf(database, name))
      const server = await start('./engine-server.ts', [setup], programOptions)
      for (const credential of name === 'open' ? (['token'] as const) : credentials) {
        const authorization = await authorizationOf(server.url, name, credential)
        const loadOf = (workload: Workload) => ({
          url: `${server.url}/data`,
          bodies: workload.params.map((params) => bodyOf(workload, params)),
          authorization,
        })
        contenders.push({
          title: name === 'open' ? name : `${name}, ${credential}`,
          server,
          loadOf,
        })
      }
    }
    const base: Contender = { title: 'by hand', server: byHand, loadOf: byHandLoad(byHand) }
    for (const workload of measured) {
      console.log(`${database.title} ${workload.name}: ${workload.title}`)
      await compare(workload, base, contenders)
    }
  } finally {
    for (const server of servers) await server.stop()
    await database.stop()
  }
}

function byHandLoad({ url }: MeasuredServer): (workload: Workload) => Load {
  return ({ name, params }) => ({
    url: `${url}/${name}`,
    bodies: params.map((values) => JSON.stringify({ params: values })),
    authorization: undefined,
  })
}

async function compare(
  workload: Workload,
  base: Contender,
  contenders: readonly Contender[],
): Promise<void> {
  const all = [base, ...contenders]
  const results = new Map<Contender, Round[]>(all.map((contender) => [contender, []]))
  for (const { server, loadOf } of all) await requireRows(server, loadOf(workload), workload)
  for (let round = 0; round < rounds.warm + rounds.counted; round += 1) {
    for (const contender of all) {
      const { server, loadOf } = contender
      const result = await runRound(server, loadOf(workload), rounds.seconds)
      if (round >= rounds.warm) results.get(contender)?.push(result)
    }
  }
  const bases = results.get(base) ?? []
  for (const contender of all) {
    const own = results.get(contender) ?? []
    const ratio = (of: (round: Round) => number) =>
      median(own.map((round, i) => of(round) / of(bases[i] ?? round))).toFixed(2)
    const value = (of: (round: Round) => number, digits = 0) => median(own.map(of)).toFixed(digits)
    console.log(
      `  ${contender.title.padEnd(16)} x ${ratio((r) => r.requestsPerSecond)} ${value((r) => r.requestsPerSecond).padStart(6)}/s` +
        `  CPU x ${ratio((r) => r.cpuUsPerRequest)} ${value((r) => r.cpuUsPerRequest).padStart(5)} us` +
        `  p50 ${value((r) => r.p50Ms, 1)} p99 ${value((r) => r.p99Ms, 1)} ms  ${value((r) => r.memoryMb)} MB`,
    )
  }
}

/** A comparison of servers with different answers would be worthless. */
async function requireRows(
  { url }: MeasuredServer,
  { url: address, bodies: [body = ''], authorization }: Load,
  { name, rows }: Workload,
): Promise<void> {
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
  const response = await fetch(address, { method: 'POST', headers, body })
  const text = await response.text()
  const answer = response.ok
    ? (JSON.parse(text) as { readonly rows: readonly unknown[] })
    : undefined
  if (answer?.rows.length !== rows)
    throw new Error(`${url} answers ${name} with ${text.slice(0, 300)}`)
}

const processors = availableParallelism()

/** With one processor, everything shares it. */
function pin(pid: number, processor: number | string): void {
  if (processors < 2) return
  const { status, stderr } = spawnSync('taskset', [
    '-a',
    '-c',
    '-p',
    String(processor),
    String(pid),
  ])
  if (status !== 0) throw new Error(`taskset: ${String(stderr)}`)
}
