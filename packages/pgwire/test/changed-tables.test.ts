/** A table is changed between two statements of a session, and the catalog does not know yet. */
import { silentLog } from '@engine/core/adapter'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ServedDatabases, serveDatabases } from './support/served-databases.ts'
import { openWireServer, type WireServer } from './support/wire-server.ts'

describePostgres('a table that is changed behind the server', () => {
  let url: string
  let owner: pg.Client
  let wire: WireServer
  let client: pg.Client

  beforeAll(async () => {
    url = await createDatabase('changed_tables')
    owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query('create table items (id int4 primary key, code int4)')
    wire = await openWireServer({ url })
  })
  beforeEach(async () => {
    await owner.query(`drop table if exists items; create table items (id int4 primary key, code int4);
      insert into items values (1, 7), (2, 8)`)
    const [host, port] = wire.address.split(':')
    client = new pg.Client({ host, port: Number(port), user: 'ada' })
    await client.connect()
    // It meets the table that was made just now.
    await client.query('select * from items')
  })
  afterEach(() => client.end())
  afterAll(async () => {
    await wire?.close()
    await owner?.end()
  })

  const all = { text: 'select * from items where id = $1', values: [1] }
  const shapeOf = ({ fields, rows }: pg.QueryResult) => [
    fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`),
    rows,
  ]

  test('a statement that is parsed anew has its columns as they are now', async () => {
    expect(shapeOf(await client.query(all))).toEqual([['id 23', 'code 23'], [{ id: 1, code: 7 }]])
    await owner.query("alter table items alter code type text using 'c' || code")
    expect(shapeOf(await client.query(all))).toEqual([
      ['id 23', 'code 25'],
      [{ id: 1, code: 'c7' }],
    ])
    await owner.query('alter table items drop code')
    expect(shapeOf(await client.query(all))).toEqual([['id 23'], [{ id: 1 }]])
    await owner.query('alter table items add note text default $$n$$, add at int8 default 5')
    await client.query('select note from items')
    expect(shapeOf(await client.query(all))).toEqual([
      ['id 23', 'note 25', 'at 20'],
      [{ id: 1, note: 'n', at: '5' }],
    ])
  })

  test('so has a write that returns them', async () => {
    const update = { text: 'update items set id = id where id = $1 returning *', values: [2] }
    expect(shapeOf(await client.query(update))).toEqual([
      ['id 23', 'code 23'],
      [{ id: 2, code: 8 }],
    ])
    await owner.query('alter table items rename code to number')
    expect(shapeOf(await client.query(update))).toEqual([
      ['id 23', 'number 23'],
      [{ id: 2, number: 8 }],
    ])
  })

  test('in binary form, too', async () => {
    const binary = { ...all, binary: true }
    expect(shapeOf(await client.query(binary))[1]).toEqual([{ id: 1, code: 7 }])
    await owner.query("alter table items alter code type text using 'c' || code")
    expect(shapeOf(await client.query(binary))[1]).toEqual([{ id: 1, code: 'c7' }])
  })

  test('an error comes after the description', async () => {
    const failing = { text: 'select 1 / (code - 7) as q from items where id = $1', values: [1] }
    await expect(client.query(failing)).rejects.toMatchObject({ code: '22012' })
    expect((await client.query(all)).rows).toEqual([{ id: 1, code: 7 }])
  })

  describe('of which a session holds the last connection', () => {
    const warnings: string[] = []
    const warn = (_facts: object, message: string) => void warnings.push(message)
    const log = { ...silentLog, warn, error: warn }
    let served: ServedDatabases
    let holder: pg.Client

    beforeAll(async () => {
      const connection = { url: url, pool: { max: 1 } }
      served = await serveDatabases({ connections: { main: connection } }, { log })
      holder = new pg.Client({ connectionString: served.url })
      await holder.connect()
    })
    beforeEach(async () => {
      warnings.length = 0
      await holder.query('begin; update items set code = 9 where id = 1')
    })
    afterEach(() => holder.query('rollback'))
    afterAll(async () => {
      await holder?.end()
      await served?.close()
    })

    test('an unknown name is refused without a wait for another one', async () => {
      await holder.query('savepoint a')
      await expect(holder.query('select * from missing')).rejects.toMatchObject({ code: '42P01' })
      await holder.query('rollback to a')
      await expect(holder.query('select missing from items')).rejects.toMatchObject({
        code: '42703',
      })
      await holder.query('rollback to a')
      expect((await holder.query('select code from items where id = 1')).rows).toEqual([
        { code: 9 },
      ])
      expect(warnings).toEqual([])
    })

    test('plans, questions to the catalog and time zones need no other one', async () => {
      const { rows } = await holder.query('explain (costs off) select * from items')
      expect(JSON.stringify(rows)).toContain('Seq Scan on items')
      const named = "select relname from pg_class where relname = 'items'"
      expect((await holder.query(named)).rows).toEqual([{ relname: 'items' }])
      await holder.query("set local time zone 'Asia/Kathmandu'")
      const shown = "select '2024-07-01 12:00Z'::timestamptz::text as at"
      expect((await holder.query(shown)).rows).toEqual([{ at: '2024-07-01 17:45:00+05:45' }])
      expect(warnings).toEqual([])
    })

    test('what has changed is known again after the transaction', async () => {
      await owner.query('drop table if exists fresh; create table fresh (n int)')
      await expect(holder.query('select * from fresh')).rejects.toMatchObject({ code: '42P01' })
      await holder.query('rollback')
      expect((await holder.query('select * from fresh')).rows).toEqual([])
    })
  })

  test('a session in a transaction finds what has changed', async () => {
    await owner.query('drop table if exists fresh')
    await client.query('begin; update items set code = 9 where id = 1')
    await owner.query('create table fresh (n int)')
    expect((await client.query('select * from fresh')).rows).toEqual([])
    await client.query('rollback')
  })
})
