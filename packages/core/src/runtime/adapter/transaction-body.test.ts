import { expect, test } from 'vitest'
import type { Execution, ResultSet, Session } from './adapter.ts'
import { runTransaction, type TransactionCommands } from './transaction-body.ts'

/** The number of rows decides the result of an execution here: below 0 it fails. */
function execution(maxRows: number, signal?: AbortSignal): Execution {
  const statement = {
    steps: [],
    needsTransaction: false,
    isWrite: false,
    columns: [],
    hints: undefined,
  }
  return { statement, values: [], rowShape: 'array', maxRows, timeoutMs: 1_000, signal }
}

const nothing: ResultSet = { rows: '', rowCount: 0, truncated: false }

/** Commands that record each call. */
function recorded(): { readonly commands: TransactionCommands; readonly log: string[] } {
  const log: string[] = []
  const note = (text: string) => async () => void log.push(text)
  const commands: TransactionCommands = {
    execute: async ({ maxRows, signal }, isFirst) => {
      log.push(`${isFirst ? 'begin ' : ''}${maxRows}`)
      if (maxRows < 0) throw new Error(`failed ${maxRows}`)
      if (maxRows === 0) {
        await new Promise<void>((_resolve, reject) => {
          const stop = () => reject(new Error('stopped'))
          signal?.addEventListener('abort', stop, { once: true })
        })
      }
      return nothing
    },
    begin: note('begin'),
    savepoint: (name) => note(`savepoint ${name}`)(),
    rollBackTo: (name) => note(`to ${name}`)(),
    releaseSavepoint: (name) => note(`release ${name}`)(),
    commit: note('commit'),
    rollBack: note('rollback'),
  }
  return { commands, log }
}

type Savepoints = Required<Pick<Session, 'savepoint' | 'rollBackTo' | 'releaseSavepoint'>> & Session

function withSavepoints(session: Session): Savepoints {
  const { savepoint, rollBackTo, releaseSavepoint } = session
  if (savepoint === undefined || rollBackTo === undefined || releaseSavepoint === undefined) {
    throw new Error('savepoints were expected')
  }
  return { ...session, savepoint, rollBackTo, releaseSavepoint }
}

test('what was executed is committed; nothing is committed where nothing was', async () => {
  const some = recorded()
  await runTransaction(some.commands, async (session) => {
    await session.execute(execution(1))
    await session.execute(execution(2))
  })
  const none = recorded()
  await runTransaction(none.commands, async (session) => session.checkDeferred?.())

  expect(some.log).toEqual(['begin 1', '2', 'commit'])
  expect(none.log).toEqual([])
})

test('after a failure nothing runs, and nothing is committed', async () => {
  const { commands, log } = recorded()

  const failed = runTransaction(commands, async (session) => {
    await session.execute(execution(-1)).catch(() => undefined)
    await expect(session.execute(execution(2))).rejects.toMatchObject({ sqlState: '25P02' })
    const { savepoint, releaseSavepoint } = withSavepoints(session)
    await expect(savepoint('engine_1')).rejects.toMatchObject({ sqlState: '25P02' })
    await expect(releaseSavepoint('engine_1')).rejects.toMatchObject({ sqlState: '25P02' })
  })

  await expect(failed).rejects.toThrow('failed -1')
  expect(log).toEqual(['begin -1', 'rollback'])
})

test('returning to a savepoint forgets the failure', async () => {
  const { commands, log } = recorded()

  await runTransaction(commands, async (session) => {
    const { savepoint, rollBackTo, releaseSavepoint } = withSavepoints(session)
    await savepoint('engine_1')
    await session.execute(execution(-1)).catch(() => undefined)
    await rollBackTo('engine_1')
    await session.execute(execution(2))
    await releaseSavepoint('engine_1')
  })

  const undone = ['savepoint engine_1', '-1', 'to engine_1']
  expect(log).toEqual(['begin', ...undone, '2', 'release engine_1', 'commit'])
})

test('where returning fails the transaction stays failed, for the first reason', async () => {
  const { commands, log } = recorded()
  const gone = { ...commands, rollBackTo: async () => Promise.reject(new Error('all is gone')) }

  const failed = runTransaction(gone, async (session) => {
    const { savepoint, rollBackTo } = withSavepoints(session)
    await savepoint('engine_1')
    await session.execute(execution(-1)).catch(() => undefined)
    await expect(rollBackTo('engine_1')).rejects.toThrow('all is gone')
    await session.execute(execution(2)).catch(() => undefined)
  })

  await expect(failed).rejects.toThrow('failed -1')
  expect(log.at(-1)).toBe('rollback')
})

test('a name that the engine has not made is not spelled into SQL', async () => {
  const { commands, log } = recorded()

  const failed = runTransaction(commands, (session) =>
    withSavepoints(session).savepoint('engine_1; drop table t'),
  )

  await expect(failed).rejects.toMatchObject({ problem: 'internal' })
  expect(log).toEqual(['begin', 'rollback'])
})

test('a session has no savepoints where its database has none', async () => {
  const { savepoint: _savepoint, ...commands } = recorded().commands

  const offered = await runTransaction(commands, async (session) => Object.keys(session))

  expect(offered.toSorted()).toEqual(['checkDeferred', 'execute'])
})

test('what is not waited for runs in turn, before the commit', async () => {
  const { commands, log } = recorded()

  await runTransaction(commands, async (session) => {
    void session.execute(execution(1))
    void session.execute(execution(2))
  })

  expect(log).toEqual(['begin 1', '2', 'commit'])
})

test('the signal ends a transaction whose body does nothing, and one that runs', async () => {
  const idle = recorded()
  const idleEnd = new AbortController()
  let hanging: Session | undefined
  const whileIdle = runTransaction(
    idle.commands,
    async (session) => {
      hanging = session
      await session.execute(execution(1))
      idleEnd.abort()
      await new Promise(() => undefined)
    },
    idleEnd.signal,
  )
  const busy = recorded()
  const busyEnd = new AbortController()
  const whileBusy = runTransaction(
    busy.commands,
    async (session) => {
      const running = session.execute(execution(0, new AbortController().signal))
      await Promise.resolve()
      busyEnd.abort()
      await running
    },
    busyEnd.signal,
  )

  expect(await Promise.allSettled([whileIdle, whileBusy])).toMatchObject([
    { reason: { sqlState: '57014' } },
    { reason: { message: 'stopped' } },
  ])
  expect([idle.log.at(-1), busy.log.at(-1)]).toEqual(['rollback', 'rollback'])
  await expect(hanging?.execute(execution(1))).rejects.toMatchObject({ sqlState: '25P01' })
})

test('a body that heeds the signal itself says why it ends', async () => {
  const { commands } = recorded()
  const end = new AbortController()

  const failed = runTransaction(
    commands,
    async (session) => {
      await session.execute(execution(1))
      const aborted = new Promise<void>((resolve) => {
        end.signal.addEventListener('abort', () => resolve(), { once: true })
      })
      end.abort()
      await aborted
      throw new RangeError('my reason')
    },
    end.signal,
  )

  await expect(failed).rejects.toThrow(new RangeError('my reason'))
})

test('a cursor is read in turn; after a failure it is closed by the end of the transaction', async () => {
  const { commands, log } = recorded()
  const open = async () => ({
    fetch: async (count: number) => {
      log.push(`fetch ${count}`)
      if (count < 0) throw new Error('no rows')
      return []
    },
    close: async () => void log.push('close'),
  })

  const failed = runTransaction({ ...commands, open }, async (session) => {
    const first = await session.open?.(execution(1))
    await first?.fetch(1)
    await first?.close()
    const second = await session.open?.(execution(1))
    await second?.fetch(-1).catch(() => undefined)
    await second?.close()
  })

  await expect(failed).rejects.toThrow('no rows')
  expect(log).toEqual(['fetch 1', 'close', 'fetch -1', 'rollback'])
})
