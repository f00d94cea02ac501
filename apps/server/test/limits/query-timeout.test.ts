/**
 * Interface specification 8: queryTimeout applies to every statement on every database, and nothing runs on after it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, defineAction } from '@engine/core'
import { startLibsql } from '@engine/test-databases'
import { describeLibsql } from '@engine/test-databases/vitest'
import { createClient } from '@libsql/client/web'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { describeDatabases } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

/** A connection with a table `notes (id integer primary key)`, and direct access to the database. */
interface Target {
  readonly connection: Config['connections'][string]
  /** Ids of the stored notes. */
  notes(): Promise<readonly number[]>
  /** A single write cannot be rolled back: where the server does not answer, its outcome is unknown. */
  readonly isWriteUncertain?: boolean
  /** Number of running statements, without this one; undefined where the database cannot report it. */
  running?(): Promise<number>
  remove(): Promise<void>
}

const table = 'create table notes (id integer primary key)'

/** Rows below `n`, generated one by one. */
const counting = (
  n: number,
) => `with recursive t (n) as (select 1 union all select n + 1 from t where n < ${n})
  select count(*) from t`
const endless = { sql: counting(2_000_000_000), params: [], method: 'all' }
/** One such statement takes much less than the limit, a hundred take much more. */
const some = { sql: counting(300_000), params: [], method: 'all' }
const insert = (id: number) => ({
  sql: 'insert into main.notes values ($1)',
  params: [id],
  method: 'run',
})

function timeoutTests(open: () => Promise<Target>): void {
  let target: Target
  let gateway: TestGateway

  beforeAll(async () => {
    target = await open()
    const actions = {
      write: defineAction({
        roles: ['anonymous'],
        input: z.object({}),
        run: ({ db }) =>
          db.transaction().execute(async (transaction) => {
            await transaction.insertInto('main.notes').values({ id: 7 }).execute()
            await transaction
              .withRecursive('t(n)', (t) =>
                t
                  .selectNoFrom((e) => e.lit(1).as('n'))
                  .unionAll((u) =>
                    u
                      .selectFrom('t')
                      .select((e) => e('n', '+', e.lit(1)).as('n'))
                      .where('n', '<', 2_000_000_000),
                  ),
              )
              .selectFrom('t')
              .select((e) => e.fn.countAll().as('n'))
              .execute()
            return undefined
          }),
      }),
    }
    gateway = await openGateway({
      connections: { main: target.connection },
      limits: { queryTimeout: 1_500 },
      actions,
    })
  })
  afterAll(async () => {
    await gateway?.close()
    await target?.remove()
  })

  const nothingRuns = async () => {
    const { running } = target
    if (running !== undefined) {
      await vi.waitFor(async () => expect(await running()).toBe(0), { timeout: 5_000 })
    }
    const { status, body } = await gateway.data({ sql: 'select 1', params: [], method: 'get' })
    expect([status, body]).toEqual([200, { rows: [1] }])
  }
  const timeout = (message: RegExp) => ({
    status: 408,
    body: expect.objectContaining({
      error: 'QUERY_TIMEOUT',
      message: expect.stringMatching(message),
    }),
  })

  test('a statement is stopped', async () => {
    expect(await gateway.data(endless)).toMatchObject(timeout(/./))
    await nothingRuns()
  })

  test('a write is stopped, and nothing of it is stored', async () => {
    const sql = `insert into main.notes
      with recursive t (n) as (select 100 union all select n + 1 from t where n < 2000000000) select n from t`
    const answer = await gateway.data({ sql, params: [], method: 'run' })
    const uncertain = { status: 503, body: expect.objectContaining({ error: 'UNAVAILABLE' }) }
    expect(answer).toMatchObject(target.isWriteUncertain ? uncertain : timeout(/./))
    await nothingRuns()
    expect(await target.notes()).toEqual([])
  })

  test('a batch is stopped in any of its statements, and nothing of it is stored', async () => {
    const statements = [insert(1), endless]
    const answer = await gateway.post('/data/batch', JSON.stringify({ statements }))
    expect(answer).toMatchObject(timeout(/^Statement 2: /))
    await nothingRuns()
    expect(await target.notes()).toEqual([])
  })

  test('all statements of a batch have the time of one', async () => {
    const statements = [insert(1), ...Array.from({ length: 99 }, () => some)]
    const answer = await gateway.post('/data/batch', JSON.stringify({ statements }))
    expect(answer).toMatchObject(timeout(/^Statement \d+: /))
    await nothingRuns()
    expect(await target.notes()).toEqual([])
  })

  test('an action is stopped, and its transaction is rolled back', async () => {
    expect(await gateway.post('/actions/write', '{}')).toMatchObject(timeout(/./))
    await nothingRuns()
    expect(await target.notes()).toEqual([])
  })

  test('an answer without end is stopped', async () => {
    const sql = `with recursive t (n) as (select 1 union all select n + 1 from t where n < 2000000000)
      select n, max(n) over () from t`
    const { status } = await gateway.data({ sql, params: [], method: 'all' })
    expect(status).toBe(408)
    await nothingRuns()
  })
}

describeDatabases('queryTimeout', (open, kind) => {
  timeoutTests(async () => {
    const opened = await open(table)
    const idsOf = async (sql: string) =>
      (await opened.rows(sql)) as readonly { readonly id: number }[]
    const running = {
      postgres: `select pid as id from pg_stat_activity where datname = current_database()
        and state = 'active' and pid <> pg_backend_pid()`,
      mysql: `select id from information_schema.processlist where db = database()
        and command = 'Execute' and id <> connection_id()`,
      sqlite: undefined,
    }[kind]
    return {
      connection: opened.url,
      notes: async () => (await idsOf('select id from notes order by id')).map(({ id }) => id),
      ...(running === undefined ? {} : { running: async () => (await idsOf(running)).length }),
      remove: opened.remove,
    }
  })
})

describeLibsql('queryTimeout, on libSQL', () => {
  timeoutTests(async () => {
    const server = await startLibsql()
    const client = createClient({ url: server.url })
    await client.execute(table)
    return {
      connection: server.url,
      isWriteUncertain: true,
      notes: async () =>
        (await client.execute('select id from notes')).rows.map((row) => Number(row['id'])),
      remove: async () => {
        client.close()
        await server.stop()
      },
    }
  })
})

describe('queryTimeout, on CSV files', () => {
  timeoutTests(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'engine-timeout-'))
    const file = join(directory, 'notes.csv')
    writeFileSync(file, 'id\n')
    return {
      connection: {
        directory,
        writable: true,
        tables: { notes: { key: 'id', types: { id: 'integer' } } },
      },
      notes: async () => readFileSync(file, 'utf8').trim().split('\n').slice(1).map(Number),
      remove: async () => rmSync(directory, { recursive: true, force: true }),
    }
  })
})
