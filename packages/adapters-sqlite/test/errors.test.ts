import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Adapter, GatewayError } from '@engine/core/adapter'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createDatabase, openAdapter, query, sharedAdapter, temporaryPath } from './open-adapter.ts'
import { execution, statement, write } from './statements.ts'

const setup = `
  create table p (id integer primary key, name text not null unique, age integer check (age > 0));
  create table c (id text primary key, p integer references p (id)) without rowid;
  create table s (n int) strict;
  create table guarded (id integer);
  create trigger guard before insert on guarded begin select raise(abort, 'secret rule 7'); end;
  insert into p values (1, 'ada', 36);
  insert into c values ('x', 1);
`

const signal = new AbortController().signal

const shared = sharedAdapter(setup)

async function errorOf(work: Promise<unknown>): Promise<GatewayError> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(outcome instanceof GatewayError))
    throw new Error('no GatewayError came', { cause: outcome })
  return outcome
}

test.each([
  [`insert into p values (1, 'bob', 1)`, 'conflict', '23505'],
  [`insert into p (name) values ('ada')`, 'conflict', '23505'],
  [`insert into c values ('x', 1)`, 'conflict', '23505'],
  [`insert into c values ('y', 99)`, 'conflict', '23503'],
  ['delete from p', 'conflict', '23503'],
  ['insert into p (name) values (null)', 'invalidValue', '23502'],
  ['insert into c values (null, 1)', 'invalidValue', '23502'],
  ['update p set age = 0', 'invalidValue', '23514'],
  [`insert into s values ('many')`, 'invalidValue', '22P02'],
  [`insert into p (id, name) values ('one', 'x')`, 'invalidValue', '22P02'],
  ['insert into guarded values (1)', 'invalidValue', 'P0001'],
  ['update p set age = abs(-9223372036854775807 - 1)', 'invalidValue', '22003'],
])('%s is %s', async (sql, problem, sqlState) => {
  const adapter = shared()

  const error = await errorOf(adapter.execute(execution(write(sql))))

  expect(error).toMatchObject({ problem, sqlState })
  // The database's own message goes to the log.
  expect(error.publicMessage).not.toMatch(/SQLITE|ada|secret|constraint|age/i)
  expect(error.cause).toMatchObject({ code: expect.stringMatching(/^SQLITE_/) })
  const count = statement('select count(*) from p where age = 36', { n: 'int4' })
  expect(await query(adapter, count)).toEqual([[1]])
  expect((await adapter.execute(execution(write('update p set age = 36')))).rowCount).toBe(1)
})

test.each([
  ['select sum(9223372036854775807) from (select 1 union all select 2)', 'dataError', '22003'],
  [`select json_extract('{', '$.a')`, 'dataError', '22P02'],
  ['select a from nowhere', 'staleCatalog', '42P01'],
  ['select missing from p', 'staleCatalog', '42703'],
  [`select ${'1+'.repeat(2000)}1`, 'limitExceeded', '54000'],
  [`select ${'abs('.repeat(5000)}1${')'.repeat(5000)}`, 'limitExceeded', '54000'],
  [`select ${'1,'.repeat(40000)}1`, 'limitExceeded', '54000'],
  ['select nonsense(1)', 'internal', 'XX000'],
  ['selec 1', 'internal', 'XX000'],
])('%.60s is %s', async (sql, problem, sqlState) => {
  const adapter = shared()
  await adapter.introspect(signal)

  for (const hints of [undefined, { bounded: true }]) {
    const error = await errorOf(query(adapter, statement(sql, { v: 'text' }, { hints })))
    expect(error).toMatchObject({ problem, sqlState })
    expect(error.publicMessage).not.toMatch(/SQLITE|nowhere|missing|nonsense|near/i)
  }

  expect(await query(adapter, statement('select 1', { n: 'int4' }))).toEqual([[1]])
})

test('a write to what is no more there is worth another look at the catalog', async () => {
  const adapter = shared()

  for (const sql of ['insert into nowhere values (1)', 'insert into p (missing) values (1)']) {
    const error = await errorOf(adapter.execute(execution(write(sql))))
    expect(error.problem).toBe('staleCatalog')
  }
})

const ages = statement('select age from p', { age: 'int4' })

test.each([undefined, { bounded: true }])(
  'a changed schema is noticed before a write, and soon before a read (%j)',
  async (hints) => {
    const path = createDatabase(setup)
    const adapter = openAdapter(path)
    await adapter.introspect(signal)
    const read = { ...ages, hints }
    expect(await query(adapter, read)).toEqual([[36]])

    const other = new Database(path)
    other.exec('alter table p add column email text')
    other.close()

    const stale = await errorOf(adapter.execute(execution(write('update p set age = 40'))))
    expect(stale.problem).toBe('staleCatalog')
    await expect
      .poll(() =>
        query(adapter, read).then(
          () => 'rows',
          (error) => error.problem,
        ),
      )
      .toBe('staleCatalog')
    await adapter.introspect(signal)
    expect(await query(adapter, read)).toEqual([[36]])
    expect((await adapter.execute(execution(write('update p set age = 40')))).rowCount).toBe(1)
  },
)

test('a dropped column is an unknown column, not a wrong value', async () => {
  const path = createDatabase(setup)
  const adapter = openAdapter(path)
  expect(await query(adapter, ages)).toEqual([[36]])
  const other = new Database(path)
  other.exec('create table q as select id, name from p; drop table c; drop table p')
  other.exec('alter table q rename to p')
  other.close()

  expect((await errorOf(query(adapter, ages))).problem).toBe('staleCatalog')
})

async function expectUnavailable(adapter: Adapter): Promise<void> {
  const introspected = await errorOf(adapter.introspect(signal))
  const pinged = await errorOf(adapter.ping(signal))
  const queried = await errorOf(query(adapter, ages))
  for (const error of [introspected, pinged, queried]) expect(error.problem).toBe('unavailable')
}

test('a file that is not there is not made, and is found when it comes', async () => {
  const path = temporaryPath()
  const adapter = openAdapter(path)
  await expectUnavailable(adapter)
  await expectUnavailable(openAdapter(path, { readOnly: true }))
  await expectUnavailable(openAdapter(join(path, 'no', 'such', 'directory.db'), { create: true }))

  createDatabase(setup, path)

  expect((await adapter.introspect(signal)).tables).toHaveLength(4)
})

test('a file that is no database is unavailable, and stays as it is', async () => {
  const path = temporaryPath()
  writeFileSync(path, 'this is not a database, it is a letter to somebody'.repeat(100))
  await expectUnavailable(openAdapter(path))
  expect(readFileSync(path, 'utf8')).toMatch(/^this is not a database/)

  const directory = temporaryPath('directory.db')
  mkdirSync(directory)
  await expectUnavailable(openAdapter(directory))
})

test('a damaged database is unavailable', async () => {
  const path = createDatabase(
    `create table p (age integer, filler text);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
    insert into p select i, hex(randomblob(100)) from n`,
  )
  const bytes = readFileSync(path)
  bytes.fill(0xff, 8192, bytes.length)
  writeFileSync(path, bytes)
  const adapter = openAdapter(path)

  const error = await errorOf(query(adapter, statement('select sum(age) from p', { n: 'int8' })))

  expect(error.problem).toBe('unavailable')
})

test('the file is made when that is asked for', async () => {
  const path = temporaryPath()
  const adapter = openAdapter(path, { create: true, setup: 'create table t (id integer)' })

  const { tables } = await adapter.introspect(signal)

  expect(tables.map(({ name }) => name)).toEqual(['t'])
  const again = openAdapter(`file:${path}?mode=rwc`, { setup: 'create table u (id integer)' })
  expect((await again.introspect(signal)).tables.map(({ name }) => name)).toEqual(['t'])
})

test.each([
  ['the option', { readOnly: true }, ''],
  ['the URL', {}, '?mode=ro'],
  ['immutable', {}, '?immutable=1'],
])('nothing is written where %s says so', async (_by, options, parameters) => {
  const path = createDatabase(setup)
  const adapter = openAdapter(`file:${path}${parameters}`, options)

  expect(await query(adapter, ages)).toEqual([[36]])
  const refused = await errorOf(adapter.execute(execution(write('delete from p'))))
  const sneaked = await errorOf(
    query(adapter, statement('delete from c returning id', { id: 'text' })),
  )

  expect(refused).toMatchObject({ problem: 'permissionDenied', sqlState: '25006' })
  expect(sneaked).toMatchObject({ problem: 'permissionDenied', sqlState: '25006' })
})

test('a reader cannot write even if it is told to', async () => {
  const adapter = shared()

  for (const hints of [undefined, { bounded: true }]) {
    const sneaked = statement('delete from c returning id', { id: 'text' }, { hints })
    expect((await errorOf(query(adapter, sneaked))).sqlState).toBe('25006')
  }

  const count = statement('select count(*) from c', { n: 'int4' })
  expect(await query(adapter, count)).toEqual([[1]])
})

test('after close nothing runs, and what was running ends first', async () => {
  const adapter = openAdapter(createDatabase(setup))
  const slow = statement(
    `with recursive n(i) as (select 1 union all select i + 1 from n limit 500000) select count(*) from n`,
    { n: 'int8' },
  )
  const running = [query(adapter, slow), adapter.execute(execution(write('update p set age = 9')))]
  await adapter.ping(signal)

  await Promise.all([adapter.close(), adapter.close()])

  expect(await Promise.all(running)).toEqual([
    [['500000']],
    expect.objectContaining({ rowCount: 1 }),
  ])
  expect((await errorOf(query(adapter, ages))).problem).toBe('unavailable')
})
