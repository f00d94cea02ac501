import { setTimeout as delay } from 'node:timers/promises'
import type { Adapter } from '@engine/core/adapter'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createDatabase, openAdapter, query, sharedAdapter } from './open-adapter.ts'
import { execution, statement, write } from './statements.ts'

/** 3 000 rows: three of them joined are 27 000 000 000. */
const rows = `
  create table t (id integer primary key, a integer, s text);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
  insert into t select i, i % 7, 'text ' || i from n;
`

const one = statement('select 1', { one: 'int4' })

/** What the compiler puts into every scan. */
const ticks = 'tick(a.id) and tick(b.id) and tick(c.id)'

/** Each would run for minutes. */
const endless = {
  'a cross join': `select count(*) from t a, t b, t c where ${ticks}`,
  'a cross join that gives rows': `select a.id from t a, t b, t c where ${ticks}`,
  'a recursive query':
    'with recursive n(i) as (select 1 union all select i + 1 from n where tick(i)) select count(*) from n',
  'a recursive query that gives rows':
    'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n',
  'a sort': `select a.s from t a, t b, t c where ${ticks} order by a.s || b.s || c.s`,
  'a grouping': `select count(*) from (
    select distinct a.a + b.a * 10 + c.id * 100 from t a, t b, t c where ${ticks})`,
  'texts that grow': `select length(group_concat(a.s || b.s)) from t a, t b, t c where ${ticks}`,
  'a window': `select sum(a.a) over (order by b.id, c.id) from t a, t b, t c where ${ticks}`,
  'an anti-join': `select count(*) from t a where tick(a.id) and not exists (
    select 1 from t b, t c where b.a + c.a = -a.id and tick(b.id) and tick(c.id))`,
}

/** With one thread to read: it has to be free again. */
const single = sharedAdapter(rows, { pool: { max: 1 } })

test.each(Object.entries(endless))(
  '%s is stopped, and its thread goes on with the next statement',
  async (_name, sql) => {
    const adapter = single()
    const slow = statement(sql, { value: 'text' })

    // An answer without an end is stopped by its limit as well.
    const stopped = query(adapter, slow, [], { timeoutMs: 200, maxRows: Number.MAX_SAFE_INTEGER })

    await expect(stopped).rejects.toMatchObject({ problem: 'queryTimeout', status: 408 })
    expect(await query(adapter, one)).toEqual([[1]])
  },
)

test('a statement stops when nobody waits for it any more', async () => {
  const adapter = single()
  const slow = statement(endless['a cross join'], { n: 'int8' })
  await query(adapter, one)

  const controller = new AbortController()
  const stopped = query(adapter, slow, [], { signal: controller.signal })
  setTimeout(() => controller.abort(), 50)

  await expect(stopped).rejects.toMatchObject({ problem: 'queryTimeout' })
  await expect(query(adapter, slow, [], { signal: controller.signal })).rejects.toMatchObject({
    problem: 'queryTimeout',
  })
  expect(await query(adapter, one)).toEqual([[1]])
})

test('a stopped write has changed nothing', async () => {
  const adapter = openAdapter(createDatabase(rows))
  const slow = write(
    'update t set a = (select count(*) from t b, t c where tick(b.id) and tick(c.id)) + id',
  )

  const stopped = adapter.execute(execution(slow, [], { timeoutMs: 200 }))

  await expect(stopped).rejects.toMatchObject({ problem: 'queryTimeout' })
  const changed = statement('select count(*) from t where a <> id % 7', { n: 'int4' })
  expect(await query(adapter, changed)).toEqual([[0]])
  expect((await adapter.execute(execution(write('update t set a = 1')))).rowCount).toBe(3000)
})

test('the event loop and other statements go on while a statement runs', async () => {
  const adapter = openAdapter(createDatabase(rows))
  const slow = statement(endless['a cross join'], { n: 'int8' })
  await query(adapter, one)
  const controller = new AbortController()
  let isRunning = true

  const stopped = query(adapter, slow, [], { signal: controller.signal }).catch(() => {
    isRunning = false
  })
  await delay(20)
  expect(await query(adapter, one)).toEqual([[1]])
  expect(isRunning).toBe(true)
  controller.abort()
  await stopped
})

test('waiting for a free thread counts, and whoever gave up is not served', async () => {
  const adapter = single()
  const slow = statement(endless['a cross join'], { n: 'int8' })
  await query(adapter, one)
  const settled: string[] = []
  const note = (name: string) => () => void settled.push(name)

  const first = query(adapter, slow, [], { timeoutMs: 400 }).catch(note('first'))
  const second = query(adapter, one, [], { timeoutMs: 50 }).catch(note('second'))
  const third = query(adapter, one).then(note('third'))
  await Promise.all([first, second, third])

  expect(settled).toEqual(['second', 'first', 'third'])
})

test('who waits is served in order', async () => {
  const adapter = single()
  const order: number[] = []

  await Promise.all([1, 2, 3, 4, 5].map((n) => query(adapter, one).then(() => void order.push(n))))

  expect(order).toEqual([1, 2, 3, 4, 5])
})

/** A few seconds within one step of SQLite, where nothing can stop it. */
const deaf =
  'with recursive n(i) as (select 1 union all select i + 1 from n limit 6000000) select count(*) from n'

test('a thread that cannot be stopped is replaced; its caller is answered at once', async () => {
  const adapter = single()
  const settled: string[] = []

  const hanging = query(adapter, statement(deaf, { n: 'int8' }), [], { timeoutMs: 200 })
  await expect(hanging).rejects.toMatchObject({ problem: 'queryTimeout' })
  const next = query(adapter, one).then(() => void settled.push('next'))
  await next

  expect(settled).toEqual(['next'])
})

test('a function of ours that does not come to an end is ended with its thread, again and again', async () => {
  const adapter = single()
  const backtracking = statement(`select pg_regex('${'a'.repeat(60)}!', '^(a|aa)+$', 0)`, {
    v: 'bool',
  })

  // More often than there may be threads that were given up and still run.
  for (let round = 0; round < 3; round += 1) {
    const hanging = query(adapter, backtracking, [], { timeoutMs: 100 })
    await expect(hanging).rejects.toMatchObject({ problem: 'queryTimeout' })
    expect(await query(adapter, one)).toEqual([[1]])
  }
})

test('a writer that cannot be stopped is replaced; it has changed nothing and holds no lock', async () => {
  const path = createDatabase(rows)
  const adapter = openAdapter(path)
  const slow = statement(
    [
      { sql: 'update t set a = -1', yields: 'affected' },
      { sql: deaf, yields: 'nothing' },
    ],
    {},
    { isWrite: true },
  )

  const hanging = adapter.execute(execution(slow, [], { timeoutMs: 200 }))

  await expect(hanging).rejects.toMatchObject({ problem: 'queryTimeout' })
  const next = await adapter.execute(execution(write('update t set a = 5 where id = 1')))
  expect(next.rowCount).toBe(1)
  const changed = statement('select count(*) from t where a = -1', { n: 'int4' })
  expect(await query(adapter, changed)).toEqual([[0]])
})

test('a read that was taken for a key look-up does not hold up the main thread', async () => {
  const adapter = openAdapter(createDatabase(rows))
  const slow = statement(
    'select count(*) from t a, t b where a.id <= 300 and tick(a.id) and tick(b.id)',
    { n: 'int4' },
    { hints: { bounded: true } },
  )
  await query(adapter, one)

  expect(await query(adapter, slow)).toEqual([[900_000]])
})

async function withLockHeld<T>(path: string, use: () => Promise<T>): Promise<T> {
  const other = new Database(path)
  other.exec('begin immediate')
  try {
    return await use()
  } finally {
    other.exec('rollback')
    other.close()
  }
}

test('waiting for the lock of another process ends with the statement', async () => {
  const path = createDatabase(rows)
  const adapter = openAdapter(path)
  const update = execution(write('update t set a = 1'), [], { timeoutMs: 200 })
  await query(adapter, one)

  await withLockHeld(path, () =>
    expect(adapter.execute(update)).rejects.toMatchObject({ problem: 'queryTimeout' }),
  )

  expect((await adapter.execute(update)).rowCount).toBe(3000)
})

test('a lock that another process keeps makes the database unavailable', async () => {
  const path = createDatabase(rows)
  const adapter: Adapter = openAdapter(path, { lockTimeoutMs: 100 })
  const update = execution(write('update t set a = 1'))
  await query(adapter, one)

  await withLockHeld(path, async () => {
    await expect(adapter.execute(update)).rejects.toMatchObject({ problem: 'unavailable' })
    expect(await query(adapter, one)).toEqual([[1]])
  })

  expect((await adapter.execute(update)).rowCount).toBe(3000)
})
