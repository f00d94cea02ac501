/** @module A node: the reference server in a separate process, always on the same port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@engine/test-databases'

export interface NodeOptions {
  readonly name: 'node-a' | 'node-b'
  /** Its working directory. */
  readonly directory: string
  /** Variables of `engine.config.ts`, except the port. */
  readonly env: Readonly<Record<string, string>>
  /** Is called when the process ends unexpectedly. */
  readonly onUnexpectedEnd: (what: string) => void
}

export interface ChaosNode {
  readonly name: 'node-a' | 'node-b'
  /** Stays the same over restarts. */
  readonly url: string
  /** Process id; undefined while no process runs. */
  readonly pid: () => number | undefined
  /** Resolves when it is ready. */
  start(): Promise<void>
  /** Ends it. @returns its exit code, null when the signal ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
  signal(name: NodeJS.Signals): void
  /** Errors in its log by message. */
  readonly logged: ReadonlyMap<string, number>
  /** Bytes in the heap after each garbage collection that SIGHUP requested. */
  readonly heaps: readonly number[]
}

const program = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url))
const config = fileURLToPath(new URL('engine.config.ts', import.meta.url))
const clock = new URL('movable-clock.ts', import.meta.url).href
const collection = new URL('collected-heap.ts', import.meta.url).href

export async function createNode(options: NodeOptions): Promise<ChaosNode> {
  const { name, env, directory, onUnexpectedEnd } = options
  const port = await freePort()
  const logged = new Map<string, number>()
  const heaps: number[] = []
  let child: ChildProcess | undefined
  let isAskedToEnd = false

  const start = async (): Promise<void> => {
    isAskedToEnd = false
    const started = spawn(
      process.execPath,
      [
        '--conditions=@engine/source',
        '--expose-gc',
        `--import=${clock}`,
        `--import=${collection}`,
        program,
        '--config',
        config,
      ],
      {
        cwd: directory,
        env: { ...inherited(), ...env, CHAOS_PORT: String(port), NODE_ENV: 'production' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    child = started
    const kill = () => void started.kill('SIGKILL')
    process.once('exit', kill)
    started.once('exit', () => process.off('exit', kill))
    const tail = readLog(started, logged, heaps)
    started.once('exit', (code, signal) => {
      if (!isAskedToEnd) onUnexpectedEnd(`${name} ended (${code ?? signal}): ${tail()}`)
    })
    await ready(started, tail)
  }

  return {
    name,
    url: `http://127.0.0.1:${port}`,
    logged,
    heaps,
    pid: () => (child !== undefined && isRunning(child) ? child.pid : undefined),
    start,
    end: async (signal) => {
      isAskedToEnd = true
      if (child === undefined) return null
      const ended = child
      if (isRunning(ended)) {
        const exit = once(ended, 'exit')
        ended.kill(signal)
        await exit
      }
      return ended.exitCode
    },
    signal: (signal) => void child?.kill(signal),
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** Sources are compiled once for all nodes. */
function inherited(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ENGINE_CONFIG: __, ...rest } = process.env
  return { NODE_COMPILE_CACHE: join(tmpdir(), 'engine-compile-cache'), ...rest }
}

/** @returns the last lines of its log. */
function readLog(child: ChildProcess, logged: Map<string, number>, heaps: number[]): () => string {
  let rest = ''
  let last: readonly string[] = []
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    last = [...last, ...lines].slice(-20)
    for (const line of lines) {
      const { level, msg, bytes } = parsed(line)
      if (bytes !== undefined) heaps.push(bytes)
      if (level >= 50) logged.set(msg, (logged.get(msg) ?? 0) + 1)
    }
  })
  return () => [...last, rest].join('\n')
}

interface LogLine {
  readonly level: number
  readonly msg: string
  readonly bytes?: number
}

/** A line that is not a log entry comes from Node itself. */
function parsed(line: string): LogLine {
  return line.startsWith('{') ? (JSON.parse(line) as LogLine) : { level: 50, msg: line }
}

async function ready(child: ChildProcess, tail: () => string): Promise<void> {
  const exit = once(child, 'exit').then(() => {
    throw new Error(`a node ended at its start: ${tail()}`)
  })
  // Only the code that waits for the ready line needs the error.
  exit.catch(() => undefined)
  if (child.stdout === null) throw new Error('a node has no output')
  await Promise.race([once(child.stdout, 'data'), exit])
  child.stdout.resume()
}
