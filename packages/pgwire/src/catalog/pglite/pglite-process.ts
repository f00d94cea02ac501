/** @module The process of an embedded PostgreSQL as its parent sees it. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { GatewayError } from '@engine/core'
import type { ChildAnswer, ChildReply, ChildRequest, ChildSetup } from './child-messages.ts'

export interface PgliteProcess {
  readonly pid: number | undefined
  /**
   * One at a time. When `signal` aborts the process is killed: PostgreSQL has no other way to stop there.
   *
   * @throws {GatewayError} 57014 when aborted, 53200 or 54001 when the statement made PostgreSQL fail, 54000 for an
   * answer too large.
   */
  ask(request: ChildRequest, signal: AbortSignal): Promise<ChildAnswer>
  /** False once it was killed or has ended: it no longer answers. */
  isAlive(): boolean
  /** Kills it. Resolves when the process has ended. */
  end(): Promise<void>
}

/** The sources run without a build; in a build the entry of the process is compiled too. */
const isSource = import.meta.url.endsWith('.ts')
const entry = fileURLToPath(new URL(isSource ? './child.ts' : './child.js', import.meta.url))

/**
 * Code that V8 compiles without optimising is as fast here and takes a quarter of the memory. The process can write no
 * file and start no other process, even if an attacker controls PostgreSQL.
 */
const execArgv = [
  '--liftoff-only',
  '--permission',
  '--allow-fs-read=*',
  '--allow-worker',
  '--max-old-space-size=256',
  '--stack-size=3900',
  ...(isSource ? ['--conditions=@engine/source'] : []),
]

/**
 * Starts a process and waits until PostgreSQL is ready.
 *
 * @throws {GatewayError} `unavailable` when it does not start within `timeoutMs`.
 */
export async function startPglite(setup: ChildSetup, timeoutMs: number): Promise<PgliteProcess> {
  const child = fork(entry, [], {
    execArgv,
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let isAlive = true
  let waiting: ((reply: ChildReply | 'ended') => void) | undefined
  const settle = (reply: ChildReply | 'ended') => {
    const resolve = waiting
    waiting = undefined
    resolve?.(reply)
  }
  const exited = new Promise<void>((resolve) => {
    const ended = () => {
      isAlive = false
      settle('ended')
      resolve()
    }
    child.once('exit', ended)
    child.once('error', ended)
  })
  child.on('message', (reply: ChildReply) => settle(reply))
  const end = () => {
    isAlive = false
    child.ref()
    child.kill('SIGKILL')
    return exited
  }
  /** Sends a message and waits for the answer. The child process keeps the parent alive only meanwhile. */
  const converse = async (message: ChildSetup | ChildRequest, signal: AbortSignal) => {
    if (!isAlive) return 'ended'
    child.ref()
    child.channel?.ref()
    const abort = () => void end()
    signal.addEventListener('abort', abort, { once: true })
    try {
      return await new Promise<ChildReply | 'ended'>((resolve) => {
        waiting = resolve
        if (signal.aborted) abort()
        else child.send(message, (error) => error !== null && abort())
      })
    } finally {
      signal.removeEventListener('abort', abort)
      child.unref()
      child.channel?.unref()
    }
  }
  const greeting = await converse(setup, AbortSignal.timeout(timeoutMs))
  if (greeting === 'ended' || greeting.kind !== 'ready') {
    await end()
    const reason =
      greeting !== 'ended' && greeting.kind === 'failed' ? greeting.message : 'it ended or hung'
    throw unavailable(`the embedded PostgreSQL did not start: ${reason}`)
  }
  return {
    pid: child.pid,
    isAlive: () => isAlive,
    end,
    ask: async (request, signal) => {
      const reply = await converse(request, signal)
      if (reply !== 'ended' && reply.kind === 'answer') return reply
      if (reply !== 'ended' && reply.kind === 'tooLarge') {
        throw new GatewayError('limitExceeded', 'the answer is too large', { sqlState: '54000' })
      }
      await end()
      if (signal.aborted) throw cancelled(signal)
      if (reply !== 'ended' && reply.kind === 'broken') throw broken(reply.message)
      throw new GatewayError('limitExceeded', 'out of memory', { sqlState: '53200' })
    },
  }
}

/** What PostgreSQL reports when a statement was stopped: by its timeout, or by a cancel request. */
export function cancelled({ reason }: AbortSignal): GatewayError {
  const isTimeout = reason instanceof DOMException && reason.name === 'TimeoutError'
  const why = isTimeout ? 'statement timeout' : 'user request'
  return new GatewayError('queryTimeout', `canceling statement due to ${why}`, {
    sqlState: '57014',
  })
}

function broken(message: string): GatewayError {
  return new GatewayError('limitExceeded', 'the statement is too complex', {
    sqlState: '54001',
    cause: message,
  })
}

function unavailable(message: string): GatewayError {
  return new GatewayError('unavailable', message, {
    publicMessage: 'the system catalogs are not available',
    sqlState: 'HV00N',
  })
}
