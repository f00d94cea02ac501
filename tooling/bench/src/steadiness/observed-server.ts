/** @module A process that serves as the reference server does, and tells about its memory and its event loop. */
import { once } from 'node:events'
import { type Config, silentLog } from '@engine/core'
import { serve } from '@engine/server'
import type { Memory, Question } from './messages.ts'
import { type StallWatch, watchStalls } from './stall-watch.ts'

const server = await serve({
  config: JSON.parse(process.argv[2] ?? '') as Config,
  port: 0,
  host: '127.0.0.1',
  isDevelopment: false,
  log: { ...silentLog, error: (facts, message) => console.error(message, facts) },
})
let watch: StallWatch | undefined

async function answerTo(question: Question): Promise<unknown> {
  switch (question) {
    case 'memory':
      return memory()
    case 'watch':
      watch = await watchStalls()
      return undefined
    default:
      return watch?.stalls()
  }
}

async function memory(): Promise<Memory> {
  // Finalizers run between collections.
  for (let i = 0; i < 3; i += 1) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { heapUsed, rss } = process.memoryUsage()
  return { heapBytes: heapUsed, rssBytes: rss }
}

process.on('message', (question: Question) => {
  void answerTo(question).then((answer) => process.send?.({ answer }))
})
process.send?.({ answer: server.url })
await once(process, 'disconnect')
await server.stop(1_000)
process.exit(0)
