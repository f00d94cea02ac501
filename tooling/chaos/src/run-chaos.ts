/** @module A run: two nodes, load, faults, and then the checks. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, type Random } from '@engine/fixtures'
import { checkAuditRows } from './checks/audit-rows.ts'
import { checkMemory, megabytes, watchMemory } from './checks/memory.ts'
import { checkStoredRows } from './checks/stored-rows.ts'
import { databaseFaults } from './faults/database-faults.ts'
import { injectFaults } from './faults/inject-faults.ts'
import { nodeFaults } from './faults/node-faults.ts'
import { createProbes } from './faults/recovery.ts'
import { createFindings } from './judge/findings.ts'
import { createJudge } from './judge/judge.ts'
import { createTimeline } from './judge/timeline.ts'
import type { EntriesByConnection } from './load/entries.ts'
import { createRevoked } from './load/revoked.ts'
import { createService, type Worker } from './load/service.ts'
import { createWorkers } from './load/workers.ts'
import { type ChaosNode, createNode } from './nodes/node.ts'
import type { ChaosReport } from './report.ts'
import { createWorld, type ServiceKind, type World } from './world/world.ts'

export interface ChaosOptions {
  readonly seed: number
  /** Kind of `service_db`. */
  readonly service: ServiceKind
  /** How long faults are injected. */
  readonly seconds: number
  /** `limits.queryTimeout` of the nodes, in milliseconds. */
  readonly queryTimeoutMs: number
  /** Additional time for an answer, beyond that limit. */
  readonly marginMs: number
  /** This number of milliseconds after the end of a fault every request must succeed. */
  readonly recoveryMs: number
  /** Minimum milliseconds without a fault between two faults. */
  readonly settleMs: number
  /** Maximum duration of a fault, in milliseconds. */
  readonly longestFaultMs: number
  /** Maximum milliseconds between two requests of a worker. */
  readonly pauseMs: number
  /** Only faults whose name contains one of these texts; all faults without texts. */
  readonly only?: readonly string[]
  readonly tell: (line: string) => void
}

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const world = await createWorld(options.service)
  try {
    return await runIn(world, options)
  } finally {
    await world.close()
  }
}

async function runIn(world: World, options: ChaosOptions): Promise<ChaosReport> {
  const { seed, seconds, queryTimeoutMs, marginMs, recoveryMs, longestFaultMs, settleMs, tell } =
    options
  const random = createRandom(seed)
  const findings = createFindings(tell)
  const timeline = createTimeline(recoveryMs)
  const judge = createJudge(timeline, findings)
  const masterKey = randomBytes(32).toString('hex')
  const nodes = await createNodes(world, options, masterKey, (what) => findings.add('exit', what))
  try {
    // Both at once, on an empty service database.
    await Promise.all(nodes.map((node) => node.start()))
    const answerWithinMs = queryTimeoutMs + marginMs
    const service = createService({ nodes, judge, findings, masterKey, random, answerWithinMs })
    const memory = watchMemory(nodes)
    const entries: EntriesByConnection = {
      postgres: new Map(),
      mariadb: new Map(),
      mysql: new Map(),
      sqlite: new Map(),
    }
    const revoked = createRevoked(service)
    const workers = await createWorkers({ service, random, timeline, entries, revoked })
    const measureRecovery = await createProbes(service, timeline, answerWithinMs)
    const kinds = [
      ...databaseFaults(world, longestFaultMs),
      ...nodeFaults(nodes, findings, longestFaultMs),
    ].filter(({ name }) => options.only?.some((part) => name.includes(part)) ?? true)
    const endMs = performance.now() + seconds * 1_000
    const isOver = () => performance.now() > endMs
    let isLoadOver = false
    const load = workers.map((worker) => work(worker, random, options.pauseMs, () => isLoadOver))
    const recoveries = await injectFaults({
      ...{ kinds, random, timeline, findings, measureRecovery, recoveryMs, settleMs, isOver, tell },
    })
    await sleep(2_000)
    isLoadOver = true
    await Promise.all(load)
    memory.stop()
    await endOrderly(nodes, findings.add)
    checkMemory(nodes[0], memory.curveOf(nodes[0]), findings)
    return {
      seed,
      seconds,
      findings: findings.all,
      counts: judge.counts,
      slowestMs: judge.slowestMs(),
      recoveries,
      comparedRows: await checkStoredRows(world, entries, findings),
      revoked: revoked.count(),
      audit: await checkAuditRows(world, service.acknowledged, timeline, findings),
      heap: nodes[0].heaps.map(megabytes),
      memory: new Map(nodes.map((node) => [node.name, memory.curveOf(node)])),
      logged: new Map(
        nodes.flatMap(({ name, logged }) =>
          [...logged].map(([message, count]) => [`${name}: ${message}`, count] as const),
        ),
      ),
      leftOut: world.disk === undefined ? ['sqlite: disk full'] : [],
    }
  } finally {
    for (const node of nodes) {
      node.signal('SIGCONT')
      await node.end('SIGKILL')
    }
  }
}

async function createNodes(
  world: World,
  { queryTimeoutMs }: ChaosOptions,
  masterKey: string,
  onUnexpectedEnd: (what: string) => void,
): Promise<readonly [ChaosNode, ChaosNode]> {
  const env = {
    CHAOS_POSTGRES: world.urls.postgres,
    CHAOS_MARIADB: world.urls.mariadb,
    CHAOS_MYSQL: world.urls.mysql,
    CHAOS_SQLITE: world.urls.sqlite,
    CHAOS_SERVICE: world.urls.service,
    CHAOS_MASTER_KEY: masterKey,
    CHAOS_AUTH_SECRET: randomBytes(32).toString('hex'),
    CHAOS_QUERY_TIMEOUT_MS: String(queryTimeoutMs),
  }
  const { directory } = world
  const shared = { directory, onUnexpectedEnd }
  return [
    await createNode({ ...shared, name: 'node-a', env: { ...env, CHAOS_SKEW_MS: '3000' } }),
    await createNode({ ...shared, name: 'node-b', env: { ...env, CHAOS_SKEW_MS: '-3000' } }),
  ]
}

async function work(
  worker: Worker,
  random: Random,
  pauseMs: number,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await worker.step()
    await sleep(random.integer(pauseMs >> 2, pauseMs))
  }
}

async function endOrderly(
  nodes: readonly ChaosNode[],
  complain: (kind: string, what: string) => void,
): Promise<void> {
  for (const node of nodes) {
    const code = await node.end('SIGTERM')
    if (code !== 0) complain('exit', `${node.name} after SIGTERM: ${code}`)
  }
}
