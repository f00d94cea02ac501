import type { Adapter } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { postgresAdapter } from '../src/index.ts'
import { executionOf, type StatementOptions, statementOf } from './support/statements.ts'

describePostgres('prepared statements', () => {
  let url: string
  let adapter: Adapter
  let client: Client

  beforeAll(async () => {
    url = await createDatabase('prepared')
    client = new Client({ connectionString: url })
    await client.connect()
  })
  afterAll(() => client.end())
  beforeEach(async () => {
    adapter = postgresAdapter({ url, pool: { max: 1 } })
    await client.query('drop table if exists t')
    await client.query('create table t (id int primary key, name text)')
    await client.query("insert into t values (1, 'a')")
  })
  afterEach(() => adapter.close())

  const run = (sql: string, options: StatementOptions = {}) =>
    adapter.execute(executionOf(statementOf(sql, options)))
  const prepared = statementOf(
    'select pg_catalog.count(*) from pg_catalog.pg_prepared_statements',
    {
      columns: [oids.int8],
    },
  )
  const preparedCount = async () => {
    const { rows } = await adapter.execute(executionOf(prepared))
    return Number(JSON.parse(String(rows))[0])
  }

  test('are prepared once a connection', async () => {
    for (let round = 0; round < 5; round += 1) {
      await run('select id from public.t', { columns: [oids.int4] })
    }

    expect(await preparedCount()).toBe(2)
  })

  test('do not pile up on the server', async () => {
    for (let index = 0; index < 520; index += 1) {
      await run(`select ${index} + 0`, { columns: [oids.int4] })
    }

    expect(await preparedCount()).toBe(500)
  })

  test('survive a failure while they run', async () => {
    const divide = statementOf('select 1 / $1::pg_catalog.int4', {
      columns: [oids.int4],
      parameters: [oids.int4],
    })
    await expect(adapter.execute(executionOf(divide, ['0']))).rejects.toMatchObject({
      sqlState: '22012',
    })

    expect(await adapter.execute(executionOf(divide, ['1']))).toMatchObject({ rows: '[1]' })
  })

  test('are prepared again when a table has changed', async () => {
    const select = () => run('select * from public.t', { columns: [oids.int4, oids.text] })
    await select()
    await client.query('alter table t alter column name type varchar(50)')

    expect(await select()).toMatchObject({ rows: '[1,"a"]' })
  })

  test('are prepared again when the server has lost them', async () => {
    const select = () => run('select id from public.t', { columns: [oids.int4] })
    await select()
    await run('deallocate all', { isWrite: true })

    expect(await select()).toMatchObject({ rows: '[1]' })
    expect(await select()).toMatchObject({ rows: '[1]' })
  })

  test('a write is prepared again as well, and runs once', async () => {
    const insert = (id: number) =>
      adapter.execute(
        executionOf(
          statementOf('insert into public.t values ($1::pg_catalog.int4) returning *', {
            columns: [oids.int4, oids.text],
            parameters: [oids.int4],
            isWrite: true,
            yields: 'result',
          }),
          [String(id)],
        ),
      )
    await insert(2)
    await client.query('alter table t alter column name type varchar(50)')
    await insert(3)

    expect((await client.query('select id from t order by id')).rows).toEqual([
      { id: 1 },
      { id: 2 },
      { id: 3 },
    ])
  })

  test('in a transaction they fail it, and the next one works', async () => {
    const select = executionOf(
      statementOf('select * from public.t', { columns: [oids.int4, oids.text] }),
    )
    const options = { timeoutMs: 30_000, readOnly: false, signal: undefined }
    await adapter.execute(select)
    await client.query('alter table t alter column name type varchar(50)')
    const first = adapter.transaction(options, (session) => session.execute(select))

    await expect(first).rejects.toMatchObject({ problem: 'staleCatalog' })
    expect(await adapter.transaction(options, (session) => session.execute(select))).toMatchObject({
      rowCount: 1,
    })
  })

  test('a column of another kind than was bound is a stale catalog, not a wrong value', async () => {
    await client.query('alter table t alter column name type int using 7')

    await expect(
      run('select id, name from public.t', { columns: [oids.int4, oids.text] }),
    ).rejects.toMatchObject({ problem: 'staleCatalog' })
  })

  test('many at a time get their own answers', async () => {
    const busy = postgresAdapter({ url, pool: { max: 8 } })
    const statements = Array.from({ length: 20 }, (_, index) =>
      statementOf(
        `select ${index}::pg_catalog.int4, $1::pg_catalog.int4 from pg_catalog.generate_series(1, $1::pg_catalog.int4)`,
        {
          columns: [oids.int4, oids.int4],
          parameters: [oids.int4],
        },
      ),
    )
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const rows = index % 7
        const statement = statements[index % statements.length] ?? prepared
        const result = await busy.execute(executionOf(statement, [String(rows)]))
        const expected = Array.from({ length: rows }, () => `[${index % 20},${rows}]`).join(',')
        return result.rows === expected && result.rowCount === rows
      }),
    )
    await busy.close()

    expect(answers.every(Boolean)).toBe(true)
  })
})
