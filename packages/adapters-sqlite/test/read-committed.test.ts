import type { Session, TransactionOptions } from '@engine/core/adapter'
import { expect, test } from 'vitest'
import { createDatabase, openAdapter, query, rowsOf } from './open-adapter.ts'
import { execution, statement, write } from './statements.ts'

const setup = 'create table t (id integer primary key, v text unique)'

const insert = write('insert into t (v) values (?1)', ['text'])
const all = statement('select v from t order by id', { v: 'text' })

const options: TransactionOptions = {
  timeoutMs: 5_000,
  readOnly: false,
  signal: undefined,
  isolation: 'read committed',
}

async function add(session: Session, value: string): Promise<void> {
  await session.execute(execution(insert, [value]))
}

async function values(session: Session): Promise<readonly unknown[]> {
  return rowsOf(await session.execute(execution(all))).flat()
}

test('a transaction that only reads keeps nobody from writing, and sees what was committed', async () => {
  const adapter = openAdapter(createDatabase(setup), { pool: { max: 1 } })

  const seen = await adapter.transaction(options, async (session) => {
    const before = await values(session)
    await adapter.transaction(options, (other) => add(other, 'a'))
    return [before, await values(session)]
  })

  expect(seen).toEqual([[], ['a']])
})

test('more transactions may be open than there are threads', async () => {
  const adapter = openAdapter(createDatabase(setup), { pool: { max: 1 } })
  const allOpen = Promise.withResolvers<void>()
  let openCount = 0

  await Promise.all(
    Array.from({ length: 20 }, () =>
      adapter.transaction(options, async (session) => {
        await values(session)
        openCount += 1
        if (openCount === 20) allOpen.resolve()
        await allOpen.promise
        expect(await values(session)).toEqual([])
      }),
    ),
  )

  expect(openCount).toBe(20)
})

test('from its first write on a transaction sees what it wrote, and others do not', async () => {
  const adapter = openAdapter(createDatabase(setup))

  const seen = await adapter.transaction(options, async (session) => {
    await values(session)
    await add(session, 'a')
    return { inside: await values(session), outside: await query(adapter, all) }
  })

  expect(seen).toEqual({ inside: ['a'], outside: [] })
  expect(await query(adapter, all)).toEqual([['a']])
})

test('savepoints from before the first write and from after it', async () => {
  const adapter = openAdapter(createDatabase(setup))

  await adapter.transaction(options, async (session) => {
    await session.savepoint?.('engine_1')
    await values(session)
    await session.savepoint?.('engine_2')
    await add(session, 'a')
    await session.savepoint?.('engine_3')
    await add(session, 'b')
    await session.rollBackTo?.('engine_3')
    expect(await values(session)).toEqual(['a'])
    await session.releaseSavepoint?.('engine_2')
    await add(session, 'c')
    await session.rollBackTo?.('engine_1')
    expect(await values(session)).toEqual([])
    await add(session, 'd')
    await session.releaseSavepoint?.('engine_1')
  })

  expect(await query(adapter, all)).toEqual([['d']])
})

test('returning to before the first write lets others write', async () => {
  const adapter = openAdapter(createDatabase(setup))

  await adapter.transaction(options, async (session) => {
    await session.savepoint?.('engine_1')
    await add(session, 'a')
    await expect(add(session, 'a')).rejects.toMatchObject({ sqlState: '23505' })
    await session.rollBackTo?.('engine_1')
    await adapter.execute(execution(insert, ['b']))
    await add(session, 'c')
  })

  expect(await query(adapter, all)).toEqual([['b'], ['c']])
})

test('a read that failed leaves the transaction failed, until it is taken back', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const broken = statement('select abs(-9223372036854775807 - 1)', { v: 'int8' })

  const failed = adapter.transaction(options, async (session) => {
    await session.execute(execution(broken)).catch(() => undefined)
    await add(session, 'a').catch(() => undefined)
  })
  await expect(failed).rejects.toMatchObject({ sqlState: '22003' })
  await adapter.transaction(options, async (session) => {
    await session.savepoint?.('engine_1')
    await session.execute(execution(broken)).catch(() => undefined)
    await session.rollBackTo?.('engine_1')
    await add(session, 'b')
  })

  expect(await query(adapter, all)).toEqual([['b']])
})

test('a read-only transaction writes nothing, in memory neither', async () => {
  for (const adapter of [openAdapter(createDatabase(setup)), openAdapter(':memory:', { setup })]) {
    for (const isolation of ['read committed', 'serializable', undefined] as const) {
      const readOnly = { ...options, readOnly: true, isolation }
      const failed = adapter.transaction(readOnly, (session) => add(session, 'a'))
      await expect(failed).rejects.toMatchObject({ sqlState: '25006' })
    }
    expect(await query(adapter, all)).toEqual([])
  }
})

test('a first write waits for another transaction no longer than its own limit, NOWAIT not at all', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const locking = statement('select v from t', { v: 'text' }, { isWrite: true })
  const impatient = { ...locking, hints: { nowait: true } }

  await adapter.transaction(options, async (session) => {
    await add(session, 'a')
    for (const isolation of ['read committed', 'serializable'] as const) {
      const other = { ...options, isolation }
      const late = adapter.transaction(other, (waiting) =>
        waiting.execute(execution(insert, ['b'], { timeoutMs: 100 })),
      )
      await expect(late).rejects.toMatchObject({ sqlState: '57014' })
      const given = adapter.transaction(other, (waiting) =>
        waiting.execute(execution(insert, ['b'], { signal: AbortSignal.timeout(100) })),
      )
      await expect(given).rejects.toMatchObject({ sqlState: '57014' })
      const refused = adapter.transaction(other, (waiting) => waiting.execute(execution(impatient)))
      await expect(refused).rejects.toMatchObject({ problem: 'conflict', sqlState: '55P03' })
    }
    await expect(adapter.execute(execution(impatient))).rejects.toMatchObject({ sqlState: '55P03' })
  })

  expect(rowsOf(await adapter.execute(execution(impatient)))).toEqual([['a']])
})
