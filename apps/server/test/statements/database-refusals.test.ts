/** @module How an error of a database is reported: to callers, in the log, in the audit. */
import { type AuditEvent, defineAction, type Log } from '@engine/core'
import { createPgWireServer } from '@engine/pgwire'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeDatabases, openSqlite, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { masterKey } from '../support/permission-world.ts'
import { bearer, secret } from '../support/tokens.ts'
import { connectWire, type WireClient } from '../support/wire.ts'

const tables = `
create table owners (id integer primary key, name text not null);
create table stock (
  id integer primary key,
  sku text not null unique,
  amount integer not null default 1,
  owner_id integer references owners (id),
  secret text,
  constraint stock_amount_positive check (amount > 0)
);
create table vault (id integer primary key, sku text not null, secret text unique);
insert into owners (id, name) values (1, 'Ada');
insert into stock (id, sku, owner_id, secret) values (1, 'a', 1, 'CANARY-1');
insert into vault (id, sku, secret) values (1, 'a', 'CANARY-2'), (2, 'b', 'CANARY-3');
`

const visible = ['id', 'sku', 'amount', 'owner_id']
const permissions = {
  owners: { table: 'main.owners', roles: ['whole'], select: {} },
  all: { table: 'main.stock', roles: ['whole'], select: {}, insert: {}, update: {}, delete: {} },
  vaults: { table: 'main.vault', roles: ['part', 'whole'], select: { columns: ['id', 'sku'] } },
  some: {
    table: 'main.stock',
    roles: ['part'],
    select: { columns: visible },
    insert: { columns: visible },
    update: { columns: visible },
  },
  // The same name on another connection, where everything is visible.
  other: { table: 'another.stock', roles: ['part'], select: {} },
}

const restock = defineAction({
  roles: ['whole', 'part'],
  input: z.object({ id: z.number() }),
  run: async ({ db }, { id }) => {
    await db.insertInto('main.stock').values({ id, sku: 'new', secret: 'CANARY-4' }).execute()
  },
})

interface Line {
  readonly level: string
  readonly facts: Readonly<Record<string, unknown>>
}

describeDatabases('a refusal by the database', (open, kind) => {
  let database: TestDatabase
  let another: TestDatabase
  let development: TestGateway
  let production: TestGateway
  let events: AuditEvent[]
  let lines: Line[]
  let anonymous: TestGateway
  let wire: WireClient

  const log = (level: string) => (facts: object) => void lines.push({ level, facts: { ...facts } })
  const collecting: Log = {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
  }

  beforeEach(() => {
    lines = []
    events = []
  })
  beforeAll(async () => {
    lines = []
    database = await open(tables)
    another = await openSqlite('create table stock (id integer primary key, sku text, secret text)')
    const openOne = (isDevelopment: boolean) =>
      openGateway(
        {
          connections: { another: another.url, main: database.url },
          auth: { secret },
          masterKey,
          permissions,
          actions: { restock },
        },
        {
          isDevelopment,
          log: collecting,
          audit: {
            record: (event) => void events.push(event),
            flush: async () => undefined,
            close: async () => undefined,
          },
        },
      )
    development = await openOne(true)
    production = await openOne(false)
    anonymous = await openGateway(
      {
        connections: { another: another.url, main: database.url },
        permissions: {
          some: { ...permissions.some, roles: ['anonymous'] },
          other: { ...permissions.other, roles: ['anonymous'] },
        },
        pgWire: { port: 0 },
      },
      { isDevelopment: false, log: collecting, pgWire: createPgWireServer },
    )
    wire = await connectWire(await anonymous.engine.startPgWire())
  })
  afterAll(async () => {
    await wire?.end()
    await development?.close()
    await production?.close()
    await anonymous?.close()
    await database?.remove()
    await another?.remove()
  })

  const ask = async (gateway: TestGateway, role: string, sql: string) => {
    const { status, body } = await gateway.data(
      { sql, params: [], method: 'all' },
      role === 'admin' ? { authorization: `Bearer ${masterKey}` } : await bearer({ roles: [role] }),
    )
    return { status, body: body as Readonly<Record<string, unknown>> }
  }
  const detailsOf = async (role: string, sql: string) => {
    const { status, body } = await ask(development, role, sql)
    const { database: said, ...names } = body['details'] as Readonly<Record<string, unknown>>
    return { status, names, said }
  }
  const codes = {
    postgres: { unique: '23505', notNull: '23502', check: '23514', foreignKey: '23503' },
    mysql: {
      unique: '1062',
      notNull: '1048',
      check: expect.stringMatching(/^(4025|3819)$/),
      foreignKey: '1452',
    },
    sqlite: {
      unique: 'SQLITE_CONSTRAINT_UNIQUE',
      notNull: 'SQLITE_CONSTRAINT_NOTNULL',
      check: 'SQLITE_CONSTRAINT_CHECK',
      foreignKey: 'SQLITE_CONSTRAINT_FOREIGNKEY',
    },
  }[kind]

  const duplicate = "insert into main.stock (id, sku) values (2, 'a')"
  const refusals: readonly (readonly [
    name: keyof typeof codes,
    status: number,
    sql: string,
    names: Readonly<Record<string, string>>,
  ])[] = [
    ['unique', 409, duplicate, { table: 'main.stock', constraint: 'stock_sku_key' }],
    [
      'notNull',
      422,
      'update main.stock set sku = null where id = 1',
      { table: 'main.stock', column: 'sku' },
    ],
    [
      'check',
      422,
      'update main.stock set amount = 0 where id = 1',
      { table: 'main.stock', constraint: 'stock_amount_positive' },
    ],
    [
      'foreignKey',
      409,
      'update main.stock set owner_id = 9 where id = 1',
      { table: 'main.stock', constraint: 'stock_owner_id_fkey' },
    ],
  ]

  describe('names table, column and constraint to developers who may see them', () => {
    test.each(refusals)('%s', async (name, status, sql, names) => {
      expect(await detailsOf('whole', sql)).toEqual({ status, names, said: { code: codes[name] } })
      const asAdmin = await detailsOf('admin', sql)
      expect(asAdmin).toMatchObject({ status, names, said: { code: codes[name] } })
      expect(asAdmin.said).toHaveProperty('text')
    })

    test('not where a column of the constraint is hidden', async () => {
      // PostgreSQL knows the columns of checks; elsewhere any column is possible.
      const isKnown = kind === 'postgres'
      const [unique, notNull, check, foreignKey] = await Promise.all(
        refusals.map(([, , sql]) => detailsOf('part', sql)),
      )
      expect(unique?.names).toEqual({ table: 'main.stock', constraint: 'stock_sku_key' })
      expect(notNull?.names).toEqual({ table: 'main.stock', column: 'sku' })
      expect(check?.names).toEqual(
        isKnown
          ? { table: 'main.stock', constraint: 'stock_amount_positive' }
          : { table: 'main.stock' },
      )
      expect(foreignKey?.names).toEqual({ table: 'main.stock' })
    })

    test('says which statement of a batch', async () => {
      const statements = ['select 1 from main.stock', duplicate].map((sql) => ({
        sql,
        params: [],
        method: 'all',
      }))
      const { body } = await development.post(
        '/data/batch',
        JSON.stringify({ statements }),
        await bearer({ roles: ['whole'] }),
      )
      expect(body).toMatchObject({
        details: {
          statement: 2,
          table: 'main.stock',
          constraint: 'stock_sku_key',
          database: { code: codes.unique },
        },
      })
    })

    test('also from within an action, as far as its caller may see', async () => {
      const call = async (role: string) => {
        const { body } = await development.post(
          '/actions/restock',
          JSON.stringify({ id: 1 }),
          await bearer({ roles: [role] }),
        )
        return body as Readonly<Record<string, unknown>>
      }
      for (const role of ['whole', 'part']) {
        const body = await call(role)
        expect(body).toMatchObject({
          error: 'CONFLICT',
          details: { table: 'main.stock', constraint: 'stock_pkey' },
        })
        expect(JSON.stringify(body)).not.toMatch(/CANARY|Duplicate|duplicate|UNIQUE constraint/)
      }
    })
  })

  test('a refusal by the database reveals no rows and names in production', async () => {
    for (const role of ['whole', 'part', 'admin']) {
      for (const [, status, sql] of refusals) {
        const answer = await ask(production, role, sql)
        expect(answer).toEqual({
          status,
          body: {
            error: status === 409 ? 'CONFLICT' : 'VALIDATION_ERROR',
            message: expect.not.stringMatching(/stock|sku|CANARY/),
            correlation_id: expect.any(String),
          },
        })
      }
    }
  })

  test.each(refusals)('%s is in the log and the audit', async (name, _status, sql) => {
    const { body } = await ask(production, 'whole', sql)
    const code = codes[name]
    const cause = { code, text: expect.stringMatching(/\w/) }
    const { correlation_id, error } = body
    expect(lines).toContainEqual({ level: 'info', facts: { correlation_id, error, cause } })
    expect(events.filter(({ correlationId }) => correlationId === correlation_id)).toMatchObject([
      { kind: 'query', error, databaseCode: code },
    ])
  })

  test('a refusal by the database is in the log of the wire protocol', async () => {
    await expect(wire.query(duplicate)).rejects.toThrow()
    const facts = {
      correlation_id: expect.any(String),
      error: 'CONFLICT',
      cause: { code: codes.unique, text: expect.stringMatching(/sku/) },
    }
    expect(lines).toContainEqual({ level: 'info', facts })
  })

  test('on the wire names the place of its own connection, as far as the caller may see', async () => {
    const failure = async (sql: string) => {
      const error = await wire.query(sql).catch((thrown: pg.DatabaseError) => thrown)
      const { code, schema, table, column, constraint, message } = error as pg.DatabaseError
      return { code, schema, table, column, constraint, message }
    }
    expect(await failure(duplicate)).toEqual({
      code: '23505',
      schema: 'main',
      table: 'stock',
      column: undefined,
      constraint: 'stock_sku_key',
      message: 'duplicate key value violates unique constraint "stock_sku_key"',
    })
    // Every column of the stock of `another` is visible.
    expect(await failure('update main.stock set owner_id = 9 where id = 1')).toMatchObject({
      code: '23503',
      schema: 'main',
      constraint: undefined,
    })
  })
})
