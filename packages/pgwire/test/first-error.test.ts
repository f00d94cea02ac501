/** A transaction that fails says why at once: 25P02 follows an error, and is never the first one. */
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  bind,
  copyFail,
  execute,
  type Message,
  openRecordingClient,
  parse,
  query,
  sync,
} from './support/recording-client.ts'
import { type ServedDatabases, serveDatabases } from './support/served-databases.ts'

describePostgres('The first error of a transaction', () => {
  let served: ServedDatabases
  let direct: pg.Client
  let client: pg.Client
  let url: string
  beforeAll(async () => {
    url = await createDatabase('wire_first_error')
    direct = new pg.Client({ connectionString: url })
    await direct.connect()
    await direct.query(`
      create table notes (id int4 primary key, body varchar(5));
      create table many as select n from generate_series(1, 2000) n;
      create table later (id int4 references notes deferrable initially deferred);
      create table changing (a int4)`)
    served = await serveDatabases({
      connections: { main: url, other: url },
      limits: { maxRows: 1_000, maxRequestBodySize: '2kb' },
      pgWire: { transactionTimeout: '1s' },
    })
  })
  afterAll(async () => {
    await direct?.end()
    await served?.close()
  })
  beforeEach(async () => {
    client = new pg.Client({ connectionString: served.url })
    client.on('error', () => undefined)
    await client.connect()
    await client.query('set search_path to main')
  })
  afterEach(() => client.end())

  const codeOf = (sql: string): Promise<unknown> =>
    client.query(sql).then(
      () => 'no error',
      (error: { readonly code: string }) => error.code,
    )
  const cutConnections = async () => {
    const { rowCount } = await direct.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state = 'idle in transaction'`,
    )
    expect(rowCount).toBe(1)
  }

  const writing = ['begin', 'insert into notes values (1)']

  /** Statements before the one that fails, what happens in between, and the statement with its SQLSTATE. */
  const ways: readonly {
    readonly name: string
    readonly begin?: readonly string[]
    readonly before?: readonly string[]
    readonly meanwhile?: () => Promise<unknown>
    readonly sql: string
    readonly code: string
  }[] = [
    { name: 'a value', sql: "insert into notes values (2, 'too long')", code: '22001' },
    { name: 'a key', sql: 'insert into notes values (1)', code: '23505' },
    { name: 'a syntax error', sql: 'selec 1', code: '42601' },
    { name: 'a name', sql: 'select nope from notes', code: '42703' },
    { name: 'a statement that is not offered', sql: 'vacuum', code: '0A000' },
    { name: 'a setting', sql: "set work_mem to 'x'", code: '22023' },
    { name: 'an unknown savepoint', sql: 'rollback to nothing', code: '3B001' },
    { name: 'an unknown cursor', sql: 'fetch from nothing', code: '34000' },
    { name: 'an unknown prepared statement', sql: 'execute nothing', code: '26000' },
    { name: 'another connection', sql: 'select * from other.notes', code: '0A000' },
    { name: 'too many rows', sql: 'select n from many', code: '54000' },
    {
      name: 'too many rows of a write',
      sql: 'update many set n = -n returning n',
      code: '54000',
    },
    {
      name: 'a row of a cursor',
      before: ['declare c cursor for select 1 / (n - 900) from many', 'fetch 500 from c'],
      sql: 'fetch 500 from c',
      code: '22012',
    },
    {
      name: 'a timeout',
      before: ["set local statement_timeout to '50ms'"],
      sql: 'select count(*) from many a, many b, many c where a.n + b.n + c.n < 0',
      code: '57014',
    },
    {
      name: 'a write that may only read',
      begin: ['begin read only', 'select 1 from notes'],
      sql: 'delete from notes',
      code: '25006',
    },
    {
      name: 'a lost connection',
      meanwhile: cutConnections,
      sql: 'select 1 from notes',
      code: 'HV00N',
    },
    {
      name: 'a connection lost before a savepoint',
      meanwhile: cutConnections,
      sql: 'savepoint t',
      code: 'HV00N',
    },
    {
      name: 'a connection lost before FETCH',
      before: ['declare c cursor for select n from many'],
      meanwhile: cutConnections,
      sql: 'fetch from c',
      code: 'HV00N',
    },
    {
      name: 'a table that has changed',
      meanwhile: async () => {
        const { rows } = await direct.query(
          "select attname from pg_attribute where attrelid = 'changing'::regclass and attnum = 1",
        )
        const [from, to] = rows[0].attname === 'a' ? ['a', 'b'] : ['b', 'a']
        await direct.query(`alter table changing rename ${from} to ${to}`)
      },
      sql: 'select * from changing',
      code: '40001',
    },
  ]

  describe.each([
    ['', []],
    [', after a savepoint', ['savepoint s']],
  ] as const)('%#', (after, savepoints) => {
    test.each(ways)(
      `$name${after}`,
      async ({ begin = writing, before = [], meanwhile, sql, code }) => {
        // Its plan is known.
        await client.query('select * from changing')
        for (const text of [...begin, ...savepoints, ...before]) await client.query(text)
        await meanwhile?.()
        expect(await codeOf(sql)).toBe(code)
        expect(await codeOf('select 1')).toBe('25P02')
        expect((await client.query('commit')).command).toBe('ROLLBACK')
        expect((await client.query('select count(*)::int4 as n from notes')).rows).toEqual([
          { n: 0 },
        ])
      },
    )
  })

  test('a transaction that lasts too long, while it is idle, and while it runs', async () => {
    const expired = async (next: string) => {
      await client.query('begin; insert into notes values (1); savepoint s')
      await expect
        .poll(
          async () =>
            (await direct.query('select 1 from pg_locks where relation = $1::regclass', ['notes']))
              .rowCount,
        )
        .toBe(0)
      expect(await codeOf(next)).toBe('25P04')
      expect(await codeOf('select 1')).toBe(next === 'commit' ? 'no error' : '25P02')
      await client.query('rollback')
    }
    await expired('select 1 from notes')
    await expired('savepoint t')
    await expired('rollback to s')
    await expired('release s')
    await expired('commit')
    await client.query('begin; insert into notes values (1)')
    expect(
      await codeOf('select count(*) from many a, many b, many c where a.n + b.n + c.n < 0'),
    ).toBe('25P04')
    await client.query('rollback')
  })

  test('a deferred constraint at COMMIT, and at the end of an implicit transaction', async () => {
    await client.query('begin')
    await client.query('insert into later values (99)')
    expect(await codeOf('commit')).toBe('23503')
    expect(await codeOf('select 1')).toBe('no error')
    expect(await codeOf('insert into later values (98); insert into later values (99)')).toBe(
      '23503',
    )
    const raw = await openRecordingClient(served.url)
    const insert = (id: number) => [
      parse(`insert into main.later values (${id})`),
      bind(),
      execute(),
    ]
    const lines = await raw.exchange([...insert(1), ...insert(2), sync], 1)
    expect(lines.filter((line) => /^[CEZ]/.test(line))).toEqual([
      'C INSERT 0 1',
      'C INSERT 0 1',
      'E ERROR 23503',
      'Z I',
    ])
    raw.close()
  })

  test('messages of a pipeline after an error are skipped, and the error is sent once', async () => {
    const raw = await openRecordingClient(served.url)
    const errorsOf = async (messages: readonly Message[]) => {
      const lines = await raw.exchange(messages, 1)
      return lines.filter((line) => /^[EZ]/.test(line))
    }
    await raw.exchange([query('begin')], 1)
    const select = [parse('select 1'), bind(), execute()]
    expect(await errorsOf([parse('selec 1'), bind(), execute(), ...select, sync])).toEqual([
      'E ERROR 42601 at 1',
      'Z E',
    ])
    expect(await errorsOf([...select, sync])).toEqual(['E ERROR 25P02', 'Z E'])
    await raw.exchange([query('rollback; begin')], 1)
    expect(await errorsOf([parse('select 1'), bind(['1']), execute(), sync])).toEqual([
      'E ERROR 08P01',
      'Z E',
    ])
    await raw.exchange([query('rollback; begin')], 1)
    expect(await errorsOf([query(`select '${'x'.repeat(3_000)}'`)])).toEqual([
      'E ERROR 54000',
      'Z E',
    ])
    await raw.exchange([query('rollback; begin')], 1)
    await raw.exchange([query('copy main.notes from stdin')], 'G')
    expect(await errorsOf([copyFail('no')])).toEqual(['E ERROR 57014', 'Z E'])
    raw.close()
  })
})
