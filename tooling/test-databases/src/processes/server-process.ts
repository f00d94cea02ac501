import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import type { ServerUser } from './server-user.ts'

/** A server program that runs in the background. */
export interface ServerProcess {
  readonly pid: number
  /** Whether it still runs. */
  readonly isRunning: () => boolean
  /** Sends a signal and waits until the program has ended. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>
}

/** How a server program is started. */
export interface ServerProgram {
  readonly path: string
  readonly arguments: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly user: ServerUser | undefined
  /** File for its output. */
  readonly log: string
  /** The signal that ends it quickly when we end first. */
  readonly endSignal: NodeJS.Signals
}

/**
 * Starts a server in a separate session, so that with Ctrl-C the tests end before their server. It does not outlive us:
 * it gets `endSignal` when we exit, and on Linux even when we are killed.
 */
export function startProcess(program: ServerProgram): ServerProcess {
  const output = openSync(program.log, 'a')
  const guard = diesWithParent(program.endSignal)
  const [path = program.path, ...rest] = [...guard, program.path, ...program.arguments]
  const child = spawn(path, rest, {
    ...program.user,
    cwd: program.cwd,
    env: program.env,
    detached: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  const onExit = (): void => void child.kill(program.endSignal)
  process.once('exit', onExit)
  child.once('exit', () => process.off('exit', onExit))
  return {
    pid: child.pid ?? 0,
    isRunning: () => isRunning(child),
    end: async (signal) => {
      if (!isRunning(child)) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}

/** The last lines of a log, for an error message. */
export function tailOf(log: string): string {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-20).join('\n')
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

/** A command prefix that sends the command a signal when its parent dies, where the system supports that. */
function diesWithParent(signal: NodeJS.Signals): readonly string[] {
  const guard = ['--pdeathsig', signal.replace(/^SIG/, '')]
  const probe = spawnSync('setpriv', [...guard, 'true'])
  return probe.status === 0 ? ['setpriv', ...guard] : []
}
