/** Interface specification 7.1 and 8: maximum rows of an answer, maximum size of a body, time limit of a statement. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

const setUp = `
create table numbers (n integer primary key, grade integer not null);
insert into numbers values (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 2), (7, 2), (8, 3);
`

describeDatabases('limits', (open) => {
  let database: TestDatabase
  let gateway: TestGateway

  beforeAll(async () => {
    database = await open(setUp)
    gateway = await openGateway({
      connections: { main: database.url },
      limits: { maxRows: 3, maxRequestBodySize: '4kb', queryTimeout: 2_000 },
    })
  })
  afterAll(async () => {
    await gateway?.close()
    await database?.remove()
  })

  const ask = async (sql: string, params: readonly unknown[] = [], method = 'all') => {
    const { status, headers, body } = await gateway.data({ sql, params, method, meta: true })
    const { rows, rowCount, truncated } = body as Record<string, unknown>
    const isMarked = headers.get('x-rows-truncated') === 'true'
    return { status, rows, rowCount, truncated, isMarked }
  }
  const numbers = (...values: readonly number[]) => values.map((value) => [value])
  const cut = { status: 200, rowCount: 3, truncated: true, isMarked: true }
  const whole = { status: 200, truncated: false, isMarked: false }

  describe('maxRows', () => {
    test('cuts an answer without LIMIT, and says so', async () => {
      expect(await ask('select n from main.numbers order by n')).toEqual({
        ...cut,
        rows: numbers(1, 2, 3),
      })
    })

    test('maxRows does not change an answer with exactly that many rows', async () => {
      const sql = 'select n from main.numbers where n <= 3 order by n'
      expect(await ask(sql)).toEqual({ ...whole, rows: numbers(1, 2, 3), rowCount: 3 })
    })

    test('lowers a larger LIMIT, written or sent', async () => {
      expect(await ask('select n from main.numbers order by n limit 5')).toMatchObject(cut)
      expect(await ask('select n from main.numbers order by n limit $1', [5])).toMatchObject(cut)
      expect(await ask('select n from main.numbers order by n limit $1', [4])).toMatchObject(cut)
      const huge = '9223372036854775807'
      expect(await ask('select n from main.numbers limit $1', [huge])).toMatchObject(cut)
      expect(await ask(`select n from main.numbers limit ${huge}`)).toMatchObject(cut)
    })

    test('maxRows keeps a smaller LIMIT', async () => {
      const expected = { ...whole, rows: numbers(1, 2), rowCount: 2 }
      expect(await ask('select n from main.numbers order by n limit 2')).toEqual(expected)
      expect(await ask('select n from main.numbers order by n limit $1', [2])).toEqual(expected)
      expect(await ask('select n from main.numbers order by n limit $1', [3])).toMatchObject(whole)
      expect(await ask('select n from main.numbers limit $1', [0])).toMatchObject({
        ...whole,
        rows: [],
      })
    })

    test('stands where LIMIT is NULL or ALL', async () => {
      expect(await ask('select n from main.numbers limit $1', [null])).toMatchObject(cut)
      expect(await ask('select n from main.numbers limit null')).toMatchObject(cut)
      expect(await ask('select n from main.numbers limit all')).toMatchObject(cut)
    })

    test('maxRows counts after OFFSET', async () => {
      const sql = 'select n from main.numbers order by n offset $1'
      expect(await ask(sql, [4])).toEqual({ ...cut, rows: numbers(5, 6, 7) })
      expect(await ask(sql, [6])).toEqual({ ...whole, rows: numbers(7, 8), rowCount: 2 })
      expect(await ask(`${sql} limit $2`, [4, 4])).toEqual({ ...cut, rows: numbers(5, 6, 7) })
      expect(await ask(`${sql} limit $2`, [1, 1])).toMatchObject({ ...whole, rows: numbers(2) })
    })

    test('maxRows counts rows of set operations, VALUES, CTEs and joins', async () => {
      for (const sql of [
        'select n from main.numbers union all select n from main.numbers',
        '(select n from main.numbers limit 2) union all (select n from main.numbers limit 2)',
        'select n from main.numbers union select n + 10 from main.numbers order by 1 limit 20',
        'values (1), (2), (3), (4)',
        'with t as (select n from main.numbers) select * from t',
        'select a.n from main.numbers a cross join main.numbers b',
      ]) {
        expect(await ask(sql), sql).toMatchObject(cut)
      }
    })

    test('maxRows does not change what happens inside a statement', async () => {
      expect(await ask('select count(*)::int from main.numbers')).toMatchObject({
        ...whole,
        rows: [[8]],
      })
      const sql = 'select sum(n)::int from (select n from main.numbers order by n limit 5) t'
      expect((await ask(sql)).rows).toEqual([[15]])
    })

    test('cuts ties as well', async () => {
      const sql = 'select n from main.numbers order by grade fetch first 2 rows with ties'
      expect(await ask(sql)).toMatchObject(cut)
    })

    test('maxRows does not mark get and run', async () => {
      const sql = 'select n from main.numbers order by n'
      expect(await ask(sql, [], 'get')).toEqual({ ...whole, rows: [1], rowCount: 1 })
      expect(await ask(sql, [], 'run')).toMatchObject({ ...whole, rows: [] })
    })

    test('cuts what a write returns, never what it writes', async () => {
      const sql = 'update main.numbers set grade = grade returning n'
      const answer = await ask(sql)
      expect(answer).toMatchObject(cut)
      expect(answer.rows).toHaveLength(3)
      const insert =
        'insert into main.numbers values (11, 1), (12, 1), (13, 1), (14, 1) returning n'
      expect(await ask(insert)).toMatchObject(cut)
      expect(await database.rows('select n from numbers where n > 10')).toHaveLength(4)
      expect(await ask('delete from main.numbers where n > 10')).toMatchObject({
        ...whole,
        rowCount: 4,
      })
    })

    test('a negative LIMIT is refused', async () => {
      for (const value of [-1, '-1']) {
        expect((await ask('select n from main.numbers limit $1', [value])).status).toBe(400)
      }
      expect((await ask('select n from main.numbers limit -1')).status).toBe(400)
    })
  })

  describe('maxRequestBodySize', () => {
    const bodyOf = (bytes: number) => {
      const body = JSON.stringify({ sql: 'select $1::text', params: ['x'], method: 'run' })
      return body.replace('"x"', `"${'x'.repeat(bytes - body.length + 1)}"`)
    }

    test('a body of exactly that size is taken', async () => {
      expect(bodyOf(4_096)).toHaveLength(4_096)
      expect(await gateway.post('/data', bodyOf(4_096))).toMatchObject({ status: 200 })
    })

    test('one byte more is 413', async () => {
      expect(await gateway.post('/data', bodyOf(4_097))).toMatchObject({
        status: 413,
        body: { error: 'PAYLOAD_TOO_LARGE' },
      })
      expect(await gateway.post('/data/batch', bodyOf(4_097))).toMatchObject({ status: 413 })
    })

    test('bytes count, not characters', async () => {
      const body = bodyOf(4_096).replace('xx', 'éx')
      expect(body).toHaveLength(4_096)
      expect(await gateway.post('/data', body)).toMatchObject({ status: 413 })
    })

    test('it is announced: nothing is read', async () => {
      const answer = await gateway.post('/data', 'x', { 'content-length': '5000' })
      expect(answer).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } })
    })

    test('it is not announced: it is read no further', async () => {
      let sent = 0
      const endless = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          sent += 1_000
          controller.enqueue(new Uint8Array(1_000).fill(0x20))
        },
      })
      const response = await gateway.fetch(
        new Request('http://gateway.test/data', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: endless,
          duplex: 'half',
        } as RequestInit),
      )
      expect(response.status).toBe(413)
      expect(sent).toBeLessThan(20_000)
    })
  })

  describe('queryTimeout', () => {
    const slow = `with recursive t (n) as (select 1 union all select n + 1 from t where n < 2000000000)
      select count(*) from t`

    test('a statement that takes too long is stopped: 408', async () => {
      const request = { sql: slow, params: [], method: 'all' }
      const answers = await Promise.all([gateway.data(request), gateway.data(request)])
      for (const { status, body } of answers) {
        expect([status, (body as { error: string }).error]).toEqual([408, 'QUERY_TIMEOUT'])
      }
    })

    test('so is one of a batch, and others are answered meanwhile', async () => {
      const statements = [{ sql: slow, params: [], method: 'all' }]
      const batch = gateway.post('/data/batch', JSON.stringify({ statements }))
      expect((await ask('select 1')).status).toBe(200)
      expect(await batch).toMatchObject({ status: 408, body: { error: 'QUERY_TIMEOUT' } })
    })
  })
})
