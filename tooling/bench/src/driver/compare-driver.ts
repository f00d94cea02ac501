/**
 * @module Compares a statement through the engine with the same one by node-postgres alone, in one process: no HTTP, no
 * load generator.
 */
import { connect } from '@engine/adapters-postgres'
import { type Caller, createEngine } from '@engine/core'
import pg from 'pg'
import { pageSelect, pageSize, pointSelect, tenant, tenantKeys } from '../statements.ts'

/**
 * Number of concurrent statements, and rounds of each comparison; half as many warm-up rounds run first.
 */
const load = { atATime: 32, rounds: 20 } as const

interface Workload {
  readonly name: string
  /** Statements of one round. */
  readonly count: number
  readonly sql: string
  /** The handwritten query, with the filter of the tenant. */
  readonly byHand: { readonly name: string; readonly text: string }
  params(key: number): readonly number[]
}

const workloads: readonly Workload[] = [
  {
    name: 'point select by key',
    count: 1_000,
    sql: pointSelect,
    byHand: {
      name: 'point',
      text: `select id, status, total_cents, freight, order_date, ship_city
        from bench.orders where id = $1 and tenant_id = $2`,
    },
    params: (key) => [key],
  },
  {
    name: `${pageSize} rows of 8 columns`,
    count: 200,
    sql: pageSelect,
    byHand: {
      name: 'page',
      text: `select id, tenant_id, status, total_cents, freight, order_date, ship_city, is_gift
        from bench.orders where id > $1 and tenant_id = $3 order by id limit $2`,
    },
    params: (key) => [key, pageSize],
  },
]

const customer: Caller = {
  kind: 'user',
  id: 'ada',
  roles: ['customer'],
  fields: { id: 'ada', tenant_id: tenant },
}

/** Time of one statement, in microseconds. */
interface Cost {
  readonly cpuUs: number
  readonly wallUs: number
}

type RunStatement = (workload: Workload, key: number) => Promise<unknown>

/** Prints the cost of the engine and its driver compared with node-postgres and JSON.stringify. */
export async function compareDriver(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 16 })
  // Its `end` does not wait for the server's side: a connection may still get the server's shutdown message.
  pool.on('error', () => undefined)
  const engine = await createEngine(
    {
      connections: { main: { url, schema: 'bench', pool: { max: 16 } } },
      auth: { secret: 'x'.repeat(32) },
      limits: { maxConcurrentPerCaller: load.atATime },
      permissions: [
        {
          table: 'main.orders',
          roles: ['customer'],
          select: { where: { tenant_id: '$user.tenant_id' } },
        },
      ],
    },
    { adapters: { '@engine/adapters-postgres': connect } },
  )
  const throughEngine: RunStatement = ({ sql, params }, key) =>
    engine.query(
      { sql, params: params(key), method: 'all', meta: false, signal: undefined },
      customer,
    )
  const byHand: RunStatement = async (workload, key) => {
    const values = [...workload.params(key), tenant]
    const { rows } = await pool.query({ ...workload.byHand, values, rowMode: 'array' })
    return JSON.stringify({ rows })
  }
  console.log(
    `\nThe engine beside node-postgres in one process (${load.atATime} at a time, ${load.rounds} rounds, medians):`,
  )
  try {
    for (const workload of workloads) {
      const rounds: { readonly ours: Cost; readonly theirs: Cost }[] = []
      for (let round = -load.rounds / 2; round < load.rounds; round++) {
        const ours = await costOf(workload, throughEngine)
        const theirs = await costOf(workload, byHand)
        if (round >= 0) rounds.push({ ours, theirs })
      }
      const cpu = median(rounds.map(({ ours, theirs }) => ours.cpuUs / theirs.cpuUs))
      const wall = median(rounds.map(({ ours, theirs }) => ours.wallUs / theirs.wallUs))
      const ours = median(rounds.map((round) => round.ours.cpuUs))
      const theirs = median(rounds.map((round) => round.theirs.cpuUs))
      console.log(
        `  ${workload.name.padEnd(30)} x ${cpu.toFixed(2)} CPU (${ours.toFixed(0)} to ${theirs.toFixed(0)} µs), x ${wall.toFixed(2)} time`,
      )
    }
  } finally {
    await engine.close()
    await pool.end()
  }
}

async function costOf(workload: Workload, run: RunStatement): Promise<Cost> {
  const keys = tenantKeys(100)
  let left = workload.count
  const worker = async () => {
    while (left > 0) {
      left -= 1
      await run(workload, keys[left % keys.length] ?? 0)
    }
  }
  const cpuBefore = process.cpuUsage()
  const startMs = performance.now()
  await Promise.all(Array.from({ length: load.atATime }, worker))
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    cpuUs: (user + system) / workload.count,
    wallUs: ((performance.now() - startMs) * 1_000) / workload.count,
  }
}

function median(numbers: readonly number[]): number {
  return (
    numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? Number.NaN
  )
}
