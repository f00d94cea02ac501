/** Enums, sets, checks with a list of values, domains and comments in `GET /schema`. */
import type { ColumnDescription, SchemaDocument } from '@engine/contract'
import { startLibsql } from '@engine/test-databases'
import { describeEachMysql, describeLibsql, describePostgres } from '@engine/test-databases/vitest'
import { createClient } from '@libsql/client/web'
import { describe, expect, test, vi } from 'vitest'
import { mysqlOpener, openPostgres, openSqlite, type TestDatabase } from '../support/databases.ts'
import { openGateway } from '../support/gateway.ts'

/** A database that does not answer within 3 seconds is described as it was. */
const patience = { timeout: 20_000, interval: 100 }

async function schemaOf(url: string): Promise<SchemaDocument> {
  const gateway = await openGateway({ connections: { main: { url } }, schemaEndpoint: true })
  try {
    const answer = await gateway.fetch(new Request('http://gateway.test/schema'))
    return (await answer.json()) as SchemaDocument
  } finally {
    await gateway.close()
  }
}

async function tablesOf(database: TestDatabase) {
  try {
    return (await schemaOf(database.url)).connections['main']?.tables ?? {}
  } finally {
    await database.remove()
  }
}

/** What is listed of each column. */
function listed(columns: Readonly<Record<string, ColumnDescription>> = {}) {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { enum: values, set }]) => [name, set ?? values]),
  )
}

describePostgres('values and comments, on PostgreSQL', () => {
  test('enums, domains, arrays and checks', async () => {
    const database = await openPostgres(`
      create type mood as enum ('sad', 'so-so', 'it''s');
      create domain grade as text check (value in ('a', 'b')) check (length(value) = 1);
      create domain good_grade as grade not null;
      create domain cheerful as mood check (value <> 'sad');
      create domain year as integer check (value between 1901 and 2155);
      create domain step as smallint check (value = any (array[-1, 0, 1]));
      create table t (
        mood mood, moods mood[], cheerful cheerful, grade grade, good_grade good_grade, grades grade[],
        year year, step step,
        status varchar(9) check (status in ('new', 'paid')),
        flag char(1) check (flag = 'Y' or flag = 'N' or flag is null),
        padded char(3) check (padded in ('abc', 'x')),
        stars int check (stars in (1, 2, 3) and stars > 0),
        amount numeric check (amount in (1, 2)),
        tags text[] check (tags <@ array['x']),
        "Odd" text check ("Odd" in ('o')), odd text,
        free text check (free <> 'x')
      );
      alter table t add column late text, add constraint late check (late in ('l')) not valid;
      create view v as select mood, status from t;
      comment on table t is 'Things that are graded.';
      comment on column t.grade is 'From a, the best.';
    `)
    const { t, v } = await tablesOf(database)
    expect(listed(t?.columns)).toEqual({
      mood: ['sad', 'so-so', "it's"],
      moods: ['sad', 'so-so', "it's"],
      cheerful: ['sad', 'so-so', "it's"],
      grade: ['a', 'b'],
      good_grade: ['a', 'b'],
      grades: ['a', 'b'],
      year: undefined,
      step: [-1, 0, 1],
      status: ['new', 'paid'],
      flag: ['Y', 'N'],
      padded: undefined,
      stars: [1, 2, 3],
      amount: undefined,
      tags: undefined,
      Odd: ['o'],
      odd: undefined,
      free: undefined,
      late: undefined,
    })
    expect(t?.columns['year']).toEqual({
      type: 'integer',
      domain: 'year',
      nullable: true,
      hasDefault: false,
      primaryKey: false,
    })
    expect([t?.columns['grades']?.type, t?.columns['good_grade']?.nullable]).toEqual([
      'text[]',
      false,
    ])
    expect([t?.comment, t?.columns['grade']?.comment]).toEqual([
      'Things that are graded.',
      'From a, the best.',
    ])
    expect(t?.columns['status']).not.toHaveProperty('comment')
    expect(listed(v?.columns)).toEqual({ mood: ['sad', 'so-so', "it's"], status: undefined })
  })

  test('a change of a check or a domain is in the schema', async () => {
    const database = await openPostgres(`
      create domain grade as text check (value in ('a'));
      create table t (grade grade, status text constraint listed check (status in ('new')));
    `)
    const gateway = await openGateway({
      connections: { main: { url: database.url } },
      schemaEndpoint: true,
    })
    try {
      const now = async () => {
        const answer = await gateway.fetch(new Request('http://gateway.test/schema'))
        const { connections } = (await answer.json()) as SchemaDocument
        return listed(connections['main']?.tables['t']?.columns)
      }
      expect(await now()).toEqual({ grade: ['a'], status: ['new'] })
      await database.run(`
        alter table t drop constraint listed, add check (status in ('new', 'paid'));
        alter domain grade drop constraint grade_check;
        alter domain grade add check (value in ('a', 'b'));
      `)
      const changed = { grade: ['a', 'b'], status: ['new', 'paid'] }
      await vi.waitFor(async () => expect(await now()).toEqual(changed), patience)
    } finally {
      await gateway.close()
      await database.remove()
    }
  })
})

describeEachMysql('values and comments,', (server) => {
  const open = mysqlOpener(server)

  test('ENUM, SET and checks', async () => {
    const database = await open()
    // Without escapes MySQL cannot read a check that it has printed with them.
    await database.run(`
      set sql_mode = 'STRICT_ALL_TABLES';
      create table t (
        rating enum('G', 'PG-13', 'it''s', '', 'back\\\\slash') comment 'By the board.',
        features set('Trailers', 'Deleted Scenes') not null default '',
        status varchar(9) check (status in ('new', 'it''s', 'a\\\\b')),
        stars int check (stars in (1, 2, 3)),
        flag char(1) check (flag = 'Y' or flag = 'N'),
        Spelled varchar(9), free varchar(9) check (free <> 'x'),
        document json,
        check (spelled in ('s'))
      ) comment 'Things that are rated.'`)
    await database.run('create view v as select rating, features from t')
    const { t, v } = await tablesOf(database)
    expect(listed(t?.columns)).toEqual({
      rating: ['G', 'PG-13', "it's", '', 'back\\slash'],
      features: ['Trailers', 'Deleted Scenes'],
      status: ['new', "it's", 'a\\b'],
      stars: [1, 2, 3],
      flag: ['Y', 'N'],
      Spelled: ['s'],
      free: undefined,
      document: undefined,
    })
    expect([t?.comment, t?.columns['rating']?.comment]).toEqual([
      'Things that are rated.',
      'By the board.',
    ])
    expect(t?.columns['document']?.type).toBe('jsonb')
    expect(listed(v?.columns)).toEqual({
      rating: ['G', 'PG-13', "it's", '', 'back\\slash'],
      features: ['Trailers', 'Deleted Scenes'],
    })
  })

  test('a change of a check is in the schema', async () => {
    const database = await open(`create table t (status varchar(9))`)
    const gateway = await openGateway({
      connections: { main: { url: database.url } },
      schemaEndpoint: true,
    })
    try {
      const now = async () => {
        const answer = await gateway.fetch(new Request('http://gateway.test/schema'))
        const { connections } = (await answer.json()) as SchemaDocument
        return listed(connections['main']?.tables['t']?.columns)
      }
      expect(await now()).toEqual({ status: undefined })
      await database.run(`alter table t add check (status in ('new'))`)
      await vi.waitFor(async () => expect(await now()).toEqual({ status: ['new'] }), patience)
    } finally {
      await gateway.close()
      await database.remove()
    }
  })
})

const sqliteTable = `create table t (
  rating text check (rating in ('G', 'PG-13', 'it''s')),
  [star count] integer not null check([star count] in (1, 2, 3)),
  Status varchar(9), -- check (status in ('comment'))
  free text check (length(free) > 3),
  constraint known check (status in ('new') or status is null)
)`
const sqliteValues = {
  rating: ['G', 'PG-13', "it's"],
  'star count': [1, 2, 3],
  Status: ['new'],
  free: undefined,
}

describe('values, on SQLite', () => {
  test('checks of columns and of the table', async () => {
    const { t } = await tablesOf(await openSqlite(sqliteTable))
    expect(listed(t?.columns)).toEqual(sqliteValues)
    expect(t).not.toHaveProperty('comment')
  })
})

describeLibsql('values, on libSQL', () => {
  test('checks of columns and of the table', async () => {
    const server = await startLibsql()
    const client = createClient({ url: server.url })
    try {
      await client.execute(sqliteTable)
      const { connections } = await schemaOf(server.url)
      expect(listed(connections['main']?.tables['t']?.columns)).toEqual(sqliteValues)
    } finally {
      client.close()
      await server.stop()
    }
  })
})
