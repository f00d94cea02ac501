/** Everything that stops a statement or limits an answer: cancel, timeouts, slow readers, limits. */
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  bind,
  copyData,
  copyDone,
  execute,
  openRecordingClient,
  parse,
  query,
  type RecordingClient,
  sync,
} from './support/recording-client.ts'
import { type ServedDatabases, serveDatabases } from './support/served-databases.ts'

const endless = `select count(*) from many a, many b, many c where a.n + b.n + c.n < 0`

describePostgres('Limits of statements', () => {
  let served: ServedDatabases
  let url: string
  beforeAll(async () => {
    url = await createDatabase('wire_limits')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`
      create table many as select n, repeat('x', 1000) as filler from generate_series(1, 30000) n;
      alter table many add primary key (n);
      create table few (n int4 primary key)`)
    await client.end()
    served = await serveDatabases({
      connections: { main: url },
      limits: { maxRows: 20_000 },
      pgWire: { maxCursorRows: 25_000 },
    })
  })
  afterAll(() => served?.close())

  const connect = async () => {
    const client = new pg.Client({ connectionString: served.url })
    await client.connect()
    return client
  }
  /** A separate connection that only sends a cancel request. */
  const cancel = async (client: pg.Client) => {
    const { processID, secretKey } = client as unknown as {
      readonly processID: number
      readonly secretKey: number
    }
    const request = Buffer.alloc(16)
    request.writeInt32BE(16, 0)
    request.writeInt32BE(80_877_102, 4)
    request.writeInt32BE(processID, 8)
    request.writeInt32BE(secretKey, 12)
    const { hostname, port } = new URL(served.url)
    const socket = connectTcp(Number(port), hostname)
    socket.end(request)
    socket.resume()
    await once(socket, 'close')
  }
  const isStopped = async (client: pg.Client, running: Promise<unknown>) => {
    await cancel(client)
    const ended = running.then(
      () => false,
      () => true,
    )
    return Promise.race([ended, new Promise<boolean>((resolve) => setImmediate(resolve, false))])
  }

  test('a cancel stops the statement that runs, and nothing else', async () => {
    const client = await connect()
    await cancel(client)
    expect((await client.query('select 1 as a')).rows).toEqual([{ a: 1 }])
    const running = client.query(endless)
    const outcome = expect(running).rejects.toMatchObject({
      code: '57014',
      message: 'canceling statement due to user request',
    })
    await expect.poll(() => isStopped(client, running)).toBe(true)
    await outcome
    expect((await client.query('select 2 as a')).rows).toEqual([{ a: 2 }])
    await client.end()
  })

  test('a cancel in a transaction makes it a failed one', async () => {
    const client = await connect()
    await client.query('begin')
    const running = client.query(endless)
    const outcome = expect(running).rejects.toMatchObject({ code: '57014' })
    await expect.poll(() => isStopped(client, running)).toBe(true)
    await outcome
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' })
    await client.query('rollback')
    await client.end()
  })

  test('COPY of a client that is gone writes nothing', async () => {
    const client = await openRecordingClient(served.url)
    client.send([query('copy few from stdin'), copyData('1\n')])
    await client.until('G')
    client.send([copyData('2\n')])
    client.close()
    const other = await connect()
    await expect
      .poll(async () => (await other.query('select count(*)::int4 as n from few')).rows)
      .toEqual([{ n: 0 }])
    await other.end()
  })

  test('statement_timeout', async () => {
    const client = await connect()
    await client.query('set statement_timeout to 100')
    await expect(client.query(endless)).rejects.toMatchObject({
      code: '57014',
      message: 'canceling statement due to statement timeout',
    })
    await client.query('reset statement_timeout')
    expect((await client.query('select 1 as a')).rows).toEqual([{ a: 1 }])
    await client.end()
  })

  test('a copy may be longer than an answer, and is refused where a part of it would be sent', async () => {
    const client = await openRecordingClient(served.url)
    const copyOf = async (rows: number) => {
      const sql = `copy (select n from many where n <= ${rows}) to stdout`
      return (await client.exchange([query(sql)], 1)).filter((line) => /^[cCE]/.test(line))
    }
    expect(await copyOf(25_000)).toEqual(['c', 'C COPY 25000'])
    expect(await copyOf(25_001)).toEqual(['E ERROR 54000'])
    client.close()
  })

  test('an answer of too many rows ends in an error, never in a result', async () => {
    const client = await openRecordingClient(served.url)
    const ends = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('D'))
    const sql = 'select n from many'
    const simple = await client.exchange([query(sql)], 1)
    expect(ends(simple)).toEqual([expect.stringMatching(/^T/), 'E ERROR 54000', 'Z I'])
    const prepared = await client.exchange([parse(sql), bind([]), execute(), sync], 1)
    expect(ends(prepared)).toEqual(['1', '2', 'E ERROR 54000', 'Z I'])
    const several = await client.exchange([query(`insert into few values (1); ${sql}`)], 1)
    expect(ends(several).at(-2)).toBe('E ERROR 54000')
    expect(await client.exchange([query('select n from few')], 1)).toEqual([
      expect.stringMatching(/^T/),
      'C SELECT 0',
      'Z I',
    ])
    client.close()
  })

  test('a portal with a row limit reads on to its end, up to pgWire.maxCursorRows', async () => {
    const client = await openRecordingClient(served.url)
    const piecesOf = async (sql: string) => {
      const lines = await client.exchange(
        [parse(sql), bind([]), ...Array.from({ length: 6 }, () => execute(4_500)), sync],
        1,
      )
      const ends = lines.filter((line) => /^[sCE]/.test(line))
      return [lines.filter((line) => line.startsWith('D')).length, ...ends]
    }
    const suspended = Array.from({ length: 5 }, () => 's')
    expect(await piecesOf('select n from many where n <= 25000')).toEqual([
      25_000,
      ...suspended,
      'C SELECT 2500',
    ])
    const [rows, ...ends] = await piecesOf('select n from many where n <= 25001')
    expect(ends).toEqual([...suspended, 'E ERROR 54000'])
    expect(rows).toBeLessThanOrEqual(25_000)
    client.close()
  })

  const memory = () => {
    const { rss } = process.memoryUsage()
    return rss / 1_048_576
  }

  test('a slow reader is waited for', async () => {
    const client = await openRecordingClient(served.url)
    const before = memory()
    client.socket.pause()
    client.send([query('select n, filler, filler, filler, filler, filler from many')])
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(memory() - before).toBeLessThan(100)
    client.close()
  })

  test('a client that is gone stops its statement', async () => {
    const client: RecordingClient = await openRecordingClient(served.url)
    client.send([query('begin'), query('insert into few values (1)')])
    await client.until('Z')
    client.send([query(endless)])
    client.close()
    const other = await connect()
    await other.query('begin')
    expect((await other.query('insert into few values (1)')).rowCount).toBe(1)
    await other.query('rollback')
    await other.end()
  })

  test('a prepared statement whose rows have become others describes them anew', async () => {
    const direct = new pg.Client({ connectionString: url })
    await direct.connect()
    const client = await connect()
    await direct.query('create table changing (a int4); insert into changing values (1)')
    await client.query('select count(*) from pg_class')
    const named = { name: 's', text: 'select * from changing' }
    expect((await client.query(named)).rows).toEqual([{ a: 1 }])
    await direct.query('alter table changing add column b text')
    await expect
      .poll(async () => {
        await client.query('select count(*) from pg_class')
        return (await client.query(named)).rows
      })
      .toEqual([{ a: 1, b: null }])
    await client.end()
    await direct.query('drop table changing')
    await direct.end()
  })

  test('every error names the statement in the logs', async () => {
    const client = await connect()
    const first = await client.query('select nope').catch((error: unknown) => error)
    const second = await client.query('select 1/0').catch((error: unknown) => error)
    const details = [first, second].map((error) => (error as { readonly detail: string }).detail)
    for (const detail of details) expect(detail).toMatch(/^code=[A-Z_]+ correlation_id=[\w.-]+$/)
    expect(details[0]).not.toBe(details[1])
    await client.end()
  })

  test('a portal that is suspended reads no further than it is asked to', async () => {
    const client = await openRecordingClient(served.url)
    const lines = await client.exchange(
      [
        query('begin'),
        parse('select n from many order by n'),
        bind(),
        execute(3),
        execute(2),
        sync,
        query('insert into few values (5)'),
        query('rollback'),
      ],
      4,
    )
    expect(lines).toEqual([
      'C BEGIN',
      'Z T',
      '1',
      '2',
      'D 1',
      'D 2',
      'D 3',
      's',
      'D 4',
      'D 5',
      's',
      'Z T',
      'C INSERT 0 1',
      'Z T',
      'C ROLLBACK',
      'Z I',
    ])
    client.close()
  })

  test('data of COPY after an error is ignored', async () => {
    const client = await openRecordingClient(served.url)
    const lines = await client.exchange(
      [query('copy few (nope) from stdin'), copyData('1\n'), copyDone, query('select 1 as a')],
      2,
    )
    expect(lines).toEqual(['E ERROR 42703', 'Z I', 'T a(0 23 4 -1 0)', 'D 1', 'C SELECT 1', 'Z I'])
    client.close()
  })

  test('a message has a hundred warnings of backslashes at most', async () => {
    const client = await connect()
    const positions: (string | undefined)[] = []
    client.on('notice', ({ position }) => positions.push(position))
    await client.query('set standard_conforming_strings = off')
    await client.query(`select ${Array(150).fill(String.raw`'\t'`).join(', ')}`)
    await client.end()
    expect(positions).toHaveLength(100)
    expect(positions.slice(0, 2)).toEqual(['8', '14'])
  })
})
