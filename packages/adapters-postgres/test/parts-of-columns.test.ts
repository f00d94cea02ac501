import { type Caller, type Config, createEngine, type Engine } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect } from '../src/index.ts'

const table = 'main.notes'
const mine = { tenant: '$user.tenant' }
const written = ['tags', 'doc', 'home', 'homes', 'marks']

const permissions = {
  plain: {
    table,
    roles: ['plain'],
    select: { where: mine },
    insert: {},
    update: { columns: written },
  },
  checked: {
    table,
    roles: ['checked'],
    select: { where: mine },
    insert: { check: { tags: { $contains: [1] } } },
    update: { columns: written, where: mine, check: { tags: { $contains: [1] } } },
  },
  // Several permissions with different rows: the masked column is read before the write.
  keyedRows: {
    table,
    roles: ['keyed'],
    select: { columns: ['id', ...written, 'tenant'], where: mine },
  },
  keyedSecret: {
    table,
    roles: ['keyed'],
    select: { where: { ...mine, id: 1 } },
    update: { columns: written },
  },
  hidden: {
    table,
    roles: ['hidden'],
    select: { columns: ['id'] },
    insert: { columns: ['id', ...written], preset: { tenant: 'acme' } },
    update: { columns: written },
  },
  named: { table, roles: ['named'], select: { columns: ['id'] }, insert: { columns: ['id'] } },
  maskedRows: {
    table,
    roles: ['masked'],
    select: { columns: ['id'] },
    insert: { columns: ['id', ...written] },
    update: { columns: written },
  },
  maskedCells: {
    table,
    roles: ['masked'],
    select: { columns: ['id', ...written], where: mine },
  },
  readable: { table, roles: ['reader'], select: {}, update: { columns: ['doc'] } },
} satisfies Config['permissions']

describePostgres('a part of a column as the target of SET', () => {
  let engine: Engine
  let client: Client

  beforeAll(async () => {
    const url = await createDatabase('parts of columns')
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query(
      `create type address as (street text, numbers int[]);
      create domain positives as int[] check (value[1] > 0);
      create table notes (
        id int primary key, tenant text, tags int[], doc jsonb, secret text, home address, homes address[], marks positives
      )`,
    )
    engine = await createEngine(
      { connections: { main: { url } }, permissions },
      { adapters: { '@engine/adapters-postgres': connect } },
    )
  })
  beforeEach(async () => {
    await client.query(`truncate notes; insert into notes values
      (1, 'acme', '{1,2,3}', '{"a": {"b": 1}}', 's'), (2, 'acme', null, null, 't'), (3, 'umbra', '{9}', '{}', 'u')`)
  })
  afterAll(async () => {
    await engine?.close()
    await client?.end()
  })

  const ask = (role: string, sql: string, params: readonly unknown[] = []) => {
    const caller: Caller = { kind: 'user', id: 'u', roles: [role], fields: { tenant: 'acme' } }
    return engine.query({ sql, params, method: 'all', meta: false, signal: undefined }, caller)
  }
  const stored = async () =>
    (await client.query('select id, tags, doc from notes order by id')).rows.map(Object.values)
  const asItWas = [
    [1, [1, 2, 3], { a: { b: 1 } }],
    [2, null, null],
    [3, [9], {}],
  ]

  test.each(['plain', 'keyed'])(
    '%s: the rest stays, and only visible rows change',
    async (role) => {
      await ask(role, "update main.notes set tags[2] = $1, tags[4] = 7, doc['a'][$2] = $3", [
        20,
        'c',
        { d: true },
      ])
      expect(await stored()).toEqual([
        [1, [1, 20, 3, 7], { a: { b: 1, c: { d: true } } }],
        [2, expect.anything(), { a: { c: { d: true } } }],
        [3, [9], {}],
      ])
    },
  )

  test('the new value is checked', async () => {
    const set = (index: number, value: number) =>
      ask('checked', 'update main.notes set tags[$1] = $2 where id = 1', [index, value])
    await expect(set(1, 5)).rejects.toMatchObject({ status: 422 })
    expect(await stored()).toEqual(asItWas)
    await set(2, 5)
    expect((await stored())[0]).toEqual([1, [1, 5, 3], { a: { b: 1 } }])
  })

  test.each(['hidden', 'masked'])('%s: who does not see the rest may not keep it', async (role) => {
    for (const set of ['tags[1] = 1', "doc['a'] = '1'", 'tags[1:2] = $${1,2}$$']) {
      await expect(ask(role, `update main.notes set ${set}`)).rejects.toMatchObject({ status: 403 })
    }
    expect(await stored()).toEqual(asItWas)
  })

  test.each([
    ['tags[$1] = 1', 134_000_000],
    ['tags[$1] = 1', -134_000_000],
    ['tags[134000000] = 1'],
    ["tags[134000000:134000001] = '{1,2}'"],
    ["tags[1:$1] = '{1,2}'", 134_000_000],
    ["doc['a'][$1::int] = '1'", 30_000_000],
    ["doc['a']['b'] = '[]', doc['a']['b'][30000000] = '1'"],
    ["doc['a']['b'] = '[]', doc['a']['b'][$1] = '1'", ' +030000000'],
  ])('a subscript that is far away is refused: %s', async (set, ...params) => {
    await expect(
      ask('plain', `update main.notes set ${set} where id = 1`, params),
    ).rejects.toMatchObject({ sqlState: '54000' })
    expect(await stored()).toEqual(asItWas)
  })

  test('NULL as subscript has the error of PostgreSQL', async () => {
    await expect(
      ask('plain', 'update main.notes set tags[$1] = 1 where id = 1', [null]),
    ).rejects.toMatchObject({ sqlState: '22004' })
  })

  test('the column counts as written', async () => {
    await expect(ask('reader', 'update main.notes set tags[1] = 1')).rejects.toMatchObject({
      status: 403,
    })
    expect(await stored()).toEqual(asItWas)
  })

  test('a field of a composite column keeps the others', async () => {
    const set = "home.street = $1, home.numbers[2] = 7, homes[1].street = 'S'"
    const all = 'returning home, homes'
    const { body } = await ask('plain', `update main.notes set ${set} where id = 1 ${all}`, ['A 1'])
    expect(JSON.parse(String(body)).rows).toEqual([['("A 1",[2:2]={7})', ['(S,)']]])
    const next = await ask('plain', `update main.notes set home.numbers = null where id = 1 ${all}`)
    expect(JSON.parse(String(next.body)).rows).toEqual([['("A 1",)', ['(S,)']]])
  })

  test.each(['plain', 'keyed'])('%s: elements of a domain over an array', async (role) => {
    const set = (value: number) =>
      ask(role, 'update main.notes set marks[1] = $1, marks[3] = 7 where id = 1', [value])
    await set(5)
    await expect(set(0)).rejects.toMatchObject({ status: 422, sqlState: '23514' })
    const { rows } = await client.query('select marks::text from notes order by id')
    expect(rows).toEqual([{ marks: '{5,NULL,7}' }, { marks: null }, { marks: null }])
  })

  test.each(['hidden', 'masked'])('%s: a domain needs the right to read, too', async (role) => {
    for (const set of ['marks[1] = 0', "marks[1:2] = '{0}'"]) {
      await expect(ask(role, `update main.notes set ${set}`)).rejects.toMatchObject({ status: 403 })
    }
  })

  test('an INSERT of parts leaves the rest NULL', async () => {
    const { body } = await ask(
      'plain',
      'insert into main.notes (id, tenant, tags[2], tags[1], home.street, homes[1].numbers[1]) values (7, $1, 2, 1, $2, 3) returning tags, home, homes',
      ['acme', 'B'],
    )
    expect(JSON.parse(String(body)).rows).toEqual([[[1, 2], '(B,)', ['(,{3})']]])
  })

  test('ON CONFLICT changes a part of the row that is there', async () => {
    const upsert = `insert into main.notes (id, tags, tenant) values ($1, '{5}', 'acme') on conflict (id) do update set tags[2] = excluded.tags[1], home.street = 'C'`
    await ask('plain', upsert, [1])
    expect((await stored())[0]).toEqual([1, [1, 5, 3], { a: { b: 1 } }])
    await ask('plain', upsert, [3])
    expect((await stored())[2]).toEqual([3, [9], {}])
  })

  test('the values of parts are checked', async () => {
    const insert = (id: number, value: number) =>
      ask('checked', 'insert into main.notes (id, tenant, tags[1]) values ($1, $2, $3)', [
        id,
        'acme',
        value,
      ])
    await expect(insert(7, 2)).rejects.toMatchObject({ status: 422 })
    await expect(insert(1, 2)).rejects.toMatchObject({ status: 422 })
    await insert(8, 1)
    const upsert = (value: number) =>
      ask(
        'checked',
        `insert into main.notes (id, tags) values (1, '{1}') on conflict (id) do update set tags[1] = $1`,
        [value],
      )
    await expect(upsert(2)).rejects.toMatchObject({ status: 422 })
    await upsert(1)
    expect((await stored())[0]).toEqual([1, [1, 2, 3], { a: { b: 1 } }])
  })

  test.each(['hidden', 'masked'])('%s: ON CONFLICT needs the right to read', async (role) => {
    for (const set of ['tags[1] = 1', "doc['a'] = '1'", "home.street = 'x'"]) {
      const upsert = `insert into main.notes (id) values (1) on conflict (id) do update set ${set}`
      await expect(ask(role, upsert)).rejects.toMatchObject({ status: 403 })
    }
    expect(await stored()).toEqual(asItWas)
  })

  test('a preset remains beside parts, and other columns stay closed', async () => {
    await ask('hidden', 'insert into main.notes (id, tags[1], home.street) values (9, 1, $1)', [
      'x',
    ])
    const { rows } = await client.query('select tenant, tags, home from notes where id = 9')
    expect(rows).toEqual([{ tenant: 'acme', tags: [1], home: '(x,)' }])
    for (const column of ['tags[1]', 'home.street', 'secret.x', 'tenant[1]']) {
      await expect(
        ask('named', `insert into main.notes (id, ${column}) values (10, null)`),
      ).rejects.toMatchObject({ status: 403 })
    }
  })

  test('arrays begin where their text says', async () => {
    const { body } = await ask(
      'plain',
      `update main.notes set tags = '[0:1]={4,5}' where id = 1 returning tags, tags[0], array_dims($1::int[])`,
      ['[2:3]={1,2}'],
    )
    expect(JSON.parse(String(body)).rows).toEqual([[[4, 5], 4, '[2:3]']])
    const { rows } = await client.query(
      `select tags::text, (select count(*)::int from notes where tags = '[0:1]={4,5}') as n from notes where id = 1`,
    )
    expect(rows).toEqual([{ tags: '[0:1]={4,5}', n: 1 }])
  })
})
