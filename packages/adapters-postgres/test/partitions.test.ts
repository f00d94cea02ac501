import { type Config, createEngine, type Engine } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../src/index.ts'
import { rowsOf, sqlStateOf, tenantUser } from './support/ask-engine.ts'

const mine = { tenant: '$user.tenant' }

const permissions = {
  parent: {
    table: 'main.readings',
    roles: ['parent', 'both'],
    select: { columns: ['id', 'day', 'tenant', 'value'], where: mine },
    insert: { columns: ['id', 'day', 'tenant', 'value'], check: mine },
    update: { columns: ['day', 'value'], where: mine, check: mine },
    delete: { where: mine },
  },
  one: {
    table: 'main.readings_2025',
    roles: ['one', 'both'],
    select: { columns: ['id', 'secret'], where: { value: { $lt: 100 } } },
    update: { columns: ['value'], check: { value: { $lt: 1000 } } },
  },
} satisfies Config['permissions']

describePostgres('partitions by name', () => {
  let engine: Engine
  let open: Engine
  let client: Client

  beforeAll(async () => {
    const url = await createDatabase('partitions')
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`
      create type mood as enum ('sad', 'ok');
      create table readings (
        id int, day date not null, tenant int, value int default 5, secret text, primary key (id, day)
      ) partition by range (day);
      create table readings_2024 partition of readings for values from ('2024-01-01') to ('2025-01-01');
      create table readings_2025 (secret text, day date not null, value int default 7, tenant int, id int not null);
      alter table readings attach partition readings_2025 for values from ('2025-01-01') to ('2026-01-01');
      create table readings_later partition of readings for values from ('2026-01-01') to ('2028-01-01')
        partition by range (day);
      create table readings_2026 partition of readings_later for values from ('2026-01-01') to ('2027-01-01');
    `)
    const adapters = { '@engine/adapters-postgres': connect }
    engine = await createEngine({ connections: { main: { url } }, permissions }, { adapters })
    open = await createEngine({ connections: { main: { url } }, open: true }, { adapters })
  })

  afterAll(async () => {
    await engine?.close()
    await open?.close()
    await client?.end()
  })

  beforeEach(async () => {
    await client.query(`
      truncate readings;
      insert into readings (id, day, tenant, value, secret) values
        (1, '2024-05-05', 1, 10, 's1'), (2, '2025-05-05', 1, 20, 's2'), (3, '2025-06-06', 2, 300, 's3'),
        (4, '2026-05-05', 2, 40, 's4');
    `)
  })

  const run = (role: string, sql: string) => rowsOf(engine, sql, tenantUser(role))
  const runOpen = (sql: string) =>
    rowsOf(open, sql, { kind: 'anonymous', roles: ['anonymous'], fields: {} })

  test('are tables in open mode, each with its own order of columns', async () => {
    expect(await runOpen('select * from main.readings_2024')).toEqual([
      [1, '2024-05-05', 1, 10, 's1'],
    ])
    expect(await runOpen('select * from readings_2025 order by id')).toEqual([
      ['s2', '2025-05-05', 20, 1, 2],
      ['s3', '2025-06-06', 300, 2, 3],
    ])
    expect(await runOpen('select id from readings_later')).toEqual([[4]])
    expect(
      await runOpen('select p.id from readings_2026 p join readings r using (id, day)'),
    ).toEqual([[4]])
    expect(await sqlStateOf(runOpen('select id from readings_2023'))).toBe('42P01')
  })

  test('are written by name, with their own defaults', async () => {
    expect(
      await runOpen(
        `insert into readings_2025 (id, day) values (9, '2025-07-07') on conflict (id, day) do update set value = 1 returning value, id`,
      ),
    ).toEqual([[7, 9]])
    expect(
      await runOpen(`update readings_2025 set value = value + 1 where id = 9 returning value`),
    ).toEqual([[8]])
    expect(await sqlStateOf(runOpen(`insert into readings_2024 values (9, '2025-07-07')`))).toBe(
      '23514',
    )
  })

  test('a row that is changed through the partitioned table moves', async () => {
    expect(
      await run('parent', `update readings set day = '2025-01-01' where id = 1 returning id, day`),
    ).toEqual([[1, '2025-01-01']])
    const { rows } = await client.query('select id from readings_2025 order by id')
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3])
  })

  test('are in no list, unless a permission names them', async () => {
    const { connections } = (await open.describe()).document
    expect(Object.keys(connections['main']?.tables ?? {})).toEqual(['readings'])
    const named = (await engine.describe()).document.connections['main']?.tables ?? {}
    expect(Object.keys(named)).toEqual(['readings', 'readings_2025'])
    expect(Object.keys(named['readings_2025']?.columns ?? {})[0]).toBe('secret')
  })

  describe('under permissions', () => {
    test('those of the partitioned table are not those of a partition, nor the other way round', async () => {
      expect(await run('parent', 'select id from readings order by id')).toEqual([[1], [2]])
      for (const name of ['readings_2024', 'readings_2025', 'readings_later', 'readings_2026']) {
        expect(await sqlStateOf(run('parent', `select id from ${name}`))).toBe('42501')
        expect(await sqlStateOf(run('parent', `delete from ${name}`))).toBe('42501')
      }
      expect(await sqlStateOf(run('one', 'select id from readings'))).toBe('42501')
      expect(await sqlStateOf(run('one', 'select id from readings_2024'))).toBe('42501')
    })

    test('a partition has its own rows, columns and checks', async () => {
      expect(await run('one', 'select * from readings_2025')).toEqual(
        [[2, 's2']].map(([a, b]) => [b, a]),
      )
      for (const name of ['tenant', 'nosuch']) {
        expect(await sqlStateOf(run('one', `select ${name} from readings_2025`))).toBe('42501')
      }
      expect(await run('one', 'update readings_2025 set value = 30 returning id')).toEqual([[2]])
      expect(await sqlStateOf(run('one', 'update readings_2025 set value = 3000'))).toBe('44000')
      const all = 'select r.id, p.secret from readings r left join readings_2025 p using (id)'
      expect(await run('both', `${all} order by 1`)).toEqual([
        [1, null],
        [2, 's2'],
      ])
    })
  })
})
