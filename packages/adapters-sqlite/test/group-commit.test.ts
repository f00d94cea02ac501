import { GatewayError, type ResultSet } from '@engine/core/adapter'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createDatabase, openAdapter, query } from './open-adapter.ts'
import { execution, statement, write } from './statements.ts'

const setup = `
  create table t (id integer primary key, v text not null unique);
  create table log (v text);
`

const insert = write('insert into t (v) values (?1)', ['text'])
const values = statement('select v from t order by id', { v: 'text' })

type Adapter = ReturnType<typeof openAdapter>

/** A write that keeps the writer busy, so that those after it form a group. */
async function whileBusy<T>(adapter: Adapter, use: () => Promise<T>): Promise<T> {
  await query(adapter, values)
  return adapter
    .transaction({ timeoutMs: 5_000, readOnly: false, signal: undefined }, () =>
      Promise.resolve({ started: use() }),
    )
    .then(({ started }) => started)
}

/** Starts them while the writer is busy; their row counts or SQLSTATEs. */
function together(
  adapter: Adapter,
  executions: readonly ReturnType<typeof execution>[],
): Promise<readonly (number | string | undefined)[]> {
  return whileBusy(adapter, async () => {
    const results = await Promise.allSettled(executions.map((each) => adapter.execute(each)))
    return results.map(outcomeOf)
  })
}

function outcomeOf(result: PromiseSettledResult<ResultSet>): number | string | undefined {
  if (result.status === 'fulfilled') return result.value.rowCount
  if (result.reason instanceof GatewayError) return result.reason.sqlState
  throw result.reason
}

const inserts = (...texts: readonly string[]) => texts.map((text) => execution(insert, [text]))

test('a write that fails in a group takes back only itself', async () => {
  const adapter = openAdapter(createDatabase(setup))

  const outcomes = await together(adapter, inserts('a', 'b', 'a', 'c'))

  expect(outcomes).toEqual([1, 1, '23505', 1])
  expect((await query(adapter, values)).flat()).toEqual(['a', 'b', 'c'])
})

test('every step of a failed write is taken back', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const checked = statement(
    [
      { sql: 'insert into log values (?1)', yields: 'affected' },
      {
        sql: 'insert into t (v) values (?1) returning length(v) > 1',
        yields: 'count',
        checkColumn: 0,
      },
    ],
    {},
    { isWrite: true, parameters: ['text'], needsTransaction: true },
  )
  const texts = ['aa', 'b', 'cc']

  const outcomes = await together(
    adapter,
    texts.map((text) => execution(checked, [text])),
  )

  expect(outcomes[1]).toBe('44000')
  expect((await query(adapter, values)).flat()).toEqual(['aa', 'cc'])
  const logged = statement('select v from log', { v: 'text' })
  expect((await query(adapter, logged)).flat()).toEqual(['aa', 'cc'])
})

test('RETURNING and rows of a group are those of each member', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const returning = statement(
    'insert into t (v) values (?1) returning id, v',
    { id: 'int4', v: 'text' },
    { isWrite: true, parameters: ['text'] },
  )
  const texts = Array.from({ length: 200 }, (_, index) => `v${index}`)

  const rows = await whileBusy(adapter, () =>
    Promise.all(texts.map((text) => query(adapter, returning, [text]))),
  )

  expect(rows).toEqual(texts.map((text, index) => [[index + 1, text]]))
})

test.each([
  [
    'RAISE(ROLLBACK)',
    `create table u (v text);
    create trigger no before insert on u when new.v is null begin select raise(rollback, 'no'); end`,
  ],
  ['ON CONFLICT ROLLBACK', 'create table u (v text not null on conflict rollback)'],
])('%s, which ends the whole transaction, harms no other write', async (_name, schema) => {
  const adapter = openAdapter(createDatabase(setup + schema))
  const each = write('insert into u (v) values (?1)', ['text'])
  const executions = ['a', null, 'b', 'c'].map((text) => execution(each, [text]))

  const outcomes = await together(adapter, executions)

  expect(outcomes).toEqual([1, expect.any(String), 1, 1])
  const stored = statement('select v from u', { v: 'text' })
  expect((await query(adapter, stored)).flat()).toEqual(['a', 'b', 'c'])
})

test('a deferred foreign key fails its own write at the commit', async () => {
  const adapter = openAdapter(
    createDatabase(`${setup}
      create table child (id integer primary key, p int references t deferrable initially deferred);
      insert into t values (1, 'parent')`),
  )
  const child = write('insert into child (p) values (?1)', ['int4'])
  const children = ['1', '9', '1'].map((parent) => execution(child, [parent]))

  expect(await together(adapter, children)).toEqual([1, '23503', 1])
  expect(await together(adapter, children)).toEqual([1, '23503', 1])
})

test('a commit that fails fails every member', async () => {
  const path = createDatabase(setup)
  const reader = new Database(path)
  reader.exec('begin')
  reader.prepare('select * from t').all()
  // The reader keeps the file in its mode, in which a commit waits for readers.
  const adapter = openAdapter(path, { lockTimeoutMs: 50 })

  const outcomes = await together(adapter, inserts('a', 'b', 'a'))
  reader.exec('rollback')
  reader.close()

  expect(outcomes).toEqual(['57P03', '57P03', '57P03'])
  expect(await query(adapter, values)).toEqual([])
  expect((await adapter.execute(execution(insert, ['a']))).rowCount).toBe(1)
})

test('a lock of another process that is not released fails every member', async () => {
  const path = createDatabase(setup)
  const adapter = openAdapter(path, { lockTimeoutMs: 50 })
  await query(adapter, values)
  const other = new Database(path)
  other.exec('begin immediate')

  const results = await Promise.allSettled(inserts('a', 'b').map((each) => adapter.execute(each)))
  other.exec('rollback')
  other.close()

  expect(results.map(outcomeOf)).toEqual(['57P03', '57P03'])
  expect(await query(adapter, values)).toEqual([])
})

test('a member whose caller goes away while it waits is not written', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const gone = new AbortController()

  const outcomes = await whileBusy(adapter, async () => {
    const results = [
      adapter.execute(execution(insert, ['a'])),
      adapter.execute(execution(insert, ['b'], { signal: gone.signal })),
      adapter.execute(execution(insert, ['c'])),
    ]
    gone.abort()
    return (await Promise.allSettled(results)).map(outcomeOf)
  })

  expect(outcomes).toEqual([1, '57014', 1])
  expect((await query(adapter, values)).flat()).toEqual(['a', 'c'])
})

/** A count that takes seconds. */
const counting = (tick: string) =>
  write(`insert into t (v) with recursive n(i) as (
    select 1 union all select i + 1 from n ${tick} limit 8000000) select count(*) from n`)

test.each([
  ['stops by itself', 'where tick(i)'],
  ['is stuck in one step', ''],
])('a member that %s at its time limit leaves the others alone', async (_how, tick) => {
  const adapter = openAdapter(createDatabase(setup), { lockTimeoutMs: 60_000 })
  const slow = execution(counting(tick), [], { timeoutMs: 300 })

  const outcomes = await together(adapter, [...inserts('a'), slow, ...inserts('b', 'c')])

  expect(outcomes).toEqual([1, '57014', 1, 1])
  expect((await query(adapter, values)).flat().toSorted()).toEqual(['a', 'b', 'c'])
})

test('writes that wait are done before the adapter is closed', async () => {
  const path = createDatabase(setup)
  const adapter = openAdapter(path)
  const results = Promise.all(inserts('a', 'b', 'c').map((each) => adapter.execute(each)))

  await adapter.close()

  expect((await results).map(({ rowCount }) => rowCount)).toEqual([1, 1, 1])
})
