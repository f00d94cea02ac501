import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type MeasuredServer, startServer } from '../load/measured-server.ts'
import { tokenOf } from '../token.ts'
import { createNotes } from './notes-table.ts'

/** A process has its usual size after its first clients. */
const firstClients = 50

/**
 * The lowest of several readings counts: for some seconds after its start, a process on a busy machine was half a gigabyte larger.
 * Milliseconds between two readings.
 */
const readings = { count: 12, everyMs: 1_000 } as const

/** Sessions of `pnpm bench idle-sessions`, and kilobytes for each. */
const many = { usual: 10_000, goal: 25 } as const

/** Sessions of `pnpm bench wire`, and kilobytes for each. */
const few = { count: 1_000, goal: 64 } as const

/** Clients that connect at the same time. */
const connectingAtOnce = 16

/** File descriptors of this process that are no sessions. */
const otherFiles = 200

/** The options that the reference server sets itself. */
export const asReferenceServer: readonly string[] = [
  '--max-semi-space-size=32',
  '--no-allocation-site-pretenuring',
]

/**
 * V8 lets the young generation grow while many clients connect; with a limit, more of the growth is caused by the
 * connections.
 */
const nodeOptions = [[], ['--max-semi-space-size=16'], asReferenceServer] as const

/** `pnpm bench idle-sessions [count]`: how much the engine's process grows with each of many idle sessions. */
export async function measureIdleSessions(url: string, words: readonly string[]): Promise<void> {
  const wanted = Number(words.find((word) => /^\d+$/.test(word)) ?? many.usual)
  const count = Math.min(wanted, mostFiles() - otherFiles - firstClients)
  await createNotes(url)
  const secret = randomBytes(32).toString('base64url')
  const token = await tokenOf(secret)
  console.log(`\nIdle sessions: logged in with a token, one statement each`)
  const growth = await measure([url, secret], token, asReferenceServer, count)
  print(count, many.goal, asReferenceServer, growth)
}

/** Prints how much the engine's process grows with each idle connection. */
export async function measureIdleMemory(args: readonly string[], token: string): Promise<void> {
  for (const options of nodeOptions) {
    print(few.count, few.goal, options, await measure(args, token, options, few.count))
  }
}

interface Growth {
  readonly kilobytes: number
  readonly totalBytes: number
}

async function measure(
  args: readonly string[],
  token: string,
  options: readonly string[],
  count: number,
): Promise<Growth> {
  const engine = await startServer('../wire/engine-server.ts', args, options)
  try {
    const url = `postgres://ada:${token}@127.0.0.1:${engine.port}/bench`
    const first = await connectAll(url, firstClients)
    const before = await lowestMemory(engine)
    const idle = await connectAll(url, count)
    const totalBytes = await lowestMemory(engine)
    await endAll([...first, ...idle])
    return { kilobytes: (totalBytes - before) / count / 1024, totalBytes }
  } finally {
    await engine.stop()
  }
}

async function lowestMemory(engine: MeasuredServer): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY
  for (let i = 0; i < readings.count; i++) {
    await wait(readings.everyMs)
    lowest = Math.min(lowest, await engine.memoryBytes())
  }
  return lowest
}

function print(
  count: number,
  goal: number,
  options: readonly string[],
  { kilobytes, totalBytes }: Growth,
): void {
  const total = (totalBytes / 2 ** 20).toFixed(0)
  const started = ['node', ...options].join(' ')
  console.log(
    `  ${count} idle connections: ${kilobytes.toFixed(1)} KB each (goal ${goal}), of ${total} MB in all, with ${started}`,
  )
}

/** Node.js raises its limit of open files to this one, the hard limit. */
function mostFiles(): number {
  const limit = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit)
}

/** Each client has sent one query. */
async function connectAll(url: string, count: number): Promise<readonly pg.Client[]> {
  const clients: pg.Client[] = []
  let left = count
  const connectNext = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      clients.push(await connectOne(url))
    }
  }
  await Promise.all(Array.from({ length: connectingAtOnce }, connectNext))
  return clients
}

async function connectOne(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // The code that uses the connection then reports why it ended.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('select title from bench.notes where id = $1', [7])
  return client
}

async function endAll(clients: readonly pg.Client[]): Promise<void> {
  await Promise.all(clients.map((client) => client.end()))
}
