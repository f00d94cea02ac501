/** EXPLAIN at `POST /data`: for callers who may see and do everything. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

const setUp = `
create table users (id integer primary key, name varchar(20) not null);
insert into users values (1, 'Ada'), (2, 'Grace');
`

const masterKey = 'a master key of at least thirty-two bytes'

describeDatabases('EXPLAIN at POST /data', (open, kind) => {
  let database: TestDatabase
  let gateway: TestGateway
  beforeAll(async () => {
    database = await open(setUp)
    gateway = await openGateway({
      connections: { main: database.url },
      masterKey,
      permissions: { users: { table: 'main.users', roles: ['anonymous'], select: {} } },
    })
  })
  afterAll(async () => {
    await gateway?.close()
    await database?.remove()
  })

  const explain = async (
    sql: string,
    { params = [] as readonly unknown[], method = 'values' } = {},
  ) => {
    const { status, body } = await gateway.data(
      { sql, params, method },
      { authorization: `Bearer ${masterKey}` },
    )
    return {
      status,
      ...(body as { readonly rows?: readonly unknown[]; readonly message?: string }),
    }
  }
  const names = async () => (await explain('select name from main.users order by id')).rows?.flat()

  test('EXPLAIN at POST /data is for nobody with restrictions', async () => {
    for (const sql of [
      'explain select id from main.users',
      'explain analyze select 1 from main.users',
    ]) {
      const { status, body } = await gateway.data({ sql, params: [], method: 'values' })
      expect([status, body]).toEqual([400, expect.objectContaining({ error: 'BAD_REQUEST' })])
    }
    const write = { sql: 'explain analyze delete from main.users', params: [], method: 'run' }
    expect((await gateway.data(write)).status).toBe(400)
    expect(await names()).toEqual(['Ada', 'Grace'])
  })

  test('an error is where it is in the whole text', async () => {
    const { status, message } = await explain('/* ä */ explain select lower(id) from main.users')
    expect([status, message]).toEqual([400, expect.stringContaining('position 24')])
    expect(await explain('explain (nothing) select 1 from main.users')).toMatchObject({
      status: 400,
    })
    expect(await explain('explain select 1; select 2')).toMatchObject({ status: 400 })
  })

  if (kind === 'postgres') {
    test('EXPLAIN at POST /data gives the plan, and with ANALYZE what it took', async () => {
      const sql = 'select name from main.users where id = $1'
      const plan = await explain(`explain (costs off) ${sql}`, { params: [1] })
      expect(plan.rows?.length).toBeGreaterThan(0)
      expect(String(plan.rows)).toMatch(/Scan/)
      const json = await explain(`explain (analyze, format json) ${sql}`, {
        params: [1],
        method: 'execute',
      })
      expect(json.rows).toEqual([
        {
          'QUERY PLAN': [
            expect.objectContaining({ Plan: expect.objectContaining({ 'Actual Rows': 1 }) }),
          ],
        },
      ])
    })

    test('with ANALYZE a write writes', async () => {
      await explain("explain insert into main.users values (3, 'Alan')")
      expect(await names()).toEqual(['Ada', 'Grace'])
      const done = await explain(
        "explain (analyze, timing off) insert into main.users values (3, 'Alan')",
      )
      expect(String(done.rows)).toMatch(/^Insert on users/)
      expect(await names()).toEqual(['Ada', 'Grace', 'Alan'])
      await explain('explain analyze delete from main.users where id = 3')
      expect(await names()).toEqual(['Ada', 'Grace'])
    })
  } else {
    test('EXPLAIN at POST /data gives what the database has, and refuses the rest', async () => {
      const plan = await explain('explain select name from main.users where id = $1', {
        params: [1],
      })
      expect(plan.status).toBe(kind === 'sqlite' ? 200 : 400)
      if (kind === 'sqlite') expect(String(plan.rows)).toMatch(/SEARCH/)
      const measured = await explain("explain analyze insert into main.users values (3, 'Alan')")
      expect(measured.status).toBe(400)
      expect(await names()).toEqual(['Ada', 'Grace'])
    })
  }
})
