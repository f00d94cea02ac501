/**
 * @module A process with one embedded PostgreSQL, started with `fork`. It has no environment, may write no file and start
 * no process; its parent kills it when something takes too long.
 */
import { openAsBlob } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { backendMessages, lastStatus } from './backend-messages.ts'
import type { ChildReply, ChildRequest, ChildSetup } from './child-messages.ts'
import { startParams } from './start-params.ts'

/** With this status a function of PostgreSQL jumps back to its main loop: the usual way of an error. */
const longJump = 100

const nothing = new Uint8Array()

const send = (reply: ChildReply): void => void process.send?.(reply)

process.once('message', (setup: ChildSetup) => {
  start(setup).catch((error: unknown) => {
    send({ kind: 'failed', message: String(error) })
    process.disconnect()
  })
})
// The parent has disconnected: it no longer waits for an answer.
process.once('disconnect', () => process.exit())
// An interrupt of the process group is ignored: the parent finishes its work and then ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
watchParent()

async function start(setup: ChildSetup): Promise<void> {
  capMemory(setup.maxMemoryPages)
  const { PGlite } = (await import(setup.packageUrl)) as typeof import('@electric-sql/pglite')
  const database = await PGlite.create({
    loadDataDir: await openAsBlob(setup.archivePath),
    startParams: [...startParams],
  })
  let fault: unknown
  const module = database.Module as unknown as { _PostgresMainLoopOnce: () => void }
  const loopOnce = module._PostgresMainLoopOnce
  module._PostgresMainLoopOnce = () => {
    try {
      loopOnce()
    } catch (error) {
      if ((error as { status?: unknown }).status !== longJump) fault ??= error
      throw error
    }
  }
  /** Undefined: the answer is too large. */
  const talk = async (messages: Uint8Array): Promise<Uint8Array | undefined> => {
    const chunks: Uint8Array[] = []
    let size = 0
    const onRawData = (bytes: Uint8Array) => {
      size += bytes.length
      if (size <= setup.maxAnswerBytes) chunks.push(bytes.slice())
    }
    await database.execProtocolRawStream(messages, { syncToFs: false, onRawData })
    if (fault !== undefined) throw fault
    return size > setup.maxAnswerBytes ? undefined : Buffer.concat(chunks)
  }
  const answer = async (request: ChildRequest): Promise<ChildReply> => {
    const opening = await talk(request.opening)
    if (opening === undefined) return { kind: 'tooLarge' }
    const isOpen = request.statement !== undefined && lastStatus(opening) === 'T'
    const statement = isOpen ? await talk(request.statement) : nothing
    if (statement === undefined) return { kind: 'tooLarge' }
    const isRun = request.execution !== undefined && hasRows(statement)
    const execution = isRun ? await talk(request.execution) : nothing
    if (execution === undefined) return { kind: 'tooLarge' }
    return { kind: 'answer', opening, statement, execution, memoryBytes: process.memoryUsage.rss() }
  }
  process.on('message', (request: ChildRequest) => {
    answer(request)
      .then(async (reply) => {
        await talk(request.closing)
        send(reply)
      })
      .catch((error: unknown) => {
        send({ kind: 'broken', message: String(error) })
        process.disconnect()
      })
  })
  send({ kind: 'ready' })
}

/**
 * While PostgreSQL computes, this thread does not notice that the parent has ended. Another thread watches the parent:
 * otherwise an endless statement would run for ever.
 */
function watchParent(): void {
  const isSource = import.meta.url.endsWith('.ts')
  const entry = new URL(isSource ? './parent-watch.ts' : './parent-watch.js', import.meta.url)
  new Worker(entry, { workerData: process.ppid }).unref()
}

/** The part of it that Node has; TypeScript declares it for browsers only. */
interface MemoryHolder {
  Memory: new (descriptor: { readonly initial: number; readonly maximum?: number }) => object
}

/** An embedded PostgreSQL asks for a growing memory of up to 2 GB. */
function capMemory(maxPages: number): void {
  const holder = (globalThis as unknown as { readonly WebAssembly: MemoryHolder }).WebAssembly
  const { Memory } = holder
  holder.Memory = new Proxy(Memory, {
    construct: (_, [descriptor]) => new Memory({ ...descriptor, maximum: maxPages }),
  })
}

function hasRows(statement: Uint8Array): boolean {
  return backendMessages(statement).some(({ type }) => type === 'T')
}
