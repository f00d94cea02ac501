import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ServerMessage } from './serve-parent.ts'

/** A server in a process of its own. */
export interface MeasuredServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** CPU time that its process has used so far, in microseconds. */
  cpuUs(): Promise<number>
  /** Resident memory now. */
  memoryBytes(): Promise<number>
  stop(): Promise<void>
}

/**
 * Starts a server; `file` is relative to this one.
 *
 * @param launcher a command that starts Node.js in another way, such as `taskset -c 0`.
 */
export async function startServer(
  file: string,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
  launcher: readonly string[] = [],
): Promise<MeasuredServer> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const [execPath = process.execPath, ...words] = [...launcher, process.execPath]
  const child = fork(path, args, {
    execPath,
    execArgv: [...words, '--conditions=@engine/source', ...nodeOptions],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const nextMessage = messagesOf(child)
  const listening = await nextMessage()
  if (listening.kind !== 'listening') throw new Error(`${file} did not listen`)
  const used = async () => {
    child.send('used')
    const message = await nextMessage()
    if (message.kind !== 'used') throw new Error(`${file} did not tell what it uses`)
    return message
  }
  return {
    url: `http://127.0.0.1:${listening.port}`,
    port: listening.port,
    pid: child.pid ?? 0,
    cpuUs: async () => (await used()).cpuUs,
    memoryBytes: async () => (await used()).memoryBytes,
    stop: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

/** Waits for the next message; fails when the child process ends instead. */
function messagesOf(child: ChildProcess): () => Promise<ServerMessage> {
  return () =>
    new Promise((resolve, reject) => {
      const onMessage = (message: unknown) => {
        child.off('exit', onExit)
        resolve(message as ServerMessage)
      }
      const onExit = () => {
        child.off('message', onMessage)
        reject(new Error('a measured server has ended'))
      }
      child.once('message', onMessage)
      child.once('exit', onExit)
    })
}
