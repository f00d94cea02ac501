import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Config } from '@engine/core'
import type { Question } from './messages.ts'

export interface ObservedServer {
  readonly url: string
  ask(question: Question): Promise<unknown>
  stop(): Promise<void>
}

export async function startObserved(config: Config): Promise<ObservedServer> {
  const path = fileURLToPath(new URL('./observed-server.ts', import.meta.url))
  const child = fork(path, [JSON.stringify(config)], {
    execArgv: ['--conditions=@engine/source', '--expose-gc', '--max-semi-space-size=32'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const ended = once(child, 'exit')
  const next = async (): Promise<unknown> => {
    const message = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
    if (message === undefined) throw new Error('the observed server has ended')
    const [{ answer }] = message as [{ readonly answer: unknown }]
    return answer
  }
  const url = String(await next())
  return {
    url,
    ask: (question) => {
      child.send(question)
      return next()
    },
    stop: async () => {
      child.disconnect()
      await ended
    },
  }
}
