import { type Config, createEngine, type Engine } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../src/index.ts'
import { rowsOf, sqlStateOf, tenantUser } from './support/ask-engine.ts'

const mine = { tenant: '$user.tenant' }
const columns = ['id', 'tenant', 'name']

const permissions = {
  places: {
    table: 'main.places',
    roles: ['member', 'masked', 'lonely'],
    select: { columns, where: mine },
    insert: { columns, check: mine },
    update: { columns: ['name', 'tenant'], where: mine, check: mine },
    delete: { where: mine },
  },
  secrets: {
    table: 'main.places',
    roles: ['masked'],
    select: { columns: ['id', 'secret'], where: { ...mine, id: 1 } },
  },
  capitals: { table: 'main.capitals', roles: ['capitals'], select: { columns: ['id', 'state'] } },
  // A caller may write capitals as long as the table of all places has a certain row.
  bound: {
    table: 'main.capitals',
    roles: ['bound'],
    select: { columns: ['id'] },
    insert: {
      columns: ['id', 'tenant'],
      check: {
        $not: { $exists: { table: 'main.places', where: { tenant: { $col: 'tenant' }, id: 9 } } },
      },
    },
  },
} satisfies Config['permissions']

describePostgres('tables that inherit', () => {
  let engine: Engine
  let client: Client

  beforeAll(async () => {
    const url = await createDatabase('inheritance')
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`
      create table places (id int primary key, tenant int, name text, secret text);
      create table capitals (state text, unique (id)) inherits (places);
      create table parted (id int, day date not null) partition by range (day);
      create table parted_2024 partition of parted for values from ('2024-01-01') to ('2025-01-01');
      create table alone (id int);
    `)
    engine = await createEngine(
      { connections: { main: { url } }, permissions },
      { adapters: { '@engine/adapters-postgres': connect } },
    )
  })

  afterAll(async () => {
    await engine?.close()
    await client?.end()
  })

  beforeEach(async () => {
    await client.query(`
      truncate places, parted, alone;
      insert into places values (1, 1, 'one', 's1'), (2, 2, 'two', 's2');
      insert into capitals values (3, 1, 'three', 's3', 'x'), (4, 2, 'four', 's4', 'y');
      insert into parted values (1, '2024-05-05');
      insert into alone values (1);
    `)
  })

  const run = (role: string, sql: string) => rowsOf(engine, sql, tenantUser(role))
  const runAll = (sql: string) => rowsOf(engine, sql, { kind: 'admin', roles: [], fields: {} })
  const stored = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows

  test.each([
    'select id from places order by id',
    'select id from places* order by id',
    'select id from only places order by id',
    'select id from only (places) order by id',
    'select id from only capitals c order by c.id',
    'select p.id, q.id from only places p, capitals q where q.id = p.id + 2 order by 1',
    'select count(*) from only parted',
    'select id from only parted_2024',
    'select id from only alone',
    'with only_them as (select id from only places) select sum(id) from only_them',
    'select tableoid::regclass, * from places order by id',
    'select tableoid::regclass from places order by tableoid desc, id',
    'select p.tableoid::regclass as t, id from places p order by t, id',
    'select tableoid::regclass, id from places order by tableoid::regclass, id',
    'select tableoid::regclass::text, count(*) from places group by 1 order by 1',
    'select tableoid::regclass, count(*) from only places group by tableoid::regclass',
    `select id from places where tableoid = 'capitals'::regclass order by id`,
    `select id from places where tableoid::regclass = 'places'::regclass order by id`,
    `select id from places where tableoid in ('places'::regclass, 'alone'::regclass) order by id`,
    `select id from places where tableoid::regclass::text = 'capitals' order by id`,
    `select tableoid = 'alone'::regclass from alone`,
    'select tableoid::regclass, id from parted',
    `select tableoid = 'parted_2024'::regclass from parted`,
    'select tableoid::regclass from only parted_2024',
    'select p.id, c.tableoid::regclass from only places p left join capitals c on c.id = p.id + 2 order by 1',
  ])('%s', async (sql) => {
    const texts = (rows: unknown) => JSON.stringify(rows).replaceAll('"', '')
    expect(texts(await runAll(sql))).toBe(texts(await stored(sql)))
  })

  test('ONLY keeps a write from the rows of children', async () => {
    expect(await runAll(`update only places set name = 'new' returning id`)).toEqual([[1], [2]])
    expect(await runAll('delete from only places where id > 1 returning id')).toEqual([[2]])
    expect(await stored('select id, name from places order by id')).toEqual([
      [1, 'new'],
      [3, 'three'],
      [4, 'four'],
    ])
  })

  test('tableoid is no column of a star, and needs a table', async () => {
    expect(await runAll('select * from alone')).toEqual([[1]])
    expect(
      await runAll('select x.* from (select tableoid, id from alone) x where x.tableoid > 0'),
    ).toEqual(await stored('select tableoid::text::int4, id from alone'))
    for (const [sql, state] of [
      ['select tableoid from alone, parted', '42702'],
      ['select x.tableoid from (select id from alone) x', '42703'],
      ['insert into alone (tableoid) values (1)', '42703'],
      ['update alone set tableoid = 1', '42703'],
      ['select r from (select tableoid::regclass as r from alone) x order by r', '0A000'],
      [`select tableoid::regclass || 'x' from alone`, '0A000'],
      ['select tableoid::regclass from alone union select tableoid::regclass from alone', '0A000'],
      [`select id from alone where tableoid = 'nosuch'::regclass`, '42P01'],
      ['select id::regclass from alone', '0A000'],
      ['select ctid from alone', '0A000'],
      ['select a.xmin = b.xmin from alone a, alone b', '0A000'],
      ['delete from alone returning cmax', '0A000'],
      ['select x.ctid from (select id from alone) x', '42703'],
    ] as const) {
      expect([sql, await sqlStateOf(runAll(sql))]).toEqual([sql, state])
    }
  })

  test('writes have the number of their row', async () => {
    expect(
      await runAll(
        `update places set name = 'x' where tableoid = 'capitals'::regclass returning id, tableoid::regclass`,
      ),
    ).toEqual([
      [3, 'capitals'],
      [4, 'capitals'],
    ])
    expect(
      await runAll(`insert into parted values (2, '2024-02-02') returning tableoid::regclass`),
    ).toEqual([['parted_2024']])
    expect(
      await runAll('delete from places where id = 1 returning tableoid::regclass, id'),
    ).toEqual([['places', 1]])
  })

  test('a request has no cursors', async () => {
    for (const [sql, state] of [
      ['delete from alone where current of c', '34000'],
      ['update places set name = $1 where current of c', '08P01'],
      ["update only places set name = 'x' where current of c returning tableoid", '34000'],
      ['select ctid from alone', '0A000'],
    ] as const) {
      expect([sql, await sqlStateOf(runAll(sql))]).toEqual([sql, state])
    }
  })

  describe('under permissions', () => {
    test('a table that is hidden from the caller has a number and no name', async () => {
      const [[, , child] = []] = (await stored(
        `select 1, 2, 'capitals'::regclass::oid::text`,
      )) as string[][]
      expect(await run('member', 'select id, tableoid::regclass from places order by id')).toEqual([
        [1, 'places'],
        [3, child],
      ])
      expect(
        await run('masked', 'select id, tableoid::regclass, secret from places order by id'),
      ).toEqual([
        [1, 'places', 's1'],
        [3, child, null],
      ])
      const named = (name: string) => `select id from places where tableoid = '${name}'::regclass`
      expect(await run('member', named('places'))).toEqual([[1]])
      expect(await sqlStateOf(run('member', named('capitals')))).toBe('42501')
      expect(await sqlStateOf(run('member', 'select tableoid from capitals'))).toBe('42501')
      expect(
        await run(
          'member',
          `update places set name = 'x' where tableoid <> 'places'::regclass returning id, tableoid::regclass`,
        ),
      ).toEqual([[3, child]])
      expect(
        await sqlStateOf(
          run('member', `insert into places (id, tenant) values (3, 2) returning tableoid`),
        ),
      ).toBe(
        await sqlStateOf(
          run('member', `insert into places (id, tenant) values (7, 2) returning tableoid`),
        ),
      )
    })

    test('those of the parent hold for the rows of its children', async () => {
      expect(await run('member', 'select * from places order by id')).toEqual([
        [1, 1, 'one'],
        [3, 1, 'three'],
      ])
      expect(await run('member', `update places set name = 'new' returning id`)).toEqual([[1], [3]])
      expect(await sqlStateOf(run('member', 'update places set tenant = 2 where id = 3'))).toBe(
        '44000',
      )
      expect(await run('member', 'delete from places returning id')).toEqual([[1], [3]])
      expect(await stored('select id, tenant from places order by id')).toEqual([
        [2, 2],
        [4, 2],
      ])
    })

    test('they are the same with ONLY', async () => {
      expect(await run('member', 'select * from only places')).toEqual([[1, 1, 'one']])
      expect(await sqlStateOf(run('member', 'select secret from only places'))).toBe('42501')
      expect(await run('masked', 'select id, secret from only places')).toEqual([[1, 's1']])
      expect(await run('masked', 'select id, secret from places order by id')).toEqual([
        [1, 's1'],
        [3, null],
      ])
      expect(
        await run('masked', `update only places set name = secret returning id, name`),
      ).toEqual([[1, 's1']])
      expect(
        await run('masked', `update places set name = secret where id = 3 returning name`),
      ).toEqual([[null]])
      expect(await sqlStateOf(run('member', 'update only places set tenant = 2'))).toBe('44000')
      expect(await run('member', 'delete from only places returning id')).toEqual([[1]])
      expect(await sqlStateOf(run('capitals', 'select id from only places'))).toBe('42501')
    })

    test('a child has permissions of its own', async () => {
      expect(await sqlStateOf(run('member', 'select id from capitals'))).toBe('42501')
      expect(await sqlStateOf(run('member', 'select id from only capitals'))).toBe('42501')
      expect(await run('capitals', 'select id, state from capitals order by id')).toEqual([
        [3, 'x'],
        [4, 'y'],
      ])
      expect(await sqlStateOf(run('capitals', 'select id from places'))).toBe('42501')
    })

    test('an error tells nothing where a check reads the rows through the parent', async () => {
      const insert = (id: number) =>
        run('bound', `insert into capitals (id, tenant) values (${id}, 1)`)
      await stored(`insert into places values (9, 1, 'nine', 's9')`)
      // Row 3 is there, row 7 is not: both fail their check.
      expect(await sqlStateOf(insert(3))).toBe(await sqlStateOf(insert(7)))
    })
  })
})
