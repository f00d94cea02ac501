/** Numbers of types over the wire protocol: drivers keep them while a migration adds types, and expect them on every node. */
import { type Config, createEngine, type Engine } from '@engine/core'
import { createPgWireServer } from '@engine/pgwire'
import { describePostgres } from '@engine/test-databases/vitest'
import { type EnumSession, enumClients, enumTables, type WireTarget } from '@engine/wire-clients'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres, type TestDatabase } from '../support/databases.ts'
import { adapters } from '../support/gateway.ts'
import { withWire } from '../support/wire.ts'

const migration = `
create type level as enum ('low', 'high');
create type pair as (m mood, n int);
create table t0 (id int primary key, l level, ls level[]);
insert into t0 values (1, 'high', '{low}');`

type Permissions = NonNullable<Config['permissions']>

const everything = { select: {}, insert: {}, update: {}, delete: {} }

describePostgres('numbers of types', () => {
  let database: TestDatabase
  let engine: Engine
  let address: string
  const opened: Engine[] = []

  const start = async (
    permissions: Permissions | undefined,
  ): Promise<{ engine: Engine; address: string }> => {
    const rights = permissions === undefined ? { open: true } : { permissions }
    const started = await createEngine(
      { connections: { main: { url: database.url } }, ...rights, pgWire: { port: 0 } },
      { adapters, pgWire: createPgWireServer },
    )
    opened.push(started)
    return { engine: started, address: (await started.startPgWire()).address }
  }
  const all = {
    t1: { table: 'main.t1', roles: ['anonymous'], ...everything },
    t0: { table: 'main.t0', roles: ['anonymous'], ...everything },
  }

  beforeAll(async () => {
    database = await openPostgres(enumTables)
    ;({ engine, address } = await start({ t1: all.t1 }))
  })
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()))
    await database?.remove()
  })

  describe('a session that is open while a type is added before another one', () => {
    const sessions = new Map<string, EnumSession>()
    const before = new Map<string, object>()
    const target = (): WireTarget => {
      const { hostname, port } = new URL(`postgres://${address}`)
      const words = { user: 'anyone', password: 'none', database: 'shop' }
      return { host: hostname, port: Number(port), ...words, server: 'engine', kind: 'postgres' }
    }
    const present = enumClients.filter(({ missing }) => missing() === undefined)

    beforeAll(async () => {
      for (const [i, { name, open }] of present.entries()) {
        const session = await open(target())
        sessions.set(name, session)
        before.set(name, await session.ask(100 + i))
      }
      await database.run(migration)
      await engine.refreshCatalog()
    }, 120_000)
    afterAll(async () => {
      await Promise.all([...sessions.values()].map((session) => session.end()))
    })

    test.each(present.map(({ name }, i) => ({ name, i })))('of $name', async ({ name, i }) => {
      expect(before.get(name)).toMatchObject({ mood: 'ok', found: [1] })
      expect(await sessions.get(name)?.ask(200 + i)).toEqual(before.get(name))
    })

    test('a session that is open while a type is added before another one needs the drivers', () => {
      expect(present.length).toBeGreaterThanOrEqual(process.env['CI'] === 'true' ? 5 : 2)
    })
  })

  test('callers who may know everything find types that no column has, also those that were added a moment ago', async () => {
    const { address: open } = await start(undefined)
    const sql = `select oid::int, typarray::int from pg_type where typname = 'pair'`
    const own = await database.rows(sql)
    await withWire({ address: open }, async (client) => {
      const [field] = (await client.query(`select '(ok,1)'::pair`)).fields
      expect(own).toEqual([{ oid: field?.dataTypeID, typarray: expect.any(Number) }])
      expect((await client.query(sql)).rows).toEqual(own)
      await database.run(`create type fresh as enum ('x')`)
      const [fresh] = (await client.query('select $1::fresh as f', ['x'])).fields
      expect([{ oid: fresh?.dataTypeID }]).toEqual(
        await database.rows(`select oid::int from pg_type where typname = 'fresh'`),
      )
    })
  }, 120_000)

  test('they are those of the database: after a restart, on another node, and for callers who see less', async () => {
    const sql = `select typname, oid::text, typarray::text from pg_type where typname in ('mood', 'level', 'pair') order by 1`
    const tables = `select relname, oid::text from pg_class where relname in ('t1', 't0') order by 1`
    const rowsOf = async (query: string) =>
      (await database.rows(query)) as readonly Record<string, string>[]
    const own = (await rowsOf(sql)).filter(({ typname }) => typname !== 'pair')
    const described = `select m, ms from t1 limit 1`
    const numbersAt = (at: string) =>
      withWire({ address: at }, async (client) => ({
        types: (await client.query(sql)).rows,
        tables: (await client.query(tables)).rows,
        described: (await client.query(described)).fields.map(({ dataTypeID, tableID }) => [
          dataTypeID,
          tableID,
        ]),
      }))
    const [level, mood] = own
    const [, t1] = await rowsOf(tables)
    expect(level).toBeDefined()
    const whole = await start(all)
    expect(await numbersAt(whole.address)).toEqual({
      types: own,
      tables: await database.rows(tables),
      described: [
        [Number(mood?.['oid']), Number(t1?.['oid'])],
        [Number(mood?.['typarray']), Number(t1?.['oid'])],
      ],
    })
    await whole.engine.close()
    const again = await start(all)
    const narrow = await start({
      t1: { table: 'main.t1', roles: ['anonymous'], select: { columns: ['m', 'ms'] } },
    })
    expect((await numbersAt(again.address)).types).toEqual(own)
    expect((await numbersAt(narrow.address)).types).toEqual([mood])
    expect((await numbersAt(narrow.address)).described).toEqual(
      (await numbersAt(again.address)).described,
    )
  }, 120_000)
})
