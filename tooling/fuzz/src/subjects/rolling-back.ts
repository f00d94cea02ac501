import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  Adapter,
  AdapterFactory,
  Execution,
  Session,
  TransactionOptions,
} from '@engine/core/adapter'

/** An adapter that rolls every write back, and reports what the write did. */
export interface RollingBack {
  readonly factory: AdapterFactory
  /** The statements that the adapter executes after every write, in its transaction. */
  readonly looking: <T>(body: () => Promise<T>) => Promise<T>
  /** Runs a write; `tables` has the rows after it, undefined when nothing was written. */
  readonly writing: <T>(
    body: () => Promise<T>,
  ) => Promise<{ readonly answer: T; readonly tables: string | undefined }>
}

interface Note {
  readonly kind: 'looking' | 'writing'
  tables: string | undefined
}

class RolledBack extends Error {}

export function rollingBack(connect: AdapterFactory): RollingBack {
  const notes = new AsyncLocalStorage<Note>()
  const looks: Execution[] = []

  /** A transaction that is read instead of committed, and rolled back. */
  const inVain = async <T>(
    adapter: Adapter,
    options: TransactionOptions,
    work: (session: Session) => Promise<T>,
  ): Promise<T> => {
    let result: { readonly value: T } | undefined
    try {
      await adapter.transaction(options, async (session) => {
        result = { value: await work(session) }
        const note = notes.getStore()
        if (note !== undefined) note.tables = await lookAt(session)
        throw new RolledBack()
      })
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error
    }
    if (result === undefined) throw new Error('a transaction without a result')
    return result.value
  }
  const lookAt = async (session: Session): Promise<string> => {
    const texts: string[] = []
    for (const look of looks) {
      const { rows } = await session.execute(look)
      texts.push(`[${typeof rows === 'string' ? rows : new TextDecoder().decode(rows)}]`)
    }
    return `[${texts.join(',')}]`
  }

  return {
    factory: (options) => {
      const adapter = connect(options)
      return {
        ...adapter,
        execute: async (execution) => {
          if (notes.getStore()?.kind === 'looking') looks.push(execution)
          if (!execution.statement.isWrite) return adapter.execute(execution)
          const { timeoutMs, signal } = execution
          return inVain(adapter, { timeoutMs, readOnly: false, signal }, (session) =>
            session.execute(execution),
          )
        },
        transaction: (options, work) =>
          options.readOnly ? adapter.transaction(options, work) : inVain(adapter, options, work),
      }
    },
    looking: (body) => notes.run({ kind: 'looking', tables: undefined }, body),
    writing: async (body) => {
      const note: Note = { kind: 'writing', tables: undefined }
      const answer = await notes.run(note, body)
      return { answer, tables: note.tables }
    },
  }
}
