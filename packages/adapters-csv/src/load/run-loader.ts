/** @module Starts the thread that loads files. */
import { Worker } from 'node:worker_threads'
import type { LoaderMessage, LoaderSetup } from './load-job.ts'

/** The sources run without a build; in a build the entry of the thread is compiled too. */
const isSource = import.meta.url.endsWith('.ts')
const entry = new URL(isSource ? './loader.ts' : './loader.js', import.meta.url)
const execArgv = [
  // Node warns that its SQLite is experimental; users could do nothing about the warning.
  '--disable-warning=ExperimentalWarning',
  ...(isSource ? ['--conditions=@engine/source'] : []),
]

/**
 * Resolves after every file was tried.
 *
 * @throws the error that ended the thread.
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
