import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, openAdapter, query } from './open-adapter.ts'
import { execution, statement, write } from './statements.ts'

const setup = 'create table t (id integer primary key, v text)'
const count = statement('select count(*) from t', { n: 'int4' })

test('readers go on while a write runs, and see it only when it is done', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const fill = write(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000)
    insert into t select i, 'row ' || i from n`)
  await query(adapter, count)
  const seen: unknown[] = []

  let isWriting = true
  const writing = adapter.execute(execution(fill)).finally(() => {
    isWriting = false
  })
  while (isWriting) {
    seen.push((await query(adapter, count))[0])
    await delay(1)
  }
  await writing

  const counts = seen.flat()
  expect(counts.filter((n) => n === 0).length).toBeGreaterThan(3)
  expect(counts.filter((n) => n !== 0 && n !== 100_000)).toEqual([])
  expect(await query(adapter, count)).toEqual([[100_000]])
})

test('many writes at a time are all done, each once', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const insert = write('insert into t (v) values (?1)', ['text'])
  const names = Array.from({ length: 200 }, (_, index) => `v${index}`)

  await Promise.all(names.map((name) => adapter.execute(execution(insert, [name]))))

  const all = statement('select v from t order by id', { v: 'text' })
  expect((await query(adapter, all)).flat()).toEqual(names)
})

test('many readers at a time each get their own answer', async () => {
  const adapter = openAdapter(createDatabase(setup), { pool: { max: 3 } })
  for (const hints of [undefined, { bounded: true }]) {
    const echo = statement(
      'select ?1, ?2',
      { a: 'int4', b: 'text' },
      {
        parameters: ['int4', 'text'],
        hints,
      },
    )
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => query(adapter, echo, [`${index}`, `t${index}`])),
    )
    expect(answers).toEqual(Array.from({ length: 300 }, (_, index) => [[index, `t${index}`]]))
  }
})

test('a write is seen by whoever reads after it, on every thread', async () => {
  const adapter = openAdapter(createDatabase(setup), { pool: { max: 2 } })
  const insert = write('insert into t default values')
  const onMainThread = { ...count, hints: { bounded: true } }
  await Promise.all([query(adapter, count), query(adapter, count)])

  for (let n = 1; n <= 50; n += 1) {
    await adapter.execute(execution(insert))
    const answers = [query(adapter, count), query(adapter, count), query(adapter, onMainThread)]
    expect(await Promise.all(answers)).toEqual([[[n]], [[n]], [[n]]])
  }
})

test('two adapters on one file share it', async () => {
  const path = createDatabase(setup)
  const adapters = [openAdapter(path), openAdapter(path)]
  const insert = write('insert into t (v) values (?1)', ['text'])

  await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      adapters[index % 2]?.execute(execution(insert, [`${index}`])),
    ),
  )

  for (const adapter of adapters) expect(await query(adapter, count)).toEqual([[200]])
})

test('a process that is killed while it writes loses no write that it has acknowledged', async () => {
  const path = createDatabase(setup)
  let acknowledged = 0
  for (let round = 0; round < 2; round += 1) {
    const child = fork(new URL('./write-forever.ts', import.meta.url), [path, `${acknowledged}`], {
      execArgv: ['--conditions=@engine/source'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const wanted = acknowledged + 200
    child.on('message', (id: number) => {
      acknowledged = Math.max(acknowledged, id)
      if (acknowledged >= wanted) child.kill('SIGKILL')
    })
    await once(child, 'exit')

    const database = new Database(path)
    const ids = database.prepare<[], number>('select id from t order by id').pluck().all()
    const problems = database.pragma('integrity_check', { simple: true })
    database.close()
    expect(acknowledged).toBeGreaterThanOrEqual(wanted)
    // Writes that were not acknowledged may be stored, too.
    expect(ids.length).toBeGreaterThanOrEqual(acknowledged)
    expect(ids).toEqual(ids.map((_id, index) => index + 1))
    expect(problems).toBe('ok')
    acknowledged = ids.length
  }
})

test('a million rows cost no more memory than those that are asked for', async () => {
  const adapter = openAdapter(':memory:')
  const million = statement(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000)
    select i, 'a text of some length that is there once in a row ' || i from n`,
    { i: 'int4', t: 'text' },
  )

  const result = await adapter.execute(execution(million, [], { maxRows: 10_000 }))

  expect(result).toMatchObject({ rowCount: 10_000, truncated: true })
  expect(result.rows.length).toBeLessThan(1_000_000)
})
