/**
 * @module Compares requests as users send them with handwritten servers of the same databases, in alternating rounds. `pnpm bench
 * load [database...] [workload...] [setup...] [credential...]`
 */
import { alternateRounds, printResults } from './alternate-rounds.ts'
import { type Contender, startByHand, startEngine } from './contenders.ts'
import { type DatabaseKind, databaseKinds, openDatabase } from './databases.ts'
import { besideServers, createPinnedServers } from './pinned-servers.ts'
import { requireRows } from './require-rows.ts'
import { generator } from './send-requests.ts'
import { type CredentialName, credentialNames, type SetupName, setupNames } from './setups.ts'
import { type Workload, workloads } from './workloads.ts'

export async function compareLoads(words: readonly string[]): Promise<void> {
  const chosen = <Name extends string>(names: readonly Name[], usual: readonly Name[]) => {
    const found = names.filter((name) => words.includes(name))
    return found.length === 0 ? usual : found
  }
  const setups = chosen(setupNames, ['all'])
  const credentials = chosen(credentialNames, ['token', 'session', 'key'])
  const names = workloads.map(({ name }) => name)
  const wanted = chosen(names, names)
  console.log(
    `\nx requests a second (x CPU a request; p50 and p99 in ms; MB), base = by hand, load by ${generator}:`,
  )
  await besideServers(async () => {
    for (const kind of chosen(databaseKinds, databaseKinds)) {
      const measured = workloads.filter(({ name }) => wanted.includes(name))
      await compareDatabase(kind, setups, credentials, measured)
    }
  })
}

async function compareDatabase(
  kind: DatabaseKind,
  setups: readonly SetupName[],
  credentials: readonly CredentialName[],
  measured: readonly Workload[],
): Promise<void> {
  const database = await openDatabase(kind)
  const servers = createPinnedServers()
  try {
    const contenders: Contender[] = [await startByHand(servers, database)]
    for (const setup of setups) {
      const wanted = setup === 'open' ? (['token'] as const) : credentials
      contenders.push(...(await startEngine(servers, database, setup, wanted)))
    }
    for (const workload of measured) {
      console.log(`${database.title} ${workload.name}: ${workload.title}`)
      for (const contender of contenders) await requireRows(contender, workload)
      printResults(await alternateRounds(workload, contenders))
    }
  } finally {
    await servers.stop()
    await database.stop()
  }
}
