/** @module Entry of a worker thread: one connection, one request at a time. Started by `startWorker`. */
import { parentPort, workerData } from 'node:worker_threads'
import { describeFault } from '../../errors/fault.ts'
import { answerRequest } from '../connection/answer-request.ts'
import { createInterrupt } from '../connection/interrupt.ts'
import { type Connection, openConnection } from '../connection/open-connection.ts'
import type { Program } from '../program.ts'
import { maxRowBytes } from '../row-size-guard.ts'
import type { Envelope, Greeting, Reply, WorkerSetup } from './messages.ts'

function serve(setup: WorkerSetup): void {
  const port = parentPort
  if (port === null) throw new Error('this file is the entry of a worker thread')
  const interrupt = createInterrupt(setup.state)
  let connection: Connection
  try {
    connection = openConnection({ ...setup, interrupt, maxRowBytes })
  } catch (error) {
    port.postMessage({ kind: 'refused', fault: describeFault(error) } satisfies Greeting)
    return
  }
  const programs = new Map<number, Program>()
  const programOf = (program: Program | number): Program => {
    const known = typeof program === 'number' ? programs.get(program) : program
    if (known === undefined) throw new Error(`program ${String(program)} was never sent`)
    programs.set(known.id, known)
    return known
  }
  port.on('message', (message: Envelope | 'close') => {
    if (message === 'close') {
      connection.close()
      port.close()
      return
    }
    if (message.forget) programs.clear()
    interrupt.start(message.timeoutMs)
    const reply = answerRequest(connection, message.request, programOf)
    port.postMessage(reply, transferable(reply))
  })
  port.postMessage({ kind: 'ready' } satisfies Greeting)
}

/** The bytes of an answer are transferred instead of copied. */
function transferable(reply: Reply): ArrayBuffer[] {
  if (reply.kind === 'group') return reply.replies.flatMap(transferable)
  if (reply.kind !== 'rows' || typeof reply.outcome.rows === 'string') return []
  const { buffer } = reply.outcome.rows
  return buffer instanceof ArrayBuffer ? [buffer] : []
}

serve(workerData as WorkerSetup)
