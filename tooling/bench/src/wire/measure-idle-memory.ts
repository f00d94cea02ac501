import pg from 'pg'
import { startServer } from '../load/measured-server.ts'

/** A process has its usual size after its first clients. */
const counts = { before: 5, idle: 1000 } as const

/** Kilobytes. */
const goal = 64

/**
 * V8 lets the young generation grow while many clients connect; with a limit, more of the growth is caused by the
 * connections.
 */
const nodeOptions = [[], ['--max-semi-space-size=16']] as const

/** Prints how much the engine's process grows with each idle connection. */
export async function measureIdleMemory(args: readonly string[], token: string): Promise<void> {
  for (const options of nodeOptions) {
    const { kilobytes, totalBytes } = await measure(args, token, options)
    const total = (totalBytes / 2 ** 20).toFixed(0)
    const started = ['node', ...options].join(' ')
    console.log(
      `  ${counts.idle} idle connections: ${kilobytes.toFixed(0)} KB each (goal ${goal}), of ${total} MB in all, with ${started}`,
    )
  }
}

async function measure(
  args: readonly string[],
  token: string,
  options: readonly string[],
): Promise<{ readonly kilobytes: number; readonly totalBytes: number }> {
  const engine = await startServer('../wire/engine-server.ts', args, options)
  try {
    const url = `postgres://ada:${token}@127.0.0.1:${engine.port}/bench`
    const first = await connectAll(url, counts.before)
    const before = await engine.memoryBytes()
    const idle = await connectAll(url, counts.idle)
    const totalBytes = await engine.memoryBytes()
    await endAll([...first, ...idle])
    return { kilobytes: (totalBytes - before) / counts.idle / 1024, totalBytes }
  } finally {
    await engine.stop()
  }
}

/** Each client has sent one query. */
async function connectAll(url: string, count: number): Promise<readonly pg.Client[]> {
  const clients: pg.Client[] = []
  while (clients.length < count) {
    const client = new pg.Client({ connectionString: url })
    // The code that uses the connection then reports why it ended.
    client.on('error', () => undefined)
    await client.connect()
    await client.query('select title from bench.notes where id = $1', [7])
    clients.push(client)
  }
  return clients
}

async function endAll(clients: readonly pg.Client[]): Promise<void> {
  await Promise.all(clients.map((client) => client.end()))
}
