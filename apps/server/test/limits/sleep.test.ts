/** `SELECT pg_sleep(…)` over HTTP: the engine waits, in the caller's turn and within its limits; no database does. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

const table = 'create table notes (id integer primary key)'

describeDatabases('pg_sleep', (open) => {
  let gateway: TestGateway
  let remove: () => Promise<void>

  beforeAll(async () => {
    const opened = await open(table)
    remove = opened.remove
    gateway = await openGateway({
      connections: { main: { url: opened.url, pool: { max: 1 } } },
      limits: { queryTimeout: 1_000, maxConcurrentPerCaller: 4, maxConcurrentPerConnection: 1 },
    })
  })
  afterAll(async () => {
    await gateway?.close()
    await remove?.()
  })

  const ask = async (sql: string, params: readonly unknown[] = [], method = 'all') => {
    const { status, body } = await gateway.data({ sql, params, method })
    return status === 200 ? (body as { rows: unknown }).rows : [status, body]
  }
  const refused = (status: number, message: RegExp) => [
    status,
    expect.objectContaining({ message: expect.stringMatching(message) }),
  ]

  test('pg_sleep answers with one row of type void', async () => {
    expect(await ask('select pg_sleep(0.01)')).toEqual([['']])
    expect(await ask('select pg_sleep($1) as nap', ['0.01'], 'execute')).toEqual([{ nap: '' }])
    expect(await ask('select pg_sleep($1)', [0.01], 'get')).toEqual([''])
    expect(await ask('select pg_sleep($1)', [null])).toEqual([[null]])
    expect(await ask("select pg_sleep_for('10 milliseconds')", [], 'run')).toEqual([])
    expect(await ask('select pg_sleep_until($1)', ['2020-01-01 00:00:00+00'])).toEqual([['']])
    expect(await ask("select pg_sleep('-infinity')")).toEqual([['']])
    const described = { sql: 'select pg_sleep(0)', params: [], method: 'all', meta: true }
    expect((await gateway.data(described)).body).toEqual({
      rows: [['']],
      columns: [{ name: 'pg_sleep', type: 'void' }],
      rowCount: 1,
      truncated: false,
    })
  })

  test('pg_sleep is stopped by the time limit', async () => {
    for (const sql of ['select pg_sleep(60)', "select pg_sleep('infinity')"]) {
      expect(await ask(sql)).toEqual([408, expect.objectContaining({ error: 'QUERY_TIMEOUT' })])
    }
    expect(await ask('select pg_sleep_until($1)', ['99999-01-01 00:00:00+00'])).toEqual([
      408,
      expect.anything(),
    ])
  })

  test('pg_sleep holds no connection, and counts as a statement of its caller', async () => {
    const leaving = new AbortController()
    const sleeping = Array.from({ length: 3 }, () =>
      gateway.engine.query(
        { ...request('select pg_sleep(0.9)'), signal: leaving.signal },
        { kind: 'user', id: 'ada', roles: [], fields: {} },
      ),
    )
    const outcomes = Promise.allSettled(sleeping)
    expect(await ask('select count(*) from main.notes')).toEqual([['0']])
    leaving.abort()
    for (const { status } of await outcomes) expect(status).toBe('rejected')
  })

  test('pg_sleep ends when its client leaves', async () => {
    const leaving = new AbortController()
    const caller = { kind: 'anonymous', roles: ['anonymous'], fields: {} } as const
    const waiting = gateway.engine.query(
      { ...request('select pg_sleep(60)'), signal: leaving.signal },
      caller,
    )
    const ended = expect(waiting).rejects.toMatchObject({ sqlState: '57014' })
    leaving.abort()
    await ended
  })

  describe('is refused', () => {
    /** Over PostgreSQL it may stand in a select list; the other databases never wait. */
    const misplaced =
      /pg_sleep(?:_for)?\(\) (?:is only supported by itself|outside of the select list)/

    test.each([
      ['select 1 where pg_sleep(0) is null', misplaced],
      ['select (select pg_sleep(0)) from main.notes', misplaced],
      ['select id from main.notes where pg_sleep_for($1) is null', misplaced],
      ['delete from main.notes where pg_sleep(1) is null', misplaced],
      ['select pg_sleep(1 + 1)', /anything but a constant or a parameter/],
      ['select pg_sleep()', /function pg_sleep\(\) does not exist/],
      ["select pg_sleep('soon')", /invalid input syntax for type double precision: "soon"/],
      ["select pg_sleep_for('soon')", /invalid input syntax for type interval/],
    ])('%s', async (sql, message) => {
      const params = sql.includes('$1') ? ['1 s'] : []
      expect(await ask(sql, params)).toEqual(refused(400, message))
    })

    test('with other values than its parameters', async () => {
      expect(await ask('select pg_sleep($1)', [])).toEqual(refused(400, /parameters up to \$1/))
      expect(await ask('select pg_sleep($1)', ['x'])).toEqual(refused(400, /^Parameter \$1: /))
    })

    test('in a condition of a batch', async () => {
      const sql = 'delete from main.notes where pg_sleep(0) is null'
      const statements = [{ sql, params: [], method: 'all' }]
      const { status, body } = await gateway.post('/data/batch', JSON.stringify({ statements }))
      expect([status, body]).toEqual(refused(400, misplaced))
    })
  })
})

function request(sql: string) {
  return { sql, params: [], method: 'all', meta: false } as const
}
