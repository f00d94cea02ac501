/** INSERTs of several callers that share transactions: each gets its own answer or its own error, and is stored once or not at all. */
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Adapter,
  CompiledStatement,
  Execution,
  GatewayError,
  ResultSet,
} from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { postgresAdapter } from '../src/index.ts'
import { executionOf, statementOf } from './support/statements.ts'

describePostgres('INSERTs that share transactions', () => {
  let url: string
  let client: Client
  let adapter: Adapter

  beforeAll(async () => {
    url = await createDatabase('write_groups')
    client = new Client({ connectionString: url })
    await client.connect()
  })
  afterAll(() => client.end())
  beforeEach(async () => {
    await client.query('drop table if exists t')
    await client.query('create table t (id int primary key, name text, counted int default 1)')
    adapter = postgresAdapter({ url })
  })
  afterEach(() => adapter.close())

  const insert = () =>
    statementOf('insert into public.t (id, name) values ($1, $2) returning id, name', {
      columns: [oids.int4, oids.text],
      parameters: [oids.int4, oids.text],
      isPlainInsert: true,
      yields: 'result',
    })
  /** Stores its first value after this number of seconds. */
  const slowly = () =>
    statementOf('insert into public.t (id) select $1::int from pg_catalog.pg_sleep($2)', {
      parameters: [oids.int4, oids.float8],
      isPlainInsert: true,
    })
  const run = (
    statement: CompiledStatement,
    values: Parameters<typeof executionOf>[1],
    options: Partial<Execution> = {},
  ): Promise<ResultSet> => adapter.execute(executionOf(statement, values, options))

  /** Runs `work` for each number from `first`, at most this many at a time. */
  const atATime = async (
    most: number,
    [first, last]: readonly [number, number],
    work: (i: number) => Promise<unknown>,
  ) => {
    let next = first
    const worker = async () => {
      while (next <= last) {
        next += 1
        await work(next - 1)
      }
    }
    await Promise.all(Array.from({ length: most }, worker))
  }
  const numbers = async (sql: string): Promise<readonly number[]> =>
    (await client.query<{ n: number }>(sql)).rows.map(({ n }) => n)
  const stored = () => numbers('select id as n from t order by id')
  /** Transactions that stored something. */
  const transactions = async () =>
    (await numbers('select count(distinct xmin::text)::int as n from t'))[0] ?? 0
  const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)
  /** Until statements of the plan share transactions. */
  const warmUp = async (statement: CompiledStatement) => {
    await expect
      .poll(
        async () => {
          await client.query('truncate t')
          await atATime(24, [100_001, 100_200], (i) => run(statement, [String(i), '0']))
          return transactions()
        },
        { timeout: 30_000 },
      )
      .toBeLessThan(150)
    await client.query('truncate t')
  }

  test('get the answers of their own, and need fewer commits than there are of them', async () => {
    const statement = insert()
    await warmUp(statement)
    await atATime(32, [1, 2_000], async (i) => {
      expect(await run(statement, [String(i), `name ${i}`])).toEqual({
        rows: `[${i},"name ${i}"]`,
        rowCount: 1,
        truncated: false,
      })
    })
    expect(await stored()).toEqual(upTo(2_000))
    expect(await transactions()).toBeLessThan(1_000)
  })

  test('of different statements share them, too', async () => {
    const statements = [insert(), slowly(), insert()] as const
    for (const statement of statements) await warmUp(statement)
    await atATime(32, [1, 900], async (i) => {
      const { rowCount } = await run(statements[i % 2 === 0 ? 0 : 1], [String(i), '0'])
      expect(rowCount).toBe(1)
    })
    expect(await stored()).toEqual(upTo(900))
    expect(await transactions()).toBeLessThan(700)
  })

  test('fail by themselves', async () => {
    const statement = insert()
    await warmUp(statement)
    await atATime(32, [1, 1_500], async (i) => {
      // Every fifth row has the key of one that was sent a moment before.
      const id = i % 5 === 0 ? i - 3 : i
      const outcome = await run(statement, [String(id), `name ${i}`]).then(
        ({ rows }) => String(rows),
        (error: GatewayError) => error.sqlState,
      )
      if (outcome !== '23505') expect(outcome).toBe(`[${id},"name ${i}"]`)
    })
    expect(await stored()).toEqual(upTo(1_500).filter((i) => i % 5 !== 0))
  })

  test('whose commit fails get its error, and nobody else does', async () => {
    await client.query(`
      create table parents (id int primary key);
      insert into parents select * from generate_series(1, 1000);
      alter table t add foreign key (id) references parents deferrable initially deferred`)
    const statement = insert()
    await client.query('insert into parents select * from generate_series(100001, 100200)')
    await warmUp(statement)
    await atATime(32, [1, 1_100], async (i) => {
      const answer = run(statement, [String(i), ''])
      if (i > 1_000) await expect(answer).rejects.toMatchObject({ sqlState: '23503' })
      else expect((await answer).rowCount).toBe(1)
    })
    expect(await stored()).toEqual(upTo(1_000))
    await client.query('drop table t, parents')
  })

  test('do not wait for one that waits for a lock', async () => {
    const statement = insert()
    await warmUp(statement)
    const other = new Client({ connectionString: url })
    await other.connect()
    try {
      await other.query('begin')
      await other.query("insert into t values (0, 'not yet')")
      let isAnswered = false
      let waiting: Promise<ResultSet> | undefined
      await atATime(32, [1, 1_000], (i) => {
        if (i === 500) {
          waiting = run(statement, ['0', 'second']).finally(() => {
            isAnswered = true
          })
        }
        return run(statement, [String(i), ''])
      })
      expect(isAnswered).toBe(false)
      await other.query('rollback')
      expect(String((await waiting)?.rows)).toBe('[0,"second"]')
      expect(await stored()).toEqual([0, ...upTo(1_000)])
    } finally {
      await other.end()
    }
  })

  test('do not wait for one that is slow with its values', async () => {
    const statement = slowly()
    await warmUp(statement)
    let isAnswered = false
    const slow = run(statement, ['0', '3']).finally(() => {
      isAnswered = true
    })
    await atATime(32, [1, 300], (i) => run(statement, [String(i), '0']))
    expect(isAnswered).toBe(false)
    expect((await slow).rowCount).toBe(1)
    expect(await stored()).toEqual([0, ...upTo(300)])
  })

  test('that nobody waits for are stored with an answer, or not at all', async () => {
    const statement = insert()
    await warmUp(statement)
    const answered: number[] = []
    await atATime(32, [1, 1_500], async (i) => {
      const controller = new AbortController()
      const answer = run(statement, [String(i), ''], { signal: controller.signal })
      if (i % 3 === 0) controller.abort()
      if (i % 3 === 1) setImmediate(() => controller.abort())
      await answer.then(
        () => answered.push(i),
        (error: GatewayError) => expect(error.sqlState).toBe('57014'),
      )
    })
    expect(await stored()).toEqual(answered.toSorted((one, other) => one - other))
  })

  test('with an answer are stored when their connection breaks, and none is stored twice', async () => {
    await client.query('alter table t drop constraint t_pkey')
    const statement = insert()
    await warmUp(statement)
    const answered = new Set<number>()
    let lost = 0
    await atATime(32, [1, 2_000], async (i) => {
      if (i % 400 === 0) {
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and query like 'insert into public.t%'`,
        )
      }
      await run(statement, [String(i), '']).then(
        () => answered.add(i),
        (error: GatewayError) => {
          expect(error).toMatchObject({ problem: 'unavailable' })
          lost += 1
        },
      )
    })
    const ids = await stored()
    expect(new Set(ids).size).toBe(ids.length)
    expect([...answered].filter((id) => !ids.includes(id))).toEqual([])
    expect(lost).toBeGreaterThan(0)
  })

  test('see a table that changes meanwhile as it is', async () => {
    const statement = insert()
    await warmUp(statement)
    await atATime(24, [1, 1_500], async (i) => {
      if (i === 500) await client.query('alter table t add column more text')
      if (i === 900) await client.query('alter table t alter column counted type bigint')
      expect((await run(statement, [String(i), ''])).rowCount).toBe(1)
    })
    expect(await stored()).toEqual(upTo(1_500))
  })

  test('are answered before the adapter is closed; those without a connection are refused', async () => {
    const statement = insert()
    await warmUp(statement)
    const answers = Promise.allSettled(upTo(100).map((i) => run(statement, [String(i), ''])))
    await sleep(1)
    await adapter.close()
    const answered: number[] = []
    for (const [i, answer] of (await answers).entries()) {
      if (answer.status === 'fulfilled') answered.push(i + 1)
      else expect(answer.reason).toMatchObject({ problem: 'unavailable' })
    }
    expect(await stored()).toEqual(answered)
  })

  test.each([
    ['a time limit that is shorter than that of a group', { timeoutMs: 50 }],
    ['a reader of rows', { receiver: { row: () => undefined, hold: () => undefined } }],
  ])('have a transaction of their own where they have %s', async (_, options) => {
    const statement = insert()
    await warmUp(statement)
    await atATime(24, [1, 300], async (i) => {
      const shape = 'receiver' in options ? { rowShape: 'cells' as const } : {}
      expect((await run(statement, [String(i), ''], { ...options, ...shape })).rowCount).toBe(1)
    })
    expect(await transactions()).toBe(300)
  })

  test('have transactions of their own where the database isolates them in another way', async () => {
    const name = new URL(url).pathname.slice(1)
    await client.query(`alter database ${name} set default_transaction_isolation = 'serializable'`)
    try {
      const statement = insert()
      for (const start of [0, 200, 400]) {
        await atATime(24, [start + 1, start + 200], (i) => run(statement, [String(i), '']))
      }
      expect(await transactions()).toBe(600)
    } finally {
      await client.query(`alter database ${name} reset default_transaction_isolation`)
    }
  })
})
