/**
 * @module Statements of the wire protocol and of HTTP on a host whose processors are busy, while the schema changes. `pnpm bench starved
 * [seconds]`
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type ProgramServer, startProgram } from '../load/program-server.ts'
import { tenant } from '../statements.ts'
import { tokenOf } from '../token.ts'
import { createNotes, noteCounts } from './notes-table.ts'

const usualSeconds = 20

/** Clients of each protocol, and loops without end for each processor. */
const clients = 8
const loopsPerProcessor = 2

/** Milliseconds between two changes of the schema. */
const changeMs = 3_000

/** Of the wire protocol's 99th percentile to that of HTTP. */
const goal = 1.5

interface Measured {
  /** Of each answer. */
  readonly milliseconds: number[]
  /** By SQLSTATE or status. */
  readonly failures: Map<string, number>
}

type Ask = (sql: string) => Promise<unknown>

export async function measureStarved(url: string, words: readonly string[]): Promise<void> {
  const seconds = Number(words.find((word) => /^\d+$/.test(word)) ?? usualSeconds)
  await createNotes(url)
  const secret = randomBytes(32).toString('base64url')
  const masterKey = randomBytes(32).toString('base64url')
  const server = await startProgram(
    {
      connections: { bench: { url, schema: 'bench', pool: { max: 16 } } },
      auth: { secret },
      masterKey,
      internal: { port: 0 },
      limits: { rateLimitPerIP: 1_000_000, rateLimitPerUser: 1_000_000 },
      pgWire: { port: 0, auth: { strategy: ['jwt'] } },
      permissions: [
        {
          table: 'bench.notes',
          roles: ['customer'],
          select: { where: { tenant_id: '$user.tenant_id' } },
        },
      ],
    },
    [],
  )
  const loops: ChildProcess[] = []
  try {
    const token = await tokenOf(secret)
    const until = performance.now() + seconds * 1_000
    loops.push(...Array.from({ length: cpus().length * loopsPerProcessor }, startLoop))
    const [wire, http] = await Promise.all([
      measure(clients, until, () => wireClient(server, token)),
      measure(clients, until, () => httpClient(server, token)),
      changeSchema(url, server, masterKey, until),
    ])
    print(seconds, wire, http)
  } finally {
    for (const loop of loops) loop.kill('SIGKILL')
    await server.stop()
  }
}

function startLoop(): ChildProcess {
  return spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' })
}

async function measure(
  count: number,
  untilMs: number,
  open: () => Promise<{ readonly ask: Ask; readonly close: () => Promise<void> }>,
): Promise<Measured> {
  const measured: Measured = { milliseconds: [], failures: new Map() }
  const run = async (client: number): Promise<void> => {
    const { ask, close } = await open()
    for (let i = client; performance.now() < untilMs; i++) {
      const startMs = performance.now()
      try {
        await ask(i % 4 === 0 ? 'select 1' : pointSelect(i))
      } catch (error) {
        const code = String((error as { code?: unknown }).code ?? error)
        measured.failures.set(code, (measured.failures.get(code) ?? 0) + 1)
      }
      measured.milliseconds.push(performance.now() - startMs)
    }
    await close()
  }
  await Promise.all(Array.from({ length: count }, (_, client) => run(client)))
  return measured
}

function pointSelect(i: number): string {
  const row = (i * 7_919) % (noteCounts.rows / noteCounts.tenants)
  return `select id, title, price, created_at from bench.notes where id = ${row * noteCounts.tenants + tenant}`
}

async function wireClient({ pgWire = '' }: ProgramServer, token: string) {
  const client = new pg.Client({ connectionString: `postgres://ada:${token}@${pgWire}/bench` })
  await client.connect()
  return { ask: (sql: string) => client.query(sql), close: () => client.end() }
}

async function httpClient({ url }: ProgramServer, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask: Ask = async (sql) => {
    const body = JSON.stringify({ sql, params: [], method: 'all' })
    const answer = await fetch(`${url}/data`, { method: 'POST', headers, body })
    const text = await answer.text()
    if (!answer.ok) throw Object.assign(new Error(text), { code: answer.status })
  }
  return { ask, close: async () => undefined }
}

/** A table more, and the server learns of it. */
async function changeSchema(
  url: string,
  server: ProgramServer,
  masterKey: string,
  untilMs: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (let n = 1; performance.now() + changeMs < untilMs; n++) {
    await wait(changeMs)
    await client.query(`create table bench.more_${n} (id integer primary key)`)
    const headers = { authorization: `Bearer ${masterKey}` }
    const answer = await fetch(`${server.url}/admin/api/schema/refresh`, {
      method: 'POST',
      headers,
    })
    if (!answer.ok) throw new Error(`the schema was not read again: ${await answer.text()}`)
  }
  await client.end()
}

function print(seconds: number, wire: Measured, http: Measured): void {
  const [ours, theirs] = [wire, http].map(({ milliseconds }) => percentile(milliseconds, 0.99))
  console.log(
    `\n${clients} clients of each protocol, ${seconds} s, ${loopsPerProcessor} busy loops for each processor, a table more every ${changeMs / 1_000} s:`,
  )
  for (const [name, { milliseconds, failures }] of Object.entries({ wire, http })) {
    const figures = [0.5, 0.99, 1].map((part) => percentile(milliseconds, part).toFixed(1))
    const failed = [...failures].map(([code, count]) => `${count} x ${code}`).join(', ') || 'none'
    console.log(
      `  ${name.padEnd(5)} ${milliseconds.length} statements; p50, p99, longest: ${figures.join(', ')} ms; failures: ${failed}`,
    )
  }
  console.log(
    `  p99 of the wire x ${((ours ?? 0) / (theirs ?? 1)).toFixed(2)} of HTTP's (goal ${goal})`,
  )
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
