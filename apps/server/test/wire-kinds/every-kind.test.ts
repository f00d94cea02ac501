/** The wire protocol on each kind of database: the same shop, the same answers. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, createEngine, type Engine } from '@engine/core'
import { createCsvFixture } from '@engine/fixtures'
import { createPgWireServer } from '@engine/pgwire'
import { mysqlVendors } from '@engine/test-databases'
import {
  describeLibsql,
  describeMysql,
  describePostgres,
  mysqlOfRun,
} from '@engine/test-databases/vitest'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adapters } from '../support/gateway.ts'
import { createLibsqlShop } from '../support/libsql-shop.ts'
import { createMysqlShop, createPostgresShop, createSqliteShop } from '../support/shop.ts'
import { codeOf, connectWire, rowsOf, type WireClient } from '../support/wire.ts'

/** The shop in a database, as the configuration names it. */
interface Shop {
  readonly connection: NonNullable<Config['connections']>[string]
  remove(): Promise<void> | void
}

/** Features that a kind of database lacks, or refuses. */
interface Kind {
  readonly name: string
  readonly describe: (name: string, tests: () => void) => void
  readonly open: () => Promise<Shop>
  readonly hasForeignKeys: boolean
  /** SQLSTATE of a division by zero. */
  readonly division: string
}

async function csvShop(): Promise<Shop> {
  const directory = mkdtempSync(join(tmpdir(), 'engine-wire-csv-'))
  const { tables } = createCsvFixture(directory)
  return {
    connection: { directory, tables, writable: true },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

const usual = { hasForeignKeys: true, division: '22012' } as const

const kinds: readonly Kind[] = [
  {
    ...usual,
    name: 'PostgreSQL',
    describe: describePostgres,
    open: async () => ({
      connection: { url: await createPostgresShop('wire_kinds'), schema: 'main' },
      remove: () => undefined,
    }),
  },
  ...(['mariadb', 'mysql'] as const).map((vendor) => ({
    ...usual,
    name: mysqlVendors[vendor].name,
    describe: (name: string, tests: () => void) => describeMysql(vendor, name, tests),
    open: async () => {
      const { url, close } = await createMysqlShop(mysqlOfRun(vendor), 'wire_kinds')
      return { connection: url, remove: close }
    },
  })),
  {
    ...usual,
    name: 'SQLite',
    describe,
    open: async () => {
      const { path, remove } = createSqliteShop()
      return { connection: path, remove }
    },
  },
  {
    ...usual,
    name: 'libSQL',
    describe: describeLibsql,
    open: async () => {
      const { url, stop } = await createLibsqlShop()
      return { connection: url, remove: stop }
    },
    // Without functions of ours it can raise only one arithmetic error.
    division: '22003',
  },
  { ...usual, name: 'CSV', describe, open: csvShop, hasForeignKeys: false },
]

/** The fields that applications branch on. */
function placeOf(error: unknown) {
  const { code, schema, table, column, constraint } = error as pg.DatabaseError
  return { code, schema, table, column, constraint }
}

for (const { name: kind, describe: describeKind, open, hasForeignKeys, division } of kinds) {
  describeKind(`the wire protocol in front of ${kind}`, () => {
    let shop: Shop
    let engine: Engine
    let client: WireClient
    let address: string

    beforeAll(async () => {
      shop = await open()
      engine = await createEngine(
        { connections: { main: shop.connection }, pgWire: { port: 0 } },
        { adapters, pgWire: createPgWireServer },
      )
      address = (await engine.startPgWire()).address
      client = await connectWire({ address })
    })
    afterAll(async () => {
      await client?.end()
      await engine?.close()
      await shop?.remove()
    })

    test('has channels over PostgreSQL alone', async () => {
      for (const [verb, sql] of [
        ['LISTEN', 'listen changes'],
        ['NOTIFY', "notify changes, 'x'"],
        ['NOTIFY', "select pg_notify('changes', 'x')"],
      ]) {
        const refusal = `${verb} is not supported: the connection "main" has no channels, only PostgreSQL has them`
        const outcome = client.query(sql ?? '').then(
          () => 'done',
          (error: pg.DatabaseError) => `${error.code} ${error.message}`,
        )
        expect(await outcome).toBe(kind === 'PostgreSQL' ? 'done' : `0A000 ${refusal}`)
      }
      await client.query('unlisten *')
    })

    test('waits without the database', async () => {
      expect(await rowsOf(client, 'select pg_sleep($1)', [0.01])).toEqual([['']])
      const failure = client.query("select nextval('s')").then(() => 'none', codeOf)
      expect(await failure).toBe('42P01')
      for (const call of ["currval('s')", 'lastval()', "setval('s', 1)"]) {
        const code = await client.query(`select ${call}`).then(() => 'none', codeOf)
        expect(code).toMatch(/^(42P01|0A000|55000)$/)
      }
    })

    test('gives values as PostgreSQL types', async () => {
      const { rows, fields } = await client.query(
        'select id, name, unit_price, discontinued from products order by id limit 1',
      )
      expect(fields.map(({ dataTypeID }) => dataTypeID).slice(-2)).toEqual([1700, 16])
      expect(rows[0]).toMatchObject({ id: 1, discontinued: false })
      expect(rows[0]?.unit_price).toMatch(/^\d+\.\d\d$/)
    })

    test('runs prepared statements with parameters, again and again', async () => {
      for (const id of [1, 2, 3]) {
        const text = 'select id from main.orders where id = $1 and order_date is not null'
        const { rows } = await client.query({ name: 'by-id', text, values: [id] })
        expect(rows.map((row) => row.id)).toEqual(rows.length === 0 ? [] : [id])
      }
    })

    test('gives binary values to whom asks for them', async () => {
      const query = { text: 'select id from tags where id = $1', values: [2], binary: true }
      const { rows } = await client.query(query as pg.QueryConfig)
      expect(rows).toEqual([{ id: 2 }])
    })

    test('commits, and rolls back to a savepoint', async () => {
      const names = () => rowsOf(client, 'select name from tags where id in (901, 902) order by id')
      await client.query('begin')
      await client.query("insert into tags (id, name) values (901, 'first')")
      await client.query('savepoint here')
      await client.query("insert into tags (id, name) values (902, 'second')")
      expect(await names()).toEqual([['first'], ['second']])
      expect(
        await client.query("insert into tags (id, name) values (901, 'again')").catch(codeOf),
      ).toBe('23505')
      expect(await client.query('select 1').catch(codeOf)).toBe('25P02')
      await client.query('rollback to savepoint here')
      await client.query('commit')
      expect(await names()).toEqual([['first']])
      const other = await connectWire({ address })
      expect(await rowsOf(other, 'delete from tags where id = 901 returning name')).toEqual([
        ['first'],
      ])
      await other.end()
    })

    test('stores as many rows at once as the protocol has parameters for', async () => {
      const count = 65_534 / 2
      const rows = Array.from({ length: count }, (_, i) => `($${2 * i + 1}, $${2 * i + 2})`)
      const values = rows.flatMap((_, i) => [10_000 + i, `tag ${i}`])
      const text = `insert into tags (id, name) values ${rows.join(', ')}`
      expect((await client.query({ text, values })).rowCount).toBe(count)
      const stored = 'select count(*), min(name), max(id) from tags where id >= 10000'
      expect(await rowsOf(client, stored)).toEqual([[String(count), 'tag 0', 9_999 + count]])
      expect((await client.query('delete from tags where id >= 10000')).rowCount).toBe(count)
    })

    test('reads in pieces through a cursor', async () => {
      await client.query('begin')
      await client.query('declare c no scroll cursor for select id from orders order by id')
      expect(await rowsOf(client, 'fetch 2 from c')).toHaveLength(2)
      expect((await client.query('move 3 from c')).command).toBe('MOVE')
      const [[sixth]] = (await rowsOf(client, 'fetch next from c')) as [[number]]
      const [[expected]] = (await rowsOf(
        client,
        'select id from orders order by id limit 1 offset 5',
      )) as [[number]]
      expect(sixth).toBe(expected)
      await client.query('rollback')
    })

    test('shows its tables in the catalogs', async () => {
      const columns = await rowsOf(
        client,
        `select column_name from information_schema.columns
         where table_schema = 'main' and table_name = 'tags' order by ordinal_position`,
      )
      expect(columns).toEqual([['id'], ['name']])
      const keys = await rowsOf(
        client,
        `select conrelid::regclass::text from pg_constraint
         where contype = 'p' and conrelid = 'main.tags'::regclass`,
      )
      expect(keys).toEqual([['tags']])
    })

    test('says what is wrong in PostgreSQL’s codes', async () => {
      expect(await client.query('select nope from tags').catch(codeOf)).toBe('42703')
      expect(await client.query('select 1 from nope').catch(codeOf)).toBe('42P01')
      expect(await client.query('select 1 / (id - id) from tags').catch(codeOf)).toBe(division)
      expect(await client.query('drop table tags').catch(codeOf)).toBe('0A000')
      if (!hasForeignKeys) return
      const orphan = 'update orders set customer_id = 99999 where id = 1'
      expect(await client.query(orphan).catch(codeOf)).toBe('23503')
    })

    test('names what was violated', async () => {
      const violated = (sql: string) => client.query(sql).catch(placeOf)
      const tags = { schema: 'main', table: 'tags' }
      expect(await violated("insert into tags (id, name) values (1, 'again')")).toEqual({
        code: '23505',
        ...tags,
        column: undefined,
        constraint: 'tags_pkey',
      })
      // CSV has no other constraints than keys.
      if (!hasForeignKeys) return
      expect(await violated('update tags set name = null where id = 1')).toEqual({
        code: '23502',
        ...tags,
        column: 'name',
        constraint: undefined,
      })
      expect(await violated('update tags set name = (select name from tags where id = 1)')).toEqual(
        {
          code: '23505',
          ...tags,
          column: undefined,
          constraint: 'tags_name_key',
        },
      )
      expect(await violated('update orders set customer_id = 99999 where id = 1')).toMatchObject({
        code: '23503',
        schema: 'main',
        table: 'orders',
        constraint: 'orders_customer_id_fkey',
      })
    })
  })
}
