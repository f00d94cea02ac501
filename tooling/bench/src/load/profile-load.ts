/**
 * @module Where the processor time of a request goes: samples of the server's main thread under load. `pnpm bench load profile
 * [database] [workload] [setup] [credential] [by-hand]`
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startByHand, startEngine } from './contenders.ts'
import { databaseKinds, openDatabase } from './databases.ts'
import { besideServers, createPinnedServers } from './pinned-servers.ts'
import { runRound } from './run-round.ts'
import { credentialNames, setupNames } from './setups.ts'
import { workloads } from './workloads.ts'

/** Rounds of so many seconds; the profile is that of the last ones, when the code is compiled. */
const rounds = { all: 5, counted: 3, seconds: 3 } as const

/** Most lines of each table. */
const shown = 60

/** Files of this project. */
const isOurs = /\/(packages|apps)\/[^/]+\/(src|dist)\//

/** Samples of these belong to no file. */
const outside = new Set(['(idle)', '(program)', '(root)'])

export async function profileLoad(words: readonly string[]): Promise<void> {
  const chosen = <Name extends string>(names: readonly Name[], usual: Name) =>
    names.find((name) => words.includes(name)) ?? usual
  const kind = chosen(databaseKinds, 'postgres')
  const workload = workloads.find(({ name }) => words.includes(name)) ?? workloads[0]
  if (workload === undefined) throw new Error('there is no workload')
  const folder = mkdtempSync(join(tmpdir(), 'engine-profile-'))
  const database = await openDatabase(kind)
  const servers = createPinnedServers()
  try {
    await besideServers(async () => {
      const options = ['--cpu-prof', '--cpu-prof-interval=400', `--cpu-prof-dir=${folder}`]
      const [contender] = words.includes('by-hand')
        ? [await startByHand(servers, database, options)]
        : await startEngine(
            servers,
            database,
            chosen(setupNames, 'all'),
            [chosen(credentialNames, 'token')],
            options,
          )
      if (contender === undefined) throw new Error('there is nothing to measure')
      for (let round = 0; round < rounds.all; round += 1) {
        const result = await runRound(contender.server, contender.loadOf(workload), rounds.seconds)
        const { requestsPerSecond, cpuUsPerRequest } = result
        console.log(`${requestsPerSecond.toFixed(0)}/s, ${cpuUsPerRequest.toFixed(1)} us of CPU`)
      }
    })
    await servers.stop()
    for (const file of readdirSync(folder)) {
      printProfile(JSON.parse(readFileSync(join(folder, file), 'utf8')))
    }
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Shares of the busy time of the last rounds. A thread of its own has a profile of its own. */
function printProfile({ nodes, samples = [], timeDeltas = [], endTime }: Profiler.Profile): void {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]))
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  )
  const own = new Map<string, number>()
  const files = new Map<string, number>()
  const inclusive = new Map<string, number>()
  const ours = new Map<string, number>()
  const add = (to: Map<string, number>, name: string, us: number) =>
    to.set(name, (to.get(name) ?? 0) + us)
  const fromUs = endTime - (rounds.counted * rounds.seconds + 1) * 1_000_000
  let atUs = endTime - timeDeltas.reduce((sum, delta) => sum + delta, 0)
  let busyUs = 0
  samples.forEach((id, i) => {
    const us = timeDeltas[i] ?? 0
    atUs += us
    const frame = byId.get(id)
    if (atUs < fromUs || frame === undefined || frame.functionName === '(idle)') return
    busyUs += us
    add(own, nameOf(frame), us)
    add(files, outside.has(frame.functionName) ? frame.functionName : fileOf(frame), us)
    const seen = new Set<string>()
    let nearest: string | undefined
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const above = byId.get(at)
      if (above === undefined) continue
      seen.add(nameOf(above))
      if (isOurs.test(above.url)) nearest ??= nameOf(above)
    }
    for (const name of seen) add(inclusive, name, us)
    add(ours, nearest ?? `(Node.js) ${nameOf(frame)}`, us)
  })
  const print = (title: string, shares: ReadonlyMap<string, number>) => {
    console.log(`\n${title}`)
    const sorted = [...shares].toSorted(([, left], [, right]) => right - left).slice(0, shown)
    for (const [name, us] of sorted) {
      console.log(`${((us / busyUs) * 100).toFixed(1).padStart(5)} %  ${name}`)
    }
  }
  print('files, by their own time', files)
  print('functions, by their own time', own)
  print('our functions, with what they call of others', ours)
  print('functions, with what they call', inclusive)
}

function nameOf(frame: Profiler.ProfileNode['callFrame']): string {
  const { functionName, lineNumber } = frame
  return `${functionName || '(anonymous)'} ${fileOf(frame)}:${lineNumber + 1}`
}

/** The last folders of the path are enough. */
function fileOf({ url }: Profiler.ProfileNode['callFrame']): string {
  return url.split('/').slice(-3).join('/')
}
