/** @module The wire protocol, with permissions, compared with PgBouncer and PostgreSQL, without them. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { missingPgbouncer, startPgbouncer } from '@engine/test-databases'
import pg from 'pg'
import { type MeasuredServer, startServer } from '../load/measured-server.ts'
import { tenant } from '../statements.ts'
import { tokenOf } from '../token.ts'
import { measureIdleMemory } from './measure-idle-memory.ts'
import { createNotes, handWrittenFilter, noteCounts, pgbenchScript } from './notes-table.ts'
import { missingPgbench, type QueryMode, runPgbench } from './run-pgbench.ts'

/** Seconds of each of the alternating rounds, and number of clients. */
const load = { rounds: 5, seconds: 1, clients: 16 } as const

/** Relative to PgBouncer's speed. */
const goals: readonly (readonly [mode: QueryMode, ratio: number])[] = [
  ['simple', 0.7],
  ['extended', 0.7],
  ['prepared', 0.6],
]

/** One of the compared servers. */
interface Contestant {
  readonly name: string
  readonly url: string
  readonly script: string
}

/** Prints a comparison of point selects by key, and the cost of an idle connection. */
export async function compareWire(url: string): Promise<void> {
  const missing = missingPgbench()
  if (missing !== undefined) {
    console.log(`\nWire protocol: not compared, ${missing}`)
    return
  }
  await createNotes(url)
  const secret = randomBytes(32).toString('base64url')
  const token = await tokenOf(secret)
  const engine = await startServer('../wire/engine-server.ts', [url, secret, `${load.clients}`])
  try {
    await compareModes(url, engine, token)
  } finally {
    await engine.stop()
  }
  await measureIdleMemory([url, secret], token)
}

async function compareModes(url: string, engine: MeasuredServer, token: string): Promise<void> {
  const reason = missingPgbouncer()
  const pooler =
    reason === undefined ? await startPgbouncer({ url, poolSize: load.clients }) : undefined
  const home = mkdtempSync(join(tmpdir(), 'engine-bench-wire-'))
  const withoutFilter = join(home, 'permissions.sql')
  const withFilter = join(home, 'by-hand.sql')
  writeFileSync(withoutFilter, pgbenchScript(''))
  writeFileSync(withFilter, pgbenchScript(handWrittenFilter))
  const ours = {
    name: 'engine',
    url: `postgres://ada:${token}@127.0.0.1:${engine.port}/bench`,
    script: withoutFilter,
  }
  console.log(
    `\nPoint selects by the wire protocol (pgbench, ${load.clients} clients, ${load.rounds} rounds of ${load.seconds} s in turn)${reason === undefined ? '' : `; ${reason}`}:`,
  )
  try {
    for (const [mode, goal] of goals) {
      const poolerUrl = mode === 'prepared' ? pooler?.sessionUrl : pooler?.url
      const theirs = [
        ...(poolerUrl === undefined
          ? []
          : [{ name: 'PgBouncer', url: poolerUrl, script: withFilter }]),
        { name: 'PostgreSQL', url, script: withFilter },
      ]
      await requireSameRows([ours, ...theirs])
      console.log(`  ${mode.padEnd(9)} ${await compareMode(mode, goal, engine, ours, theirs)}`)
    }
  } finally {
    rmSync(home, { recursive: true })
    await pooler?.stop()
  }
}

async function compareMode(
  mode: QueryMode,
  goal: number,
  engine: MeasuredServer,
  ours: Contestant,
  theirs: readonly Contestant[],
): Promise<string> {
  const contestants = [ours, ...theirs]
  const rounds: (readonly number[])[] = []
  let cpuUs = 0
  let answered = 0
  for (let round = -1; round < load.rounds; round++) {
    const before = await engine.cpuUs()
    const speeds: number[] = []
    for (const { url, script } of contestants) {
      const length = { seconds: load.seconds }
      speeds.push(await runPgbench({ url, script, mode, clients: load.clients, length }))
    }
    if (round < 0) continue
    rounds.push(speeds)
    cpuUs += (await engine.cpuUs()) - before
    answered += (speeds[0] ?? 0) * load.seconds
  }
  const ratios = theirs.map(({ name }, i) => {
    const goalText = name === 'PgBouncer' ? `, goal ${goal.toFixed(2)}` : ''
    const usual = median(rounds.map((speeds) => (speeds[0] ?? 0) / (speeds[i + 1] ?? 0)))
    const quiet = best(rounds, 0) / best(rounds, i + 1)
    return `x ${quiet.toFixed(2)} of ${name} (median ${usual.toFixed(2)}${goalText})`
  })
  const speeds = contestants.map((_, i) => best(rounds, i).toFixed(0))
  const cpu = (cpuUs / answered).toFixed(0)
  return `${ratios.join(', ')}; ${speeds.join(' / ')} a second, ${cpu} µs CPU each`
}

/** Other work on the machine only slows a round down: the best round is closest to the real speed. */
function best(rounds: readonly (readonly number[])[], contestant: number): number {
  return Math.max(...rounds.map((speeds) => speeds[contestant] ?? 0))
}

/** A comparison of servers with different answers would be worthless. */
async function requireSameRows(contestants: readonly Contestant[]): Promise<void> {
  const id = 5 * noteCounts.tenants + tenant
  const answers = await Promise.all(
    contestants.map(async ({ url, name }) => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const filter = name === 'engine' ? '' : handWrittenFilter
      const sql = `select id, title, price, created_at from bench.notes where id in ($1, $1::int + 1)${filter}`
      const { rows } = await client.query(sql, [id])
      await client.end()
      return rows
    }),
  )
  if (answers[0]?.length !== 1 || !answers.every((rows) => isDeepStrictEqual(rows, answers[0]))) {
    throw new Error('the servers answer differently')
  }
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
