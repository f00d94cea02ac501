import { type Config, createEngine, type Engine } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../src/index.ts'
import { rowsOf, tenantUser } from './support/ask-engine.ts'

const table = 'main.users'
const visible = ['id', 'tenant', 'email', 'name', 'deleted_at']
const mine = { tenant: '$user.tenant' }

const permissions = {
  all: { table, roles: ['all'], select: {}, insert: {}, update: {} },
  member: {
    table,
    roles: ['member'],
    select: { columns: visible, where: mine },
    insert: { columns: visible, check: mine },
    update: { columns: ['name', 'deleted_at'], where: mine, check: mine },
  },
  nameless: {
    table,
    roles: ['nameless'],
    select: { columns: ['id', 'tenant', 'email'], where: mine },
    insert: { columns: visible, check: mine },
    update: { columns: ['name'], where: mine, check: mine },
  },
} satisfies Config['permissions']

/** Targets of ON CONFLICT, and whether PostgreSQL finds an index for each. */
const targets = [
  '(lower(email))',
  '(lower(email::text))',
  '(lower(email) collate "default")',
  '(lower(email) collate "C")',
  '(lower(email) text_ops)',
  '(lower(email) text_pattern_ops)',
  '(upper(email))',
  '(tenant, name)',
  '(tenant, name) where deleted_at is null',
  '(name, tenant) where deleted_at is null and id > 3',
  '(name, tenant) where deleted_at is not null',
  `(lower(name)) where mood = 'ok'`,
  `(lower(name)) where mood in ('ok')`,
  `(code collate "C")`,
  '(code)',
  `(code) where code = 'x'`,
  `(code collate "POSIX")`,
  `(id, (tenant + 1)) where secret in ('a', 'b')`,
  `(id, (tenant + 1)) where secret = 'b'`,
  `((tenant + 1), id) where secret is not null`,
  `(id) where tenant = 1`,
]

describePostgres('targets of ON CONFLICT on a real database', () => {
  let engine: Engine
  let client: Client

  beforeAll(async () => {
    const url = await createDatabase('conflict targets')
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`
      create type mood as enum ('sad', 'ok');
      create table users (
        id int primary key, tenant int, email varchar(50), name text, deleted_at timestamptz,
        mood mood, code text, secret text
      );
      create unique index by_email on users (lower(email));
      create unique index by_name on users (tenant, name) where deleted_at is null;
      create unique index by_mood on users (lower(name)) where mood = 'ok';
      create unique index by_code on users (code collate "C");
      create unique index by_secret on users (id, (tenant + 1)) where secret in ('a', 'b');
    `)
    engine = await createEngine(
      { connections: { main: { url } }, permissions },
      { adapters: { '@engine/adapters-postgres': connect } },
    )
  })

  afterAll(async () => {
    await engine?.close()
    await client?.end()
  })

  beforeEach(async () => {
    await client.query(`
      truncate users;
      insert into users (id, tenant, email, name, deleted_at, secret) values
        (1, 1, 'Ada@x', 'ada', null, 's1'), (2, 1, 'old@x', 'bob', now(), 's2'), (3, 2, 'Eve@x', 'eve', null, 's3');
    `)
  })

  const run = (role: string, sql: string, params: readonly unknown[] = []) =>
    rowsOf(engine, sql, tenantUser(role), params)
  const failure = (role: string, sql: string) =>
    run(role, sql).then(
      () => 'none',
      (error: { sqlState?: string; message: string }) => `${error.sqlState} ${error.message}`,
    )

  test.each(targets)('%s means what PostgreSQL makes of it', async (target) => {
    const insert = `insert into users (id) values (9) on conflict ${target} do nothing`
    await client.query('begin')
    const real = await client.query(insert).then(
      () => 'none',
      (error: { code: string }) => error.code,
    )
    await client.query('rollback')
    const own = await failure('all', insert.replace('users', 'main.users'))
    expect(own.slice(0, 5)).toBe(real.slice(0, 5))
  })

  test('the row that has the key is changed, in every spelling of it', async () => {
    const insert = `insert into main.users (id, tenant, email, name) values (7, 1, 'ADA@X', 'lovelace')`
    const update = 'do update set name = excluded.name where users.id < 5 returning id, name'
    expect(await run('member', `${insert} on conflict (lower(email)) ${update}`)).toEqual([
      [1, 'lovelace'],
    ])
    const again = `insert into main.users (id, tenant, email, name) values (8, 1, 'b@x', 'bob'), (9, 1, 'c@x', 'lovelace')`
    const target = '(tenant, name) where deleted_at is null'
    expect(
      await run(
        'member',
        `${again} on conflict ${target} do update set deleted_at = '2026-01-01' returning id`,
      ),
    ).toEqual([[8], [1]])
  })

  test('two rows of a statement with the same key are an error', async () => {
    const insert = `insert into main.users (id, tenant, email) values (7, 1, 'n@x'), (8, 1, 'N@X')`
    expect(
      await failure('member', `${insert} on conflict (lower(email)) do update set name = 'x'`),
    ).toContain('21000')
  })

  describe('under permissions', () => {
    test('a row of others is neither changed nor shown', async () => {
      const insert = `insert into main.users (id, tenant, email, name) values (7, 1, 'EVE@x', 'mine')`
      const target = 'on conflict (lower(email))'
      expect(
        await run('member', `${insert} ${target} do update set name = 'mine' returning id`),
      ).toEqual([])
      expect(await run('member', `${insert} ${target} do nothing returning id`)).toEqual([])
      const { rows } = await client.query('select name from users where id = 3')
      expect(rows).toEqual([{ name: 'eve' }])
    })

    test('a proposed row must pass the check, whether or not its key is taken', async () => {
      const insertOf = (email: string) =>
        `insert into main.users (id, tenant, email) values (7, 2, '${email}') on conflict (lower(email)) do nothing`
      const taken = await failure('member', insertOf('EVE@x'))
      expect(await failure('member', insertOf('free@x'))).toBe(taken)
      expect(taken).not.toBe('none')
    })

    test('an expression or a condition over a hidden column is one over no column', async () => {
      const insert = `insert into main.users (id, tenant, email) values (7, 1, 'n@x') on conflict`
      const denied = async (role: string, target: string) =>
        expect(await failure(role, `${insert} ${target} do nothing`)).toMatch(/^42501/)
      for (const name of ['secret', 'nosuch']) {
        await denied('member', `(lower(${name}))`)
        await denied('member', `(id, (tenant + 1)) where ${name} in ('a', 'b')`)
      }
      await denied('nameless', '(tenant, name) where deleted_at is null')
      await denied('nameless', '(tenant, nosuch) where deleted_at is null')
    })

    test('an error names neither the values nor an index over hidden columns', async () => {
      await client.query(`update users set secret = 'a', tenant = 1 where id = 3`)
      await client.query('create unique index by_hidden on users (lower(secret))')
      try {
        await client.query(`alter table users alter secret set default 'S1'`)
        const insert = `insert into main.users (id, tenant, email) values (7, 1, 'n@x')`
        const refusal = await failure('member', `${insert} on conflict (lower(email)) do nothing`)
        expect(refusal).toContain('23505')
        expect(refusal).not.toMatch(/s1|by_hidden|secret/i)
      } finally {
        await client.query('drop index by_hidden')
        await client.query('alter table users alter secret drop default')
      }
    })

    test('the check decides before another key does', async () => {
      // Id 3 belongs to a row of others: whether it is there is not told to a caller whose row fails the check.
      const insertOf = (tenant: number) =>
        `insert into main.users (id, tenant, email) values (3, ${tenant}, 'n@x') on conflict (lower(email)) do update set name = 'x'`
      expect(await failure('member', insertOf(1))).toContain('23505')
      expect(await failure('member', insertOf(2))).not.toContain('23505')
      // The row that is met would leave the tenant.
      const moved = `insert into main.users (id, tenant, email) values (3, 1, 'ADA@x') on conflict (lower(email)) do update set name = (1 / (users.tenant - 1))::text`
      expect(await failure('member', moved)).toContain('22012')
    })
  })
})
