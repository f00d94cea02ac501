/** MERGE through the other doors: Kysely on the wire, EXPLAIN, batches, simulations, actions; and on other databases. */
import { anonymous, createEngine, type Engine, GatewayError } from '@engine/core'
import { createPgWireServer } from '@engine/pgwire'
import { describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mysqlOpener, openPostgres, openSqlite, type TestDatabase } from '../support/databases.ts'
import { adapters, openGateway, type TestGateway } from '../support/gateway.ts'
import { codeOf, connectWire, rowsOf, type WireClient } from '../support/wire.ts'

const tables = `
  create table stock (code varchar(20) primary key, quantity integer not null, note varchar(20));
  create table delivery (code varchar(20) not null, quantity integer not null);
`
const rows = `
  delete from stock; delete from delivery;
  insert into stock values ('a', 1, null), ('b', 2, null), ('c', 3, null);
  insert into delivery values ('a', 10), ('b', 0), ('d', 40);
`

const merge = `merge into main.stock t using main.delivery s on t.code = s.code
  when matched and s.quantity = 0 then delete
  when matched then update set quantity = t.quantity + s.quantity
  when not matched then insert (code, quantity) values (s.code, s.quantity)`

interface Tables {
  'main.stock': { code: string; quantity: number; note: string | null }
  'main.delivery': { code: string; quantity: number }
}

describePostgres('MERGE on PostgreSQL', () => {
  let database: TestDatabase
  let gateway: TestGateway
  let client: WireClient
  let db: Kysely<Tables>
  beforeAll(async () => {
    database = await openPostgres(tables)
    gateway = await openGateway(
      { connections: { main: database.url }, pgWire: { port: 0 }, open: true },
      { pgWire: createPgWireServer },
    )
    const { address } = await gateway.engine.startPgWire()
    client = await connectWire({ address })
    const { hostname: host, port } = new URL(`postgres://${address}`)
    const pool = new pg.Pool({ host, port: Number(port), user: 'anyone', database: 'shop' })
    db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  })
  beforeEach(() => database.run(rows))
  afterAll(async () => {
    await db?.destroy()
    await client?.end()
    await gateway?.close()
    await database?.remove()
  })
  const stock = () => database.rows('select code, quantity from stock order by code')
  const merged = [
    { code: 'a', quantity: 11 },
    { code: 'c', quantity: 3 },
    { code: 'd', quantity: 40 },
  ]

  test("Kysely's mergeInto over the wire", async () => {
    const result = await db
      .mergeInto('main.stock as t')
      .using('main.delivery as s', 's.code', 't.code')
      .whenMatchedAnd('s.quantity', '=', 0)
      .thenDelete()
      .whenMatched()
      .thenUpdateSet((eb) => ({ quantity: eb('t.quantity', '+', eb.ref('s.quantity')) }))
      .whenNotMatched()
      .thenInsertValues((eb) => ({ code: eb.ref('s.code'), quantity: eb.ref('s.quantity') }))
      .executeTakeFirstOrThrow()
    expect(result.numChangedRows).toBe(3n)
    expect(await stock()).toEqual(merged)
  })

  test('Kysely merges values, in a transaction', async () => {
    await db.transaction().execute(async (trx) => {
      const { numChangedRows } = await trx
        .mergeInto('main.stock as t')
        .using(
          sql<Tables['main.delivery']>`(values (${'c'}, ${7}::int), ('z', 9))`.as<'s'>(
            sql`s(code, quantity)`,
          ),
          (join) => join.onRef('t.code', '=', 's.code'),
        )
        .whenMatched()
        .thenUpdateSet({ note: 'merged' })
        .whenNotMatched()
        .thenInsertValues((eb) => ({
          code: eb.ref('s.code'),
          quantity: eb.ref('s.quantity'),
          note: eb.val('new'),
        }))
        .executeTakeFirstOrThrow()
      expect(numChangedRows).toBe(2n)
    })
    const noted = 'select code, quantity, note from stock where note is not null order by code'
    expect(await database.rows(noted)).toEqual([
      { code: 'c', quantity: 3, note: 'merged' },
      { code: 'z', quantity: 9, note: 'new' },
    ])
  })

  test('PREPARE and EXECUTE', async () => {
    await client.query(
      'prepare m as merge into main.stock t using (select $1 as code) s on t.code = s.code when matched then update set quantity = $2',
    )
    const { command, rowCount } = await client.query("execute m('a', 70)")
    expect([command, rowCount]).toEqual(['MERGE', 1])
    expect(await stock()).toContainEqual({ code: 'a', quantity: 70 })
  })

  test('EXPLAIN shows the plan; with ANALYZE it merges', async () => {
    expect((await rowsOf(client, `explain ${merge}`)).length).toBeGreaterThan(1)
    expect(await stock()).toHaveLength(3)
    await client.query(`explain analyze ${merge}`)
    expect(await stock()).toEqual(merged)
  })

  test('the catalogs take no MERGE', async () => {
    const refused = client.query(
      'merge into pg_catalog.pg_class t using main.delivery s on false when matched then delete',
    )
    expect(codeOf(await refused.catch((error: unknown) => error))).toBe('42501')
  })

  test('in a batch, all or nothing', async () => {
    const batch = (...statements: readonly string[]) => {
      const list = statements.map((each) => ({ sql: each, params: [], method: 'run' }))
      const request = new Request('http://gateway.test/data/batch', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ statements: list }),
      })
      return gateway.fetch(request)
    }
    const failed = await batch(merge, "insert into main.stock values ('d', 1)")
    expect(failed.status).toBe(409)
    expect(await stock()).toHaveLength(3)
    expect((await batch("insert into main.delivery values ('e', 5)", merge)).status).toBe(200)
    expect(await stock()).toEqual([...merged, { code: 'e', quantity: 5 }])
  })
})

/** Databases without it. */
function refusals(open: (setUp?: string) => Promise<TestDatabase>): void {
  let database: TestDatabase
  let engine: Engine
  beforeAll(async () => {
    database = await open(tables + rows)
    engine = await createEngine({ connections: { main: database.url }, open: true }, { adapters })
  })
  afterAll(async () => {
    await engine?.close()
    await database?.remove()
  })

  test('it is refused, with the alternative', async () => {
    const request = {
      sql: merge,
      params: [],
      method: 'run',
      meta: false,
      signal: undefined,
    } as const
    const refused = await engine.query(request, anonymous).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(GatewayError)
    expect(refused).toMatchObject({ sqlState: '0A000', status: 400 })
    expect(String(refused)).toMatch(/MERGE is not supported on \w+: use INSERT … ON CONFLICT/)
    expect(await database.rows('select code from stock')).toHaveLength(3)
  })
}

describe('MERGE on SQLite', () => refusals(openSqlite))
describeEachMysql('MERGE', (server) => refusals(mysqlOpener(server)))
