/**
 * @module Compares Engine with other libraries that serve PostgreSQL under row rules, in alternating rounds. `pnpm bench load peers
 * [workload...]`
 */
import { alternateRounds, medianRatio, printResults, type Results } from '../alternate-rounds.ts'
import { type Contender, startByHand, startEngine } from '../contenders.ts'
import { type MeasuredDatabase, openDatabase } from '../databases.ts'
import { besideServers, createPinnedServers, type PinnedServers } from '../pinned-servers.ts'
import { requireRows } from '../require-rows.ts'
import { median, type Round } from '../run-round.ts'
import { generator } from '../send-requests.ts'
import { secret, signToken } from '../setups.ts'
import { type Workload, workloads } from '../workloads.ts'
import { installPeers, versionOf } from './install-peers.ts'
import type { Peer } from './peer.ts'
import { postgraphile } from './postgraphile.ts'
import { prisma } from './prisma.ts'
import { requireAnswers } from './require-answers.ts'
import { zenstack } from './zenstack.ts'

const peers: readonly Peer[] = [prisma, zenstack, postgraphile]

interface PeerContender extends Contender {
  readonly peer: Peer
}

export async function comparePeers(words: readonly string[]): Promise<void> {
  const directory = await installPeers()
  const wanted = workloads.filter(({ name }) => words.includes(name))
  console.log(
    `\nPeers: x requests a second (x CPU a request; p50 and p99 in ms; MB), base = by hand without authentication, load by ${generator}:`,
  )
  await besideServers(() => compare(directory, wanted.length === 0 ? workloads : wanted))
}

async function compare(directory: string, measured: readonly Workload[]): Promise<void> {
  const database = await openDatabase('postgres')
  const servers = createPinnedServers()
  try {
    const byHand = await startByHand(servers, database)
    const engine = (await startEngine(servers, database, 'all', ['token'])).map((contender) => ({
      ...contender,
      title: 'Engine',
    }))
    const others = await startPeers(servers, database, directory)
    for (const workload of measured) {
      console.log(`${database.title} ${workload.name}: ${workload.title}`)
      for (const contender of [byHand, ...engine]) await requireRows(contender, workload)
      const able = others.filter(({ peer }) => peer.leftOut[workload.name] === undefined)
      for (const { peer, server } of able) await requireAnswers(database, server, peer, workload)
      const results = await alternateRounds(workload, [byHand, ...engine, ...able])
      printResults(results)
      for (const { title, peer } of others.filter((each) => !able.includes(each))) {
        console.log(`  ${title} is left out: ${peer.leftOut[workload.name]}`)
      }
      printBest(results, engine, able)
    }
  } finally {
    await servers.stop()
    await database.stop()
  }
}

async function startPeers(
  servers: PinnedServers,
  { url }: MeasuredDatabase,
  directory: string,
): Promise<readonly PeerContender[]> {
  const authorization = `Bearer ${await signToken(secret)}`
  const contenders: PeerContender[] = []
  for (const peer of peers) {
    const words = [`${directory}/${peer.name}.mjs`, url, secret]
    const server = await servers.start('./peers/peer-server.ts', words)
    const loadOf = ({ name, params }: Workload) => ({
      url: server.url,
      requests: params.map((values) => peer.requestOf(name, values)),
      authorization,
    })
    const title = `${peer.title} ${versionOf(peer.packageName)}`
    contenders.push({ title, server, loadOf, peer })
  }
  return contenders
}

/** Engine as a multiple of the peer with the most requests a second. */
function printBest(
  results: Results,
  engine: readonly Contender[],
  others: readonly Contender[],
): void {
  const roundsOf = (contender: Contender) => results.get(contender) ?? []
  const speed = (round: Round) => round.requestsPerSecond
  const speedOf = (contender: Contender) => median(roundsOf(contender).map(speed))
  const [best] = others.toSorted((left, right) => speedOf(right) - speedOf(left))
  if (best === undefined) return
  for (const contender of engine) {
    const ratio = (of: (round: Round) => number) =>
      medianRatio(roundsOf(contender), roundsOf(best), of).toFixed(2)
    console.log(
      `  ${contender.title} / best peer (${best.title}): x ${ratio(speed)}, CPU x ${ratio((r) => r.cpuUsPerRequest)}`,
    )
  }
}
