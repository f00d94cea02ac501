/** Short reads that share connections: a failure of one does not affect the others. */
import type { Adapter, Cells, Execution, GatewayError, ResultSet } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { hintsOf } from '../src/driver/native-statement.ts'
import { postgresAdapter } from '../src/index.ts'
import { executionOf, statementOf } from './support/statements.ts'

describePostgres('Short reads that share connections', () => {
  let url: string
  let client: Client
  let adapter: Adapter

  beforeAll(async () => {
    url = await createDatabase('pipelines')
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query('create table t (id int primary key, name text)')
    await client.query("insert into t select n, 'name ' || n from generate_series(1, 500) n")
  })
  afterAll(() => client.end())
  beforeEach(() => {
    adapter = postgresAdapter({ url })
  })
  afterEach(() => adapter.close())

  const byId = () =>
    statementOf('select id, name from public.t where id = $1', {
      columns: [oids.int4, oids.text],
      parameters: [oids.int4],
    })
  /** Returns its first value after this number of seconds. */
  const nap = () =>
    statementOf('select $1::int from pg_catalog.pg_sleep($2)', {
      columns: [oids.int4],
      parameters: [oids.int4, oids.float8],
    })
  type Values = Parameters<typeof executionOf>[1]
  const run = (
    statement: ReturnType<typeof nap>,
    values: Values,
    options: Partial<Execution> = {},
  ): Promise<ResultSet> => adapter.execute(executionOf(statement, values, options))

  /** Runs `work` for each number, at most this many at a time. */
  const atATime = async (most: number, count: number, work: (i: number) => Promise<unknown>) => {
    let next = 0
    const worker = async () => {
      while (next < count) {
        next += 1
        await work(next)
      }
    }
    await Promise.all(Array.from({ length: most }, worker))
  }
  const parametersOf = ({ steps }: ReturnType<typeof nap>) => steps[0]?.parameters.length
  /** Statements of a plan share connections once the plan is known to be short. */
  const warmUp = (statement: ReturnType<typeof nap>, options: Partial<Execution> = {}) =>
    atATime(24, 200, (i) =>
      run(statement, [String(i), '0'].slice(0, parametersOf(statement)), options),
    )

  test('get the answers to their own questions', async () => {
    const statement = byId()
    await atATime(48, 3_000, async (i) => {
      const id = (i * 7) % 600
      const { rows, rowCount } = await run(statement, [String(id)])
      const isThere = id > 0 && id <= 500
      expect(rows).toBe(isThere ? `[${id},"name ${id}"]` : '')
      expect(rowCount).toBe(isThere ? 1 : 0)
    })
  })

  test.each([24, 100])('need fewer connections than there are of them: %i', async (count) => {
    const statement = byId()
    await expect
      .poll(
        async () => {
          await atATime(24, 200, (i) => run(statement, [String(i)]))
          const answers = Array.from({ length: count }, (_, i) => run(statement, [String(i)]))
          const busy = adapter.poolState?.().busy
          await Promise.all(answers)
          return busy
        },
        { timeout: 30_000 },
      )
      .toBeLessThanOrEqual(8)
    await vi.waitFor(() => expect(adapter.poolState?.().busy).toBe(0), { timeout: 10_000 })
  })

  test('leave in one write when they take hardly any time', async () => {
    const statement = statementOf('select pg_catalog.pg_backend_pid()', {
      columns: [oids.int4],
      parameters: [],
    })
    const ofOneTurn = async (count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => run(statement, [])))
      return new Set(answers.map(({ rows }) => rows)).size
    }
    await expect
      .poll(
        async () => {
          hintsOf(statement).latency?.record(0.1)
          const shared = adapter.poolState?.().busy
          return { shared, used: await ofOneTurn(12) }
        },
        { timeout: 20_000, interval: 10 },
      )
      // The first four have connections of their own.
      .toEqual({ shared: 4, used: 5 })
  })

  test('fail by themselves', async () => {
    const statement = statementOf('select 100 / $1::int', {
      columns: [oids.int4],
      parameters: [oids.int4],
    })
    await atATime(32, 1_000, async (i) => {
      const divisor = i % 5
      const answer = run(statement, [String(divisor)])
      if (divisor === 0) await expect(answer).rejects.toMatchObject({ sqlState: '22012' })
      else expect((await answer).rows).toBe(`[${Math.trunc(100 / divisor)}]`)
    })
  })

  test('do not wait for one that is slow with its values', async () => {
    const statement = nap()
    await warmUp(statement)
    const controller = new AbortController()
    let isAnswered = false
    const slow = run(statement, ['-1', '60'], { signal: controller.signal }).finally(() => {
      isAnswered = true
    })
    const told = expect(slow).rejects.toMatchObject({ sqlState: '57014' })
    await atATime(32, 500, async (i) => {
      expect((await run(statement, [String(i), '0'])).rows).toBe(`[${i}]`)
    })
    expect(isAnswered).toBe(false)
    controller.abort()
    await told
  })

  test('with a large answer get it whole, and the others theirs', async () => {
    const statement = statementOf(
      "select n, repeat('x', 1000) from pg_catalog.generate_series(1, $1::int) n",
      { columns: [oids.int4, oids.text], parameters: [oids.int4] },
    )
    await warmUp(statement)
    await atATime(32, 400, async (i) => {
      const count = i % 40 === 0 ? 3_000 : i % 7
      const taken: string[] = []
      const receiver = { row: ([n]: Cells) => void taken.push(String(n)), hold: () => undefined }
      const { rows, rowCount } = await run(
        statement,
        [String(count)],
        i % 2 === 0 ? { rowShape: 'cells', receiver } : {},
      )
      expect(rowCount).toBe(count)
      const numbers = Array.from({ length: count }, (_, n) => n + 1)
      if (i % 2 === 0) expect(taken).toEqual(numbers.map(String))
      else expect((JSON.parse(`[${rows}]`) as number[][]).map(([n]) => n)).toEqual(numbers)
    })
  })

  test('that take too long are stopped, and nothing else is', async () => {
    const statement = nap()
    const timeoutMs = 1_000
    await warmUp(statement, { timeoutMs })
    const slow = Array.from({ length: 3 }, () => run(statement, ['-1', '60'], { timeoutMs }))
    const told = slow.map((each) =>
      expect(each).rejects.toMatchObject({ problem: 'queryTimeout', status: 408 }),
    )
    await atATime(32, 500, async (i) => {
      expect((await run(statement, [String(i), '0'], { timeoutMs })).rows).toBe(`[${i}]`)
    })
    await Promise.all(told)
  })

  test('whose callers no longer wait are stopped on the server, and nothing else is', async () => {
    const statement = nap()
    await warmUp(statement)
    const controller = new AbortController()
    const { signal } = controller
    const slow = Array.from({ length: 6 }, () => run(statement, ['-1', '60'], { signal }))
    const told = slow.map((each) => expect(each).rejects.toMatchObject({ sqlState: '57014' }))
    const others = atATime(32, 1_000, async (i) => {
      if (i === 200) controller.abort()
      expect((await run(statement, [String(i), '0'])).rows).toBe(`[${i}]`)
    })
    await Promise.all([...told, others])
    const sleeping = async () => {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and state = 'active' and query like '%pg_sleep(%'
           and pid <> pg_backend_pid()`,
      )
      return rows[0]?.count
    }
    await vi.waitFor(async () => expect(await sleeping()).toBe(0), { timeout: 20_000 })
  })

  test('that are abandoned while they are under way leave the others alone', async () => {
    const statement = byId()
    await atATime(32, 1_000, async (i) => {
      const controller = new AbortController()
      const answer = run(statement, [String((i % 500) + 1)], { signal: controller.signal })
      if (i % 3 === 0) controller.abort()
      const outcome = await answer.then(
        ({ rows }) => String(rows),
        (error: GatewayError) => error.sqlState,
      )
      const row = `[${(i % 500) + 1},"name ${(i % 500) + 1}"]`
      expect(i % 3 === 0 ? [row, '57014'] : [row]).toContain(outcome)
    })
  })

  test('are run again when their connection breaks', async () => {
    const statement = byId()
    await atATime(32, 1_500, async (i) => {
      if (i === 700) {
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and query like 'select id, name from%'`,
        )
      }
      expect((await run(statement, [String((i % 500) + 1)])).rows).toContain(`[${(i % 500) + 1},`)
    })
  })

  test('see a table that changes meanwhile as it is', async () => {
    await client.query('create table changing (id int primary key, flag bool)')
    await client.query('insert into changing select n, true from generate_series(1, 50) n')
    const statement = statementOf('select * from public.changing where id = $1', {
      columns: [oids.int4, oids.bool],
      parameters: [oids.int4],
    })
    await atATime(24, 1_500, async (i) => {
      if (i === 500) await client.query('alter table changing add column more text')
      const id = (i % 50) + 1
      expect((await run(statement, [String(id)])).rows).toBe(`[${id},true]`)
    })
  })

  test('are answered before the adapter is closed; those without a connection are refused', async () => {
    const statement = byId()
    await atATime(24, 200, (i) => run(statement, [String(i)]))
    const answers = Promise.allSettled(
      Array.from({ length: 24 }, (_, i) => run(statement, [String(i + 1)])),
    )
    await adapter.close()
    for (const [i, answer] of (await answers).entries()) {
      if (answer.status === 'fulfilled')
        expect(answer.value.rows).toBe(`[${i + 1},"name ${i + 1}"]`)
      else expect(answer.reason).toMatchObject({ problem: 'unavailable' })
    }
  })
})
