/** A connection with several schemas, over the wire protocol. */
import { createEngine, type Engine } from '@engine/core'
import { createPgWireServer } from '@engine/pgwire'
import { describePostgres } from '@engine/test-databases/vitest'
import { runPsql } from '@engine/wire-clients'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgres, type TestDatabase } from '../support/databases.ts'
import { adapters } from '../support/gateway.ts'
import { connectWire, rowsOf, type WireClient } from '../support/wire.ts'
import { setUp } from './two-schemas.ts'

describePostgres('a connection with several schemas on the wire', () => {
  let database: TestDatabase
  let engine: Engine
  let client: WireClient
  let address: string

  beforeAll(async () => {
    database = await openPostgres(setUp)
    const main = { url: database.url, schemas: ['public', 'auth'] }
    engine = await createEngine(
      { connections: { main }, pgWire: { port: 0 } },
      { adapters, pgWire: createPgWireServer },
    )
    address = (await engine.startPgWire()).address
    client = await connectWire({ address })
  })
  afterAll(async () => {
    await client?.end()
    await engine?.close()
    await database?.remove()
  })

  const psql = async (script: string) => {
    const { hostname, port } = new URL(`postgres://${address}`)
    const place = {
      host: hostname,
      port: Number(port),
      database: 'shop',
      kind: 'postgres',
    } as const
    const login = { user: 'ada', password: 'none', server: 'engine' } as const
    return runPsql({ ...place, ...login }, { script })
  }

  test('statements, with types of the same name', async () => {
    const { rows, fields } = await client.query(
      'select o.mood, u.mood as feeling from orders o join auth.users u on u.id = o.owner_id where o.id = 10',
    )
    expect(rows).toEqual([{ mood: 'good', feeling: 'calm' }])
    const names = await Promise.all(
      fields.map(({ dataTypeID }) =>
        rowsOf(client, 'select typname, enum_range(null::main.mood) from pg_type where oid = $1', [
          dataTypeID,
        ]),
      ),
    )
    expect(names.map(([row]) => row?.[0])).toEqual(['mood', 'auth.mood'])
    const written = await client.query(
      "insert into auth.users (id, name, tenant, mood) values (5, 'Eve', 'acme', $1) returning auth.users.mood",
      ['wild'],
    )
    expect(written.rows).toEqual([{ mood: 'wild' }])
    await client.query('delete from main.auth.users where id = 5')
  })

  test('catalogs and psql', async () => {
    expect((await psql('\\dt')).stdout).toBe(
      ['auth.sessions', 'auth.users', 'notes.of', 'orders', 'users']
        .map((name) => `main|${name}|table|pg_engine\n`)
        .join(''),
    )
    const described = await psql('\\d "auth.users"')
    expect(described.stderr).toBe('')
    expect(described.stdout).toContain('mood|"auth.mood"|')
    expect(
      await rowsOf(
        client,
        "select conrelid::regclass::text, confrelid::regclass::text from pg_constraint where contype = 'f' order by 1, 2",
      ),
    ).toEqual([
      ['"auth.sessions"', '"auth.users"'],
      ['orders', '"auth.users"'],
      ['orders', 'users'],
    ])
    for (const table of ['auth.users', 'main.auth.users', '"auth.users"', 'main."auth.users"']) {
      expect(await psql(`copy ${table} (id, mood) to stdout;`)).toMatchObject({
        stdout: '1\tcalm\n2\twild\n',
      })
      expect(
        await psql(
          `begin; copy ${table} (id, name, tenant, mood) from stdin;\n7\tEve\tacme\twild\n\\.\nrollback;`,
        ),
      ).toMatchObject({ stdout: 'BEGIN\nCOPY 1\nROLLBACK\n', stderr: '' })
    }
  })
})
