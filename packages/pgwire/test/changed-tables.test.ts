/** A table is changed between two statements of a session, and the catalog does not know yet. */
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWireServer, type WireServer } from './support/wire-server.ts'

describePostgres('a table that is changed behind the server', () => {
  let owner: pg.Client
  let wire: WireServer
  let client: pg.Client

  beforeAll(async () => {
    const url = await createDatabase('changed_tables')
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
})
