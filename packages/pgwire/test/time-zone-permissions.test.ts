/** Permissions are evaluated in UTC: a client that chooses another time zone sees the same rows. */

import type { Filter } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedDatabases, serveDatabases } from './support/served-databases.ts'

const setUp = `
  create table visits (id int4 primary key, tenant int4, at timestamptz, day date);
  insert into visits values
    (1, 1, '2024-03-30 22:30+00', '2024-03-30'), (2, 1, '2024-03-30 23:30+00', '2024-03-31'),
    (3, 1, '2024-03-31 22:30+00', '2024-03-31'), (4, 2, '2024-03-30 23:30+00', '2024-03-31');
  create view days as select id, tenant, at, at::date as day from visits;
  create view open_days as select id, at, at::date as day from visits;
  create table dated as select * from visits;
  create table compared as select * from visits;
  create table written (id int4 primary key, at timestamptz, day date);`

/** The rows of a table that the database itself returns, by a day of the session's zone. */
const rowSecurity = `
  create table own_days as select * from visits;
  alter table own_days enable row level security;
  alter table own_days force row level security;
  create policy of_a_day on own_days using (at::date = '2024-03-30');
  create view shown_days as select id, at from own_days;
  create view nested_days as select id, at from shown_days;`

const everything = ['id', 'tenant', 'at', 'day']

describePostgres('Permissions in a session of another time zone', () => {
  let url: string
  let server: ServedDatabases
  let client: pg.Client

  beforeAll(async () => {
    url = await createDatabase('zones')
    const owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query(setUp)
    await owner.end()
    const readOnly = (table: string, where: Filter) => ({
      table: `main.${table}`,
      roles: ['anonymous'],
      select: { columns: everything, where },
    })
    server = await serveDatabases({
      connections: { main: { url, pool: { max: 1 } } },
      permissions: {
        visits: readOnly('visits', { tenant: { $eq: 1 } }),
        days: readOnly('days', { day: { $eq: '2024-03-30' } }),
        dated: readOnly('dated', { day: { $eq: '2024-03-31' }, at: { $lt: { $now: '0s' } } }),
        compared: readOnly('compared', { at: { $gte: { $col: 'day' } } }),
        openDays: {
          table: 'main.open_days',
          roles: ['anonymous'],
          select: { columns: ['id', 'at', 'day'] },
        },
        written: {
          table: 'main.written',
          roles: ['anonymous'],
          select: { columns: ['id', 'at', 'day'] },
          insert: { columns: ['id', 'at', 'day'], check: { day: { $eq: '2024-03-31' } } },
          delete: {},
        },
      },
    })
    client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query("set time zone 'Europe/Berlin'")
  })
  afterAll(async () => {
    await client?.end()
    await server?.close()
  })

  test('row security of the database computes in UTC too', async () => {
    const owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query(rowSecurity)
    const { rows: roles } = await owner.query<{ readonly rolsuper: boolean }>(
      'select rolsuper from pg_roles where rolname = current_user',
    )
    const reader = new URL(url)
    // Superusers see everything, and so do their views.
    if (roles[0]?.rolsuper) {
      reader.searchParams.set('options', '-c role=pg_read_all_data')
      await owner.query('alter view shown_days owner to pg_read_all_data')
    }
    await owner.end()
    const restricted = await serveDatabases({ connections: { main: { url: reader.href } } })
    const session = new pg.Client({ connectionString: restricted.url })
    await session.connect()
    try {
      await session.query("set time zone 'Europe/Berlin'")
      for (const relation of ['own_days', 'shown_days', 'nested_days']) {
        const { rows: seen } = await session.query(`select id from ${relation} order by id`)
        expect(seen).toEqual([{ id: 1 }, { id: 2 }, { id: 4 }])
        await expect(session.query(`select at::date from ${relation}`)).rejects.toMatchObject({
          code: '0A000',
        })
      }
      const { rows: days } = await session.query(
        'select at::date::text as day from visits where id = 2',
      )
      expect(days).toEqual([{ day: '2024-03-31' }])
    } finally {
      await session.end()
      await restricted.close()
    }
  })

  const rows = async (sql: string): Promise<unknown> =>
    (await client.query({ text: sql, rowMode: 'array' })).rows

  test('the same rows are seen, with the days of the zone', async () => {
    expect(await rows('select id, at::date::text from visits order by id')).toEqual([
      [1, '2024-03-30'],
      [2, '2024-03-31'],
      [3, '2024-04-01'],
    ])
    expect(await rows("select id from visits where at::date = '2024-03-31'")).toEqual([[2]])
    expect(await rows('select id, at::date::text from dated order by id')).toEqual([
      [2, '2024-03-31'],
      [3, '2024-04-01'],
      [4, '2024-03-31'],
    ])
  })

  test('rows of a view that a permission chooses by what the view computes stay those of UTC', async () => {
    await expect(rows('select at::date from days')).rejects.toMatchObject({
      code: '0A000',
      message: expect.stringContaining('depends on the time zone of the session'),
      hint: expect.stringContaining('AT TIME ZONE'),
    })
    await expect(
      rows('select v.at::date from visits v join days d on d.id = v.id'),
    ).rejects.toMatchObject({ code: '0A000', position: '8' })
    expect(await rows('select id from days order by id')).toEqual([[1], [2], [4]])
  })

  test('a permission that compares a moment with a date does so in UTC', async () => {
    await expect(rows('select at::date from compared')).rejects.toMatchObject({ code: '0A000' })
    expect(await rows('select id from compared order by id')).toEqual([[1], [3]])
    expect(
      await rows(
        "select (at + interval '1 day') at time zone 'UTC' = '2024-04-01 22:30' from compared where id = 3",
      ),
    ).toEqual([[true]])
  })

  test('a view that is shown as a whole shows the days of the zone', async () => {
    expect(
      await rows('select id, day::text, at::time::text from open_days where id < 3 order by id'),
    ).toEqual([
      [1, '2024-03-30', '23:30:00'],
      [2, '2024-03-31', '00:30:00'],
    ])
  })

  test('a check is evaluated on the stored row', async () => {
    const late = "timestamptz '2024-03-30 23:30+00'"
    await expect(
      rows(`insert into written select 1, ${late}, (${late} at time zone 'UTC')::date`),
    ).rejects.toMatchObject({ code: '44000' })
    expect(
      await rows(`insert into written select 1, ${late}, ${late}::date returning day::text`),
    ).toEqual([['2024-03-31']])
    const earlier = `${late} - interval '1 day'`
    await expect(
      rows(`insert into written select 2, ${earlier}, (${earlier})::date`),
    ).rejects.toMatchObject({ code: '44000' })
    // An existing row does not excuse a new one that fails its check in the zone.
    await expect(
      rows(`insert into written select 1, ${earlier}, (${earlier})::date`),
    ).rejects.toMatchObject({ code: '44000' })
    await expect(
      rows(`insert into written select 1, ${late}, (${late})::date`),
    ).rejects.toMatchObject({ code: '23505' })
    await rows('delete from written')
  })

  test('sessions of other zones share the connection, whatever fails in one', async () => {
    const other = new pg.Client({ connectionString: server.url })
    await other.connect()
    const dayInUtc = async () =>
      (await other.query('select at::date::text as day from visits where id = 2')).rows
    try {
      await expect(rows('select at::date, 1 / (id - 2) from visits')).rejects.toMatchObject({
        code: '22012',
      })
      expect(await dayInUtc()).toEqual([{ day: '2024-03-30' }])
      await client.query('begin')
      await rows("insert into written values (1, now(), '2024-03-31')")
      await rows('select at::date from visits')
      await client.query('rollback')
      expect(await dayInUtc()).toEqual([{ day: '2024-03-30' }])
      expect(await rows('select at::date::text from visits where id = 2')).toEqual([['2024-03-31']])
    } finally {
      await other.end()
    }
  })
})
