/** Answers of more rows than `limits.maxRows` over the wire protocol: refused, never a part of them. */
import { createEngine, type Engine } from '@engine/core'
import { createPgWireServer } from '@engine/pgwire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { adapters } from '../support/gateway.ts'
import { connectWire, rowsOf, type WireClient } from '../support/wire.ts'

const setUp = `
create table digits (n integer primary key, word varchar(20));
insert into digits values (0, 'a'), (1, 'b'), (2, '"]c['), (3, 'd'), (4, 'e'), (5, 'f'), (6, 'g'), (7, 'h'), (8, 'i'), (9, 'j');
create table copies (id integer primary key);
`

const hundred = 'select a.n * 10 + b.n as n, a.word from digits a, digits b order by 1'

describeDatabases('More rows than limits.maxRows', (open) => {
  let database: TestDatabase
  let engine: Engine
  let lenient: { readonly made: Engine; readonly address: string }
  let client: WireClient

  beforeAll(async () => {
    database = await open(setUp)
    const start = async (pgWire: object) => {
      const made = await createEngine(
        {
          connections: { main: database.url },
          limits: { maxRows: 10, maxFilterConditions: 500 },
          pgWire: { port: 0, maxCursorRows: 500, ...pgWire },
        },
        { adapters, pgWire: createPgWireServer },
      )
      return { made, address: (await made.startPgWire()).address }
    }
    const strict = await start({})
    engine = strict.made
    client = await connectWire(strict)
    lenient = await start({ overflow: 'cut' })
  })
  afterAll(async () => {
    await client?.end()
    await engine?.close()
    await lenient?.made.close()
    await database?.remove()
  })

  const copies = async () => (await rowsOf(client, 'select count(*) from copies'))[0]?.[0]
  const refused = (sql: string, values: unknown[] = []) =>
    client.query(sql, values).then(
      () => 'no error',
      ({ code, message, hint }) => ({ code, message, hint }),
    )
  const tooMany = {
    code: '54000',
    message: 'the answer has more than 10 rows',
    hint: expect.stringContaining('LIMIT'),
  }

  test('an answer is refused, simple and prepared', async () => {
    expect(await refused(hundred)).toEqual(tooMany)
    expect(await refused('select n from digits where n >= $1 union all select 7', [0])).toEqual(
      tooMany,
    )
    expect(await rowsOf(client, 'select n from digits order by n')).toHaveLength(10)
    expect(await rowsOf(client, `${hundred} limit 3`)).toEqual([
      [0, 'a'],
      [1, 'a'],
      [2, 'a'],
    ])
  })

  test('the refusal ends a transaction as every error does', async () => {
    await client.query('begin')
    await client.query('insert into copies values (1)')
    expect(await refused(hundred)).toEqual(tooMany)
    expect(await refused('select 1')).toMatchObject({ code: '25P02' })
    expect((await client.query('commit')).command).toBe('ROLLBACK')
    expect(await copies()).toBe('0')
  })

  test('a write that returns too many rows is undone, alone and in a transaction', async () => {
    const copy = 'insert into copies (id) select a.n * 10 + b.n from digits a, digits b'
    const undone = { ...tooMany, hint: expect.stringContaining('Nothing was written') }
    expect(await refused(`${copy} returning id`)).toEqual(undone)
    expect(await copies()).toBe('0')
    expect(await refused(`${copy} where a.n >= $1 returning id`, [0])).toEqual(undone)
    expect(await copies()).toBe('0')
    const listed = Array.from({ length: 11 }, (_, i) => `(${i})`).join()
    expect(await refused(`insert into copies values ${listed} returning id`)).toEqual(undone)
    expect(await copies()).toBe('0')

    await client.query('begin')
    await client.query('insert into copies values (500)')
    await client.query('savepoint s')
    expect(await refused(`${copy} returning id`)).toEqual(undone)
    await client.query('rollback to s')
    await client.query('commit')
    expect(await rowsOf(client, 'select id from copies')).toEqual([[500]])

    expect((await client.query(copy)).rowCount).toBe(100)
    expect(await refused('update copies set id = id + 1000 returning id')).toEqual(undone)
    expect(await refused('delete from copies returning id')).toEqual(undone)
    expect(await copies()).toBe('101')
    expect((await client.query('delete from copies where id < 10 returning id')).rowCount).toBe(10)
    await client.query('delete from copies')
  })

  test('a cursor reads on to its end', async () => {
    await client.query('begin')
    await client.query(`declare c cursor for ${hundred}`)
    expect(await rowsOf(client, 'fetch 30 from c')).toHaveLength(30)
    const rest = await rowsOf(client, 'fetch all from c')
    expect(rest).toHaveLength(70)
    expect(rest[0]).toEqual([30, 'd'])
    expect(await rowsOf(client, 'fetch all from c')).toEqual([])
    await client.query('commit')
  })

  test('a cursor that outlives its transaction has all its rows', async () => {
    await client.query(`declare c cursor with hold for ${hundred}`)
    expect(await rowsOf(client, 'fetch 1 from c')).toEqual([[0, 'a']])
    expect(await rowsOf(client, 'fetch all from c')).toHaveLength(99)
    await client.query('close c')
  })

  test('a cursor has a limit of its own', async () => {
    await client.query('begin')
    const long = 'select a.n from digits a, digits b, digits c'
    expect(
      await (async () => {
        const declared = await refused(`declare c cursor for ${long}`)
        return declared === 'no error' ? refused('fetch all from c') : declared
      })(),
    ).toEqual({
      code: '54000',
      message: 'the query has more than 500 rows',
      hint: expect.stringContaining('pgWire.maxCursorRows'),
    })
    await client.query('rollback')
  })

  test('pgWire.overflow "cut" leaves the rest out, and says so in a NOTICE', async () => {
    const other = await connectWire(lenient)
    const notices: string[] = []
    other.on('notice', ({ message }) => void notices.push(message ?? ''))
    expect(await rowsOf(other, hundred)).toHaveLength(10)
    expect(notices).toEqual([expect.stringContaining('ends after 10 rows')])
    await other.end()
  })
})
