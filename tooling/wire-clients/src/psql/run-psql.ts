import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { WireTarget } from '../wire-target.ts'

/** The output of one run of psql. */
export interface PsqlAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
}

export interface PsqlOptions {
  /** Read from standard input. */
  readonly script?: string
  /** Options besides the connection; default: unaligned rows only. */
  readonly words?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** How it gets the address to connect to; default: by environment variables. */
  readonly connection?: readonly string[]
  /** It gets SIGINT a moment after it printed something. */
  readonly interrupts?: boolean
}

/** Runs psql without the user's own settings. */
export async function runPsql(target: WireTarget, options: PsqlOptions): Promise<PsqlAnswer> {
  const { script = '', words = ['-At'], env = {}, connection = [], interrupts = false } = options
  const child = spawn('psql', ['-X', ...words, ...connection], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...connectionEnvironment(target), ...env },
  })
  child.stdin.end(script)
  if (interrupts) child.stdout.once('data', () => setTimeout(() => child.kill('SIGINT'), 300))
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { stdout, stderr, status: status as number | null }
}

/** The output of psql for a script, which must not fail. */
export async function psqlOutput(
  target: WireTarget,
  script: string,
  words?: readonly string[],
): Promise<string> {
  const answer = await runPsql(target, words === undefined ? { script } : { script, words })
  if (answer.status !== 0 || answer.stderr !== '') {
    throw new Error(`psql ended with ${answer.status}: ${answer.stderr}${answer.stdout}`)
  }
  return answer.stdout
}

/** The target as psql's environment. */
export function connectionEnvironment(target: WireTarget): Readonly<Record<string, string>> {
  return {
    PGHOST: target.host,
    PGPORT: String(target.port),
    PGUSER: target.user,
    PGPASSWORD: target.password,
    PGDATABASE: target.database,
  }
}
