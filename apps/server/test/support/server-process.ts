import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `engine-server` in a process of its own. */
export interface ServerProcess {
  /** Its output so far. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits for the ready line. @returns the address it serves. */
  ready(): Promise<string>
  /** Waits for the ready line. @returns the whole line. */
  readyLine(): Promise<ReadyLine>
  readonly pid: number
  signal(name: NodeJS.Signals): void
  /** Waits for its end. @returns the exit code, or null when a signal ended it. */
  exit(): Promise<number | null>
}

/** Addresses that the program prints when it is ready. */
export interface ReadyLine {
  readonly http: string
  readonly pgWire?: string
  readonly internal?: string
}

export interface ServerProcessOptions {
  readonly cwd: string
  /** Variables besides PATH, HOME and the like; NODE_ENV and ENGINE_CONFIG of the test run are not passed on. */
  readonly env?: Readonly<Record<string, string>>
}

/** Bundled before the first test by `tooling/bundle-for-tests.mjs`. */
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** Starts the published program. */
export function startServer(
  args: readonly string[],
  { cwd, env = {} }: ServerProcessOptions,
): ServerProcess {
  return observe(
    spawn(process.execPath, [main, ...args], {
      cwd,
      env: { ...inheritedEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
}

/** Variables for every program that a test starts. Compiled code is kept for all of them. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  const { NODE_ENV: _, ENGINE_CONFIG: __, NODE_OPTIONS: ___, ...inherited } = process.env
  return { NODE_COMPILE_CACHE: join(tmpdir(), 'engine-compile-cache'), ...inherited }
}

function observe(child: ChildProcess): ServerProcess {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const closed = once(child, 'close')
  const readyLine = () =>
    new Promise<ReadyLine>((resolve, reject) => {
      const look = () => {
        const [line, rest] = stdout.split('\n')
        if (rest === undefined) return
        child.stdout?.off('data', look)
        resolve(JSON.parse(line ?? '') as ReadyLine)
      }
      child.stdout?.on('data', look)
      look()
      closed.then(() => reject(new Error(`the server ended: ${stderr}`)), reject)
    })
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    ready: async () => (await readyLine()).http,
    readyLine,
    pid: child.pid ?? 0,
    signal: (name) => void child.kill(name),
    exit: async () => {
      await closed
      return child.exitCode
    },
  }
}
