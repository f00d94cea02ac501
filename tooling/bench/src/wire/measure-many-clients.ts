/** @module How even the latencies of many clients are. `pnpm bench wire --clients 1000 [transactions]` */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingPgbouncer, startPgbouncer } from '@engine/test-databases'
import { startServer } from '../load/measured-server.ts'
import { tokenOf } from '../token.ts'
import { asReferenceServer } from './measure-idle-memory.ts'
import { createNotes, handWrittenFilter, pgbenchScript } from './notes-table.ts'
import { measurePgbench, missingPgbench, type PgbenchRun, type QueryMode } from './run-pgbench.ts'

/** Connections to the database, of the engine and of PgBouncer. */
const backends = 16

/** Of each client, in each of the alternating rounds. */
const usualTransactions = 50
const rounds = 3

/** Of the 99th percentile of the latencies to their median. */
const goal = 3

/** PgBouncer before 1.21 needs a backend for each client that prepares statements. */
const modes: readonly (readonly [mode: QueryMode, hasPooler: boolean])[] = [
  ['simple', true],
  ['prepared', false],
]

/** Prints the latencies of point selects by the engine, and by PgBouncer with the same number of backends. */
export async function measureManyClients(url: string, words: readonly string[]): Promise<void> {
  const missing = missingPgbench() ?? missingPgbouncer()
  if (missing !== undefined) {
    console.log(`\nMany clients: not measured, ${missing}`)
    return
  }
  const clients = Number(words[words.indexOf('--clients') + 1])
  const transactionsPerClient = Number(words[words.indexOf('--clients') + 2] ?? usualTransactions)
  await createNotes(url)
  const secret = randomBytes(32).toString('base64url')
  const token = await tokenOf(secret)
  const home = mkdtempSync(join(tmpdir(), 'engine-bench-wire-'))
  const scripts = { ours: join(home, 'permissions.sql'), theirs: join(home, 'by-hand.sql') }
  writeFileSync(scripts.ours, pgbenchScript(''))
  writeFileSync(scripts.theirs, pgbenchScript(handWrittenFilter))
  const pooler = await startPgbouncer({ url, poolSize: backends })
  const args = [url, secret, `${backends}`]
  const engine = await startServer('../wire/engine-server.ts', args, asReferenceServer)
  const ourUrl = `postgres://ada:${token}@127.0.0.1:${engine.port}/bench`
  console.log(
    `\nPoint selects of ${clients} clients by ${backends} connections to the database (pgbench, medians of ${rounds} rounds in turn, ${transactionsPerClient} statements of each client):`,
  )
  try {
    for (const [mode, hasPooler] of modes) {
      const run = { mode, clients, length: { transactionsPerClient } }
      const ours: Figures[] = []
      const theirs: Figures[] = []
      for (let round = 0; round < rounds; round++) {
        ours.push(await measure({ ...run, url: ourUrl, script: scripts.ours }))
        if (!hasPooler) continue
        theirs.push(await measure({ ...run, url: pooler.url, script: scripts.theirs }))
      }
      const texts = [textOf('engine', ours)]
      if (hasPooler) texts.push(textOf('PgBouncer', theirs))
      console.log(`  ${mode.padEnd(9)} ${texts.join('; ')}`)
    }
  } finally {
    await engine.stop()
    await pooler.stop()
    rmSync(home, { recursive: true })
  }
}

interface Figures {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

async function measure(run: PgbenchRun): Promise<Figures> {
  const { latenciesUs, perSecond } = await measurePgbench(run)
  const sorted = latenciesUs.toSorted((left, right) => left - right)
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? Number.NaN) / 1_000
  return { perSecond, p50: at(0.5), p99: at(0.99) }
}

function textOf(name: string, rounds: readonly Figures[]): string {
  const of = (figure: (figures: Figures) => number) => median(rounds.map(figure))
  const ratio = of(({ p50, p99 }) => p99 / p50)
  const p50 = of(({ p50 }) => p50)
  const p99 = of(({ p99 }) => p99)
  const perSecond = of(({ perSecond }) => perSecond)
  const goalText = name === 'engine' ? `, goal ${goal}` : ''
  return `${name} ${perSecond.toFixed(0)} a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (x ${ratio.toFixed(2)}${goalText})`
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
