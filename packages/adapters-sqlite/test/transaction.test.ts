import { setTimeout as delay } from 'node:timers/promises'
import type { Adapter, Session, TransactionOptions } from '@engine/core/adapter'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createDatabase, openAdapter, query, rowsOf } from './open-adapter.ts'
import { execution, statement, write } from './statements.ts'

const setup = 'create table t (id integer primary key, v text unique)'

const insert = write('insert into t (v) values (?1)', ['text'])
const all = statement('select v from t order by id', { v: 'text' })
const endless = statement(
  'with recursive n(i) as (select 1 union all select i + 1 from n where tick(i)) select count(*) from n',
  { n: 'int8' },
)

const options: TransactionOptions = { timeoutMs: 5_000, readOnly: false, signal: undefined }

async function insertAll(session: Session, ...values: readonly string[]): Promise<void> {
  for (const value of values) await session.execute(execution(insert, [value]))
}

/** The rollback of a transaction has happened when the next write is through. */
async function valuesOf(adapter: Adapter): Promise<readonly unknown[]> {
  await adapter.execute(execution(write('delete from t where id < 0')))
  return (await query(adapter, all)).flat()
}

test('what the body wrote is there when it resolves, for others too', async () => {
  const adapter = openAdapter(createDatabase(setup))

  const seen = await adapter.transaction(options, async (session) => {
    await insertAll(session, 'a', 'b')
    const inside = rowsOf(await session.execute(execution(all)))
    return { inside, outside: await query(adapter, all) }
  })

  expect(seen).toEqual({ inside: [['a'], ['b']], outside: [] })
  expect(await valuesOf(adapter)).toEqual(['a', 'b'])
})

test('nothing is left when the body rejects', async () => {
  const adapter = openAdapter(createDatabase(setup))

  const failed = adapter.transaction(options, async (session) => {
    await insertAll(session, 'a')
    throw new RangeError('changed my mind')
  })

  await expect(failed).rejects.toThrow(new RangeError('changed my mind'))
  expect(await valuesOf(adapter)).toEqual([])
})

test('nothing is left when a statement failed, even if the body goes on', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const later: unknown[] = []

  const failed = adapter.transaction(options, async (session) => {
    await insertAll(session, 'a')
    await insertAll(session, 'a').catch(() => undefined)
    await insertAll(session, 'b').catch((error: unknown) => later.push(error))
    return 'done'
  })

  await expect(failed).rejects.toMatchObject({ problem: 'conflict', sqlState: '23505' })
  expect(later).toEqual([expect.objectContaining({ sqlState: '25P02' })])
  expect(await valuesOf(adapter)).toEqual([])
})

test('a failed check undoes the whole transaction', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const checked = statement(
    [{ sql: `insert into t (v) values ('b') returning v, v = 'a'`, checkColumn: 1 }],
    { v: 'text' },
    { isWrite: true },
  )

  const failed = adapter.transaction(options, async (session) => {
    await insertAll(session, 'a')
    await session.execute(execution(checked))
  })

  await expect(failed).rejects.toMatchObject({ problem: 'checkFailed' })
  expect(await valuesOf(adapter)).toEqual([])
})

test('statements that are not waited for run one after the other, before the commit', async () => {
  const adapter = openAdapter(createDatabase(setup))

  await adapter.transaction(options, async (session) => {
    void session.execute(execution(insert, ['a']))
    void session.execute(execution(insert, ['b']))
  })

  expect(await valuesOf(adapter)).toEqual(['a', 'b'])
})

test('a deferred foreign key is checked at the end', async () => {
  const adapter = openAdapter(
    createDatabase(`create table p (id integer primary key);
      create table c (p integer references p (id) deferrable initially deferred)`),
  )
  const child = write('insert into c values (1)')
  const parent = write('insert into p values (1)')

  await expect(adapter.execute(execution(child))).rejects.toMatchObject({ sqlState: '23503' })
  const orphaned = adapter.transaction(options, (session) => session.execute(execution(child)))
  await expect(orphaned).rejects.toMatchObject({ sqlState: '23503' })
  await adapter.transaction(options, async (session) => {
    await session.execute(execution(child))
    await session.execute(execution(parent))
  })

  const count = statement('select count(*) from c', { n: 'int4' })
  expect(await query(adapter, count)).toEqual([[1]])
})

test('a body that hangs is rolled back by the signal; others can write again', async () => {
  const adapter = openAdapter(createDatabase(setup))
  await valuesOf(adapter)
  let hanging: Session | undefined

  const { signal, timeoutMs } = { signal: AbortSignal.timeout(200), timeoutMs: 100 }
  const failed = adapter.transaction({ ...options, signal, timeoutMs }, async (session) => {
    hanging = session
    await insertAll(session, 'a')
    await new Promise(() => undefined)
  })

  await expect(failed).rejects.toMatchObject({ sqlState: '57014' })
  expect(await valuesOf(adapter)).toEqual([])
  await expect(hanging?.execute(execution(all))).rejects.toMatchObject({ sqlState: '25P01' })
})

test('a body may take longer than one statement, and do nothing for as long', async () => {
  const adapter = openAdapter(createDatabase(setup))
  await valuesOf(adapter)

  await adapter.transaction({ ...options, timeoutMs: 1_000 }, async (session) => {
    await insertAll(session, 'a')
    await delay(1_200)
    await insertAll(session, 'b')
  })

  expect(await valuesOf(adapter)).toEqual(['a', 'b'])
})

test('each statement has its own limit, and one that exceeds it ends the transaction', async () => {
  const adapter = openAdapter(createDatabase(setup))

  const failed = adapter.transaction(options, async (session) => {
    await insertAll(session, 'a')
    await session.execute(execution(endless, [], { timeoutMs: 100 }))
  })

  await expect(failed).rejects.toMatchObject({ problem: 'queryTimeout' })
  expect(await valuesOf(adapter)).toEqual([])
})

test('nothing is left when nobody waits for the transaction any more', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const idle = new AbortController()
  const busy = new AbortController()

  const whileIdle = adapter.transaction({ ...options, signal: idle.signal }, async (session) => {
    await insertAll(session, 'a')
    setTimeout(() => idle.abort(), 20)
    await new Promise(() => undefined)
  })
  await expect(whileIdle).rejects.toMatchObject({ sqlState: '57014' })
  const whileBusy = adapter.transaction({ ...options, signal: busy.signal }, async (session) => {
    await insertAll(session, 'a')
    setTimeout(() => busy.abort(), 20)
    await session.execute(execution(endless))
  })
  await expect(whileBusy).rejects.toMatchObject({ problem: 'queryTimeout' })

  expect(await valuesOf(adapter)).toEqual([])
})

test('a read-only transaction sees one state and writes nothing', async () => {
  const adapter = openAdapter(createDatabase(setup))

  const readOnly = { ...options, readOnly: true }
  const seen = await adapter.transaction(readOnly, async (session) => {
    const before = rowsOf(await session.execute(execution(all)))
    await adapter.execute(execution(insert, ['a']))
    return [before, rowsOf(await session.execute(execution(all)))]
  })
  const failed = adapter.transaction(readOnly, (session) => insertAll(session, 'b'))

  expect(seen).toEqual([[], []])
  await expect(failed).rejects.toMatchObject({ problem: 'permissionDenied', sqlState: '25006' })
  expect(await valuesOf(adapter)).toEqual(['a'])
})

test('writes wait for a transaction in the order they came', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const order: string[] = []
  const noted = async (name: string, work: Promise<unknown>) => {
    await work
    order.push(name)
  }

  await Promise.all([
    noted(
      'transaction',
      adapter.transaction(options, async (session) => {
        await insertAll(session, 'a')
        await delay(50)
        await insertAll(session, 'b')
      }),
    ),
    noted('write', adapter.execute(execution(insert, ['c']))),
    noted(
      'second',
      adapter.transaction(options, (session) => insertAll(session, 'd')),
    ),
  ])

  expect(order).toEqual(['transaction', 'write', 'second'])
  expect(await valuesOf(adapter)).toEqual(['a', 'b', 'c', 'd'])
})

test('a transaction in memory', async () => {
  const adapter = openAdapter(':memory:', { setup })

  await adapter.transaction(options, (session) => insertAll(session, 'a', 'b'))
  const failed = adapter.transaction(options, (session) => insertAll(session, 'c', 'a'))

  await expect(failed).rejects.toMatchObject({ problem: 'conflict' })
  expect(await valuesOf(adapter)).toEqual(['a', 'b'])
})

test('a commit that another process keeps waiting goes through in the end', async () => {
  const path = createDatabase(`pragma journal_mode = delete; ${setup}`)
  const other = new Database(path)
  const adapter = openAdapter(path)
  await query(adapter, all)
  other.exec('begin immediate')
  setTimeout(() => {
    other.exec('rollback')
    other.close()
  }, 150)

  await adapter.transaction(options, (session) => insertAll(session, 'a'))

  expect(await valuesOf(adapter)).toEqual(['a'])
})

test('a statement that was stopped is taken back by returning to a savepoint', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const slowInsert = write(
    `insert into t (v) with recursive n(i) as (select 1 union all select i + 1 from n where tick(i))
     select 'n' || i from n`,
  )

  await adapter.transaction(options, async (session) => {
    await insertAll(session, 'a')
    await session.savepoint?.('engine_1')
    const slow = session.execute(execution(slowInsert, [], { timeoutMs: 100 }))
    await expect(slow).rejects.toMatchObject({ problem: 'queryTimeout' })
    await session.rollBackTo?.('engine_1')
    await insertAll(session, 'b')
  })

  expect(await valuesOf(adapter)).toEqual(['a', 'b'])
})

test('a write waits for another transaction no longer than its limit, and says for what', async () => {
  const adapter = openAdapter(createDatabase(setup))

  await adapter.transaction(options, async (session) => {
    await insertAll(session, 'a')
    const late = adapter.execute(execution(insert, ['b'], { timeoutMs: 100 }))
    await expect(late).rejects.toMatchObject({
      problem: 'queryTimeout',
      sqlState: '57014',
      message: expect.stringContaining('Another transaction'),
    })
    expect(await query(adapter, all)).toEqual([])
  })

  expect(await valuesOf(adapter)).toEqual(['a'])
})

test('after the database has rolled back by itself there is no way back to a savepoint', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const rollingBack = write(`insert or rollback into t (v) values ('a')`)

  const failed = adapter.transaction(options, async (session) => {
    await insertAll(session, 'a')
    await session.savepoint?.('engine_1')
    await session.execute(execution(rollingBack)).catch(() => undefined)
    await expect(session.rollBackTo?.('engine_1')).rejects.toMatchObject({ sqlState: '40001' })
    await insertAll(session, 'b')
  })

  await expect(failed).rejects.toMatchObject({ sqlState: '25P02' })
  expect(await valuesOf(adapter)).toEqual([])
})
