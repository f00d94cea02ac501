import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ServerMessage } from './serve-parent.ts'

/** A server in a process of its own. */
export interface MeasuredServer {
  readonly url: string
  /** CPU time that its process has used so far, in microseconds. */
  cpuUs(): Promise<number>
  stop(): Promise<void>
}

/** Starts one of the servers beside this file. */
export async function startServer(file: string, args: readonly string[]): Promise<MeasuredServer> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, args, {
    execArgv: ['--conditions=@engine/source'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const nextMessage = messagesOf(child)
  const listening = await nextMessage()
  if (listening.kind !== 'listening') throw new Error(`${file} did not listen`)
  return {
    url: `http://127.0.0.1:${listening.port}`,
    cpuUs: async () => {
      child.send('cpu')
      const message = await nextMessage()
      return message.kind === 'cpu' ? message.cpuUs : Number.NaN
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

/** Waits for the next message; fails when the child ends instead. */
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
