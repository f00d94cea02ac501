/** @module Starts the thread that loads files. */
import { Worker } from 'node:worker_threads'
import type { LoaderMessage, LoaderSetup } from './load-job.ts'

/** The sources run as they stand; a build has compiled the entry of the thread too. */
const isSource = import.meta.url.endsWith('.ts')
const entry = new URL(isSource ? './loader.ts' : './loader.js', import.meta.url)
const execArgv = [
  // That Node's own SQLite is new to it is nothing that a user could do something about.
  '--disable-warning=ExperimentalWarning',
  ...(isSource ? ['--conditions=@engine/source'] : []),
]

/**
 * Resolves when everything was tried.
 *
 * @throws what ended the thread before.
 */
export function runLoader(
  setup: LoaderSetup,
  onMessage: (message: LoaderMessage) => void,
): Promise<void> {
  const worker = new Worker(entry, { name: 'csv loader', workerData: setup, execArgv })
  return new Promise((resolve, reject) => {
    let isDone = false
    worker.on('message', (message: LoaderMessage) => {
      if (message.kind === 'done') isDone = true
      onMessage(message)
    })
    worker.once('error', reject)
    worker.once('exit', () => {
      if (isDone) resolve()
      else reject(new Error('the thread that loads CSV files ended before it was done'))
    })
  })
}
