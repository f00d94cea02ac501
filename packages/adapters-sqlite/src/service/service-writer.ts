/** @module Writes to the service database on a thread of its own: this thread does not wait for the disk. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { StoreValue } from '@engine/core/driver'
import { driverError, explained } from '../errors/driver-error.ts'
import type { Fault } from '../errors/fault.ts'

/** What the thread is started with. */
export interface WriterSetup {
  readonly filename: string
}

export interface WriteRequest {
  readonly id: number
  readonly sql: string
  readonly parameterLists: readonly (readonly StoreValue[])[]
}

export interface WriteReply {
  readonly id: number
  readonly changes: number
  readonly fault: Fault | undefined
}

export interface ServiceWriter {
  /**
   * Runs a statement once for each list of parameters in a transaction of its own, after those before it.
   *
   * @returns the number of changed rows.
   * @throws {GatewayError} with the SQLSTATE that PostgreSQL would give; `unavailable` when the thread ends without a reply.
   */
  write(sql: string, parameterLists: readonly (readonly StoreValue[])[]): Promise<number>
  /** Waits for writes that were begun. */
  close(): Promise<void>
}

type Settle = (reply: WriteReply | Error) => void

const isSource = import.meta.url.endsWith('.ts')
const entry = new URL(
  isSource ? './service-writer-thread.ts' : './service-writer-thread.js',
  import.meta.url,
)
const execArgv = isSource ? ['--conditions=@engine/source'] : []

/** The thread is started with the first write, and again after it has ended unexpectedly. */
export function createServiceWriter(filename: string): ServiceWriter {
  const waiting = new Map<number, Settle>()
  let lastId = 0
  let worker: Worker | undefined

  const start = (): Worker => {
    const started = new Worker(entry, {
      name: 'sqlite service writer',
      workerData: { filename } satisfies WriterSetup,
      execArgv,
    })
    let failure: Error | undefined
    started.on('message', (reply: WriteReply) => {
      waiting.get(reply.id)?.(reply)
      waiting.delete(reply.id)
      if (waiting.size === 0) started.unref()
    })
    started.on('error', (error) => {
      failure = error instanceof Error ? error : new Error(String(error))
    })
    started.once('exit', () => {
      if (worker === started) worker = undefined
      const left = [...waiting.values()]
      waiting.clear()
      for (const settle of left) settle(explained('53000', false, failure))
    })
    return started
  }

  return {
    write: (sql, parameterLists) =>
      new Promise((resolve, reject) => {
        worker ??= start()
        lastId += 1
        waiting.set(lastId, (reply) => {
          if (reply instanceof Error) reject(reply)
          else if (reply.fault !== undefined) reject(driverError(reply.fault, true))
          else resolve(reply.changes)
        })
        worker.ref()
        worker.postMessage({ id: lastId, sql, parameterLists } satisfies WriteRequest)
      }),
    close: async () => {
      if (worker === undefined) return
      worker.ref()
      const exited = once(worker, 'exit')
      worker.postMessage('close')
      await exited
    },
  }
}
