/** Generated types accept the values of `POST /data`, column by column, on every database. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SchemaDocument } from '@engine/contract'
import type { Config } from '@engine/core'
import { startLibsql } from '@engine/test-databases'
import { describeEachMysql, describeLibsql, describePostgres } from '@engine/test-databases/vitest'
import { createClient } from '@libsql/client/web'
import { sql } from 'drizzle-orm'
import type { AnyPgTable } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { mysqlOpener, openPostgres, openSqlite } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { generatedModule } from '../support/generated-module.ts'

interface World {
  readonly connection: Config['connections'][string]
  close(): Promise<void> | void
  /** Some of its columns cannot be written through the engine. */
  readonly isReadOnly?: boolean
}

/** The JavaScript type of a value that Drizzle decodes. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : 'Date'
  if (value instanceof Uint8Array) return 'bytes'
  if (Array.isArray(value)) return `[${[...new Set(value.map(kindOf))].join(' ')}]`
  return typeof value
}

/**
 * Tests on a table `wide` with the key `id`: rows 1 and 2 have values in all columns, row 3 has NULL in every nullable
 * column.
 *
 * @param decoded Drizzle's value of each column.
 */
function generatedTests(
  open: () => Promise<World>,
  decoded: Readonly<Record<string, string>>,
): void {
  let world: World
  let gateway: TestGateway
  let schema: SchemaDocument

  beforeAll(async () => {
    world = await open()
    gateway = await openGateway({
      connections: { main: world.connection },
      schemaEndpoint: true,
    })
    const answer = await gateway.fetch(new Request('http://gateway.test/schema'))
    schema = (await answer.json()) as SchemaDocument
  })
  afterAll(async () => {
    await gateway?.close()
    await world?.close()
  })

  const rowsOf = async (sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const { status, body } = await gateway.data({ sql, params: [], method: 'execute' })
    expect(status).toBe(200)
    return (body as { readonly rows: readonly Readonly<Record<string, unknown>>[] }).rows
  }

  test('zod takes every row, and nothing else', async () => {
    const generated = await generatedModule(schema, { format: 'zod' })
    const row = (generated['mainWideRow'] as z.ZodObject).strict()
    const rows = await rowsOf('select * from main.wide order by id')
    expect(rows).toHaveLength(3)
    for (const each of rows) expect(row.safeParse(each).error).toBeUndefined()

    const [first = {}, , last = {}] = rows
    expect(last['note']).toBeNull()
    const columns = schema.connections['main']?.tables['wide']?.columns ?? {}
    expect(Object.keys(first)).toEqual(Object.keys(columns))
    const isDocument = (name: string) => /^jsonb?$/.test(columns[name]?.type ?? '')
    for (const [name, column] of Object.entries(columns)) {
      const wrong = row.safeParse({ ...first, [name]: isDocument(name) ? undefined : { wrong: 1 } })
      expect(wrong.success, name).toBe(false)
      expect(row.safeParse({ ...first, [name]: null }).success, name).toBe(
        column.nullable || isDocument(name),
      )
      if (last[name] === null) expect(column.nullable, name).toBe(true)
    }
  })

  test('Drizzle decodes every column, and what it writes reads the same', async () => {
    const generated = await generatedModule(schema, { format: 'drizzle', connections: ['main'] })
    const wide = generated['wide'] as AnyPgTable
    const db = drizzle(async (sql, params, method) => {
      const body = JSON.stringify({ sql, params, method }, (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      )
      const answer = await gateway.post('/data', body)
      expect(answer.status === 200 ? 200 : answer.body).toBe(200)
      return answer.body as { rows: unknown[] }
    })
    const read = () => db.select().from(wide).orderBy(sql`1`)
    const [first = {}, second = {}] = await read()
    expect(kindsOf(first)).toEqual(decoded)
    expect(kindsOf(second)).toEqual(decoded)
    if (world.isReadOnly === true) return
    const copy = { ...second, id: 4 }
    await db.insert(wide).values(copy)
    expect((await read())[3]).toEqual(copy)
  })
}

function kindsOf(row: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, kindOf(value)]))
}

const postgresTable = `
create type mood as enum ('sad', 'happy');
create type json_like as enum ('{}');
create domain age as integer not null check (value >= 0);
create table wide (
  id integer primary key,
  b boolean not null,
  i2 smallint not null, i4 integer not null, i8 bigint not null,
  f4 real not null, f8 double precision not null,
  n numeric not null, price numeric(10,2) not null,
  t text not null, v varchar(20) not null, c char(4) not null, u uuid not null,
  d date not null, tm time not null, tmz time(3) with time zone not null,
  ts timestamp not null, tsz timestamp(3) with time zone not null, iv interval not null,
  by bytea not null, j json not null, jb jsonb not null,
  ip inet not null, net cidr not null, mac macaddr not null, pt point not null, ln line not null,
  m mood not null, years age, r int4range not null,
  i4s integer[] not null, ns numeric(6,2)[] not null, ts_list timestamptz[] not null, texts text[] not null,
  bys bytea[] not null, jbs jsonb[] not null, ms mood[] not null,
  note text
);
insert into wide
select id, true, -32768, 2147483647, 9223372036854775807, 1.5, 1e300, 123456789012345678901234567890.5, 12.30,
  'it''s', 'v', 'ab', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  '2024-02-29', '10:30:00.25', '10:30:00.5+02', '2024-01-15 10:30:00.123', '2024-01-15 10:30:00.5+00', '1 day 02:03:04',
  '\\xdeadbeef', '{"a": 1}', '{"a": [1, null]}',
  '10.0.0.1/8', '10.0.0.0/8', '08:00:2b:01:02:03', '(1.5,2)', '{1,2,3}',
  'happy', 5, '[1,5)',
  '{1,2}', '{1.50,2}', '{"2024-01-15 10:30:00+02"}', '{a,"b,c"}',
  array['\\x00ff'::bytea], array['{"a": 1}'::jsonb], '{sad,happy}',
  case when id = 3 then null else 'n' end
from generate_series(1, 3) id;
create table extremes (f4 real, f8 double precision, n numeric, ts timestamp, d date);
insert into extremes values
  ('NaN', 'Infinity', 'NaN', 'infinity', '-infinity'), ('-Infinity', 'NaN', 'Infinity', '0044-03-15 BC', '12024-01-01');
`

describePostgres('generated for PostgreSQL', () => {
  generatedTests(
    async () => {
      const { url, remove } = await openPostgres(postgresTable)
      return { connection: url, close: remove }
    },
    {
      id: 'number',
      b: 'boolean',
      i2: 'number',
      i4: 'number',
      i8: 'bigint',
      f4: 'number',
      f8: 'number',
      n: 'string',
      price: 'string',
      t: 'string',
      v: 'string',
      c: 'string',
      u: 'string',
      d: 'string',
      tm: 'string',
      tmz: 'string',
      ts: 'Date',
      tsz: 'Date',
      iv: 'string',
      by: 'bytes',
      j: 'object',
      jb: 'object',
      ip: 'string',
      net: 'string',
      mac: 'string',
      pt: '[number]',
      ln: '[number]',
      m: 'string',
      years: 'number',
      r: 'string',
      i4s: '[number]',
      ns: '[string]',
      tsList: '[Date]',
      texts: '[string]',
      bys: '[bytes]',
      jbs: '[object]',
      ms: '[string]',
      note: 'string',
    },
  )

  test('zod takes what numbers and times can be at their ends', async () => {
    const database = await openPostgres(postgresTable)
    const gateway = await openGateway({ connections: { main: database.url } })
    try {
      const { document } = await gateway.engine.describe()
      const generated = await generatedModule(document, { format: 'zod' })
      const row = generated['mainExtremesRow'] as z.ZodObject
      const sql = 'select * from main.extremes'
      const { body } = await gateway.data({ sql, params: [], method: 'execute' })
      const { rows } = body as { readonly rows: readonly unknown[] }
      expect(rows.map((each) => row.parse(each))).toEqual([
        { f4: Number.NaN, f8: Infinity, n: 'NaN', ts: 'infinity', d: '-infinity' },
        {
          f4: -Infinity,
          f8: Number.NaN,
          n: 'Infinity',
          ts: '0044-03-15 00:00:00 BC',
          d: '12024-01-01',
        },
      ])
    } finally {
      await gateway.close()
      await database.remove()
    }
  })
})

/** One statement a table, so that libSQL can take them one by one. */
const sqliteStatements = [
  `create table wide (
    id integer primary key,
    b boolean not null, i2 smallint not null, i4 int not null, i8 bigint not null, grown integer not null,
    f8 real not null, n numeric not null, price decimal(10,2) not null,
    t text not null, v varchar(20) not null, c char(4) not null, u uuid not null,
    d date not null, tm time not null, ts datetime not null, tsz timestamptz not null,
    by blob not null, jb json not null, anything, note text
  )`,
  ...[1, 2, 3].map(
    (id) => `insert into wide values (
      ${id}, 1, -32768, 2147483647, 9223372036854775807, 9007199254740993, 1.5, 12.5, 12.3,
      'it''s', 'v', 'ab', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      '2024-02-29', '10:30:00.25', '2024-01-15 10:30:00.123', '2024-01-15 10:30:00.5+00',
      x'deadbeef', '{"a": [1, null]}', ${id === 3 ? 'null, null' : "'x', 'n'"}
    )`,
  ),
]

const sqliteDecoded = {
  id: 'number',
  b: 'boolean',
  i2: 'number',
  i4: 'number',
  i8: 'bigint',
  grown: 'bigint',
  f8: 'number',
  n: 'string',
  price: 'string',
  t: 'string',
  v: 'string',
  c: 'string',
  u: 'string',
  d: 'string',
  tm: 'string',
  ts: 'Date',
  tsz: 'Date',
  by: 'bytes',
  jb: 'object',
  anything: 'string',
  note: 'string',
}

describe('generated for SQLite', () => {
  generatedTests(async () => {
    const { url, remove } = await openSqlite(sqliteStatements.join(';'))
    return { connection: url, close: remove }
  }, sqliteDecoded)
})

describeLibsql('generated for libSQL', () => {
  generatedTests(async () => {
    const server = await startLibsql()
    const client = createClient({ url: server.url })
    await client.batch(sqliteStatements, 'write')
    client.close()
    return { connection: server.url, close: server.stop, isReadOnly: true }
  }, sqliteDecoded)
})

describeEachMysql('generated for columns', (server) => {
  generatedTests(
    async () => {
      const { url, remove } = await mysqlOpener(server)(`
        create table wide (
          id int primary key,
          b boolean not null, bi bit(1) not null, i1 tinyint not null, i2 smallint not null, i4 int not null,
          u4 int unsigned not null, i8 bigint not null, u8 bigint unsigned not null, y year not null,
          f4 float not null, f8 double not null, price decimal(10,2) not null,
          t longtext not null, v varchar(20) not null, c char(4) not null, e enum('a','b') not null, s set('a','b') not null,
          u uuid not null, d date not null, tm TIME(3) not null, ts DATETIME(3) not null, tsz TIMESTAMP(3) not null,
          \`by\` blob not null, vb varbinary(8) not null, jb json not null, note text
        );
        insert into wide
        select id, 1, b'1', -128, -32768, 2147483647, 4294967295, 9223372036854775807, 18446744073709551615, 2024,
          1.5, 1e300, 12.3, 'it''s', 'v', 'ab', 'a', 'a,b', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
          '2024-02-29', '10:30:00.25', '2024-01-15 10:30:00.123', '2024-01-15 10:30:00.5',
          x'deadbeef', x'00ff', '{"a": [1, null]}', if(id = 3, null, 'n')
        from (select 1 as id union select 2 union select 3) ids;
      `)
      return { connection: url, close: remove }
    },
    {
      id: 'number',
      b: 'boolean',
      bi: 'boolean',
      i1: 'number',
      i2: 'number',
      i4: 'number',
      u4: 'bigint',
      i8: 'bigint',
      u8: 'string',
      y: 'number',
      f4: 'number',
      f8: 'number',
      price: 'string',
      t: 'string',
      v: 'string',
      c: 'string',
      e: 'string',
      s: 'string',
      u: 'string',
      d: 'string',
      tm: 'string',
      ts: 'Date',
      tsz: 'Date',
      by: 'bytes',
      vb: 'bytes',
      jb: 'object',
      note: 'string',
    },
  )
})

describe('generated for CSV files', () => {
  generatedTests(
    async () => {
      const directory = mkdtempSync(join(tmpdir(), 'engine-generated-'))
      const values =
        '10,9007199254740993,1.50,1e300,true,2024-02-29,2024-01-15 10:30:00,2024-01-15 10:30:00+00,it\'s,"{""a"": 1}"'
      const lines = [1, 2, 3].map((id) => `${id},${values},${id === 3 ? '' : 'n'}`)
      const header = 'id,i4,i8,n,f8,b,d,ts,tsz,t,j,note'
      writeFileSync(join(directory, 'wide.csv'), [header, ...lines, ''].join('\n'))
      return {
        connection: { directory, writable: true, tables: { wide: { key: 'id' } } },
        close: () => rmSync(directory, { recursive: true, force: true }),
      }
    },
    {
      id: 'number',
      i4: 'number',
      i8: 'bigint',
      n: 'string',
      f8: 'number',
      b: 'boolean',
      d: 'string',
      ts: 'Date',
      tsz: 'Date',
      t: 'string',
      j: 'object',
      note: 'string',
    },
  )
})
