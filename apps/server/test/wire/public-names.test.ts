/** `public` on the wire: the default connection, for statements, COPY, catalogs and psql. */
import { createEngine, type Engine } from '@engine/core'
import { createPgWireServer } from '@engine/pgwire'
import { runPsql } from '@engine/wire-clients'
import { describeClient } from '@engine/wire-clients/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite, type TestDatabase } from '../support/databases.ts'
import { adapters } from '../support/gateway.ts'
import { codeOf, connectWire, rowsOf, type WireClient } from '../support/wire.ts'

describeClient('psql', 'names with public on the wire', () => {
  let main: TestDatabase
  let other: TestDatabase
  let engine: Engine
  let client: WireClient
  let address: string

  beforeAll(async () => {
    main = await openSqlite(
      "create table users (id integer primary key, name text); insert into users values (1, 'Ada')",
    )
    other = await openSqlite('create table things (id integer primary key)')
    engine = await createEngine(
      {
        connections: { other: other.url, main: main.url },
        defaultConnection: 'main',
        pgWire: { port: 0 },
      },
      { adapters, pgWire: createPgWireServer },
    )
    address = (await engine.startPgWire()).address
    client = await connectWire({ address })
  })
  afterAll(async () => {
    await client?.end()
    await engine?.close()
    await main?.remove()
    await other?.remove()
  })

  const psql = async (script: string) => {
    const { hostname, port } = new URL(`postgres://${address}`)
    const target = {
      host: hostname,
      port: Number(port),
      user: 'ada',
      password: 'none',
      database: 'shop',
      server: 'engine',
      kind: 'sqlite',
    } as const
    return runPsql(target, { script })
  }

  test('statements', async () => {
    for (const sql of [
      'select "public"."users"."id" from "public"."users" where "public"."users"."id" = 1',
      'select id from "public.users"',
      'select id from users',
      'set search_path to public; select id from users',
    ]) {
      const results = await client.query(sql)
      expect([results].flat().at(-1)?.rows).toEqual([{ id: 1 }])
    }
    await client.query('reset search_path')
    expect(await rowsOf(client, 'show search_path')).toEqual([['main, other']])
    const code = (sql: string) => client.query(sql).then(() => 'none', codeOf)
    expect(await code('select 1 from public.users, other.things')).toBe('0A000')
    expect(await code('select 1 from public.things')).toBe('42P01')
  })

  test('psql shows the tables of public, copies them and does not show them twice', async () => {
    const described = await psql('\\d public.users')
    expect(described.stderr).toBe('')
    expect(described.stdout).toContain('id|integer|')
    expect((await psql('\\dt public.*')).stdout).toBe('public|users|table|pg_engine\n')
    expect((await psql('\\dt')).stdout).toBe(
      'main|users|table|pg_engine\nother|things|table|pg_engine\n',
    )
    expect((await psql('\\dt *.users')).stdout).toContain('main|users|table|pg_engine\n')
    expect((await psql('\\d users')).stderr).toBe('')
    for (const table of ['public.users', '"public.users"', 'users']) {
      expect(await psql(`copy ${table} to stdout;`)).toMatchObject({ stdout: '1\tAda\n' })
    }
    const copied = await psql(
      "begin; copy public.users (id, name) from stdin;\n2\tBob\n\\.\nselect id from public.users where name = 'Bob'; rollback;",
    )
    expect(copied).toMatchObject({ stdout: 'BEGIN\nCOPY 1\n2\nROLLBACK\n', stderr: '' })
  })
})
