/** Users whose profile is in a table of a connection, on each kind of database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuthConfig } from '@engine/core'
import { createDatabase, describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { openSqliteStore, type TestStore } from '@engine/test-stores'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { client, type OpenAuth, openAuth, password } from '../support/open-auth.ts'
import { rawToken } from '../support/raw-token.ts'
import { runScript } from '../support/run-script.ts'

const secret = 'a secret of at least thirty-two bytes'
const unauthorized = { code: 'UNAUTHORIZED', status: 401 }

const setUp = `
create table people (
  id integer primary key, login varchar(100), email varchar(100), tenant integer,
  roles varchar(200), role varchar(50), password_hash varchar(100)
);
insert into people values
  (1, 'ada', 'ada@example.com', 7, '["clerk","boss"]', 'admin', 'x'),
  (2, 'bob', 'bob@example.com', 8, null, null, 'x'),
  (3, 'twin', 'c@example.com', 8, 'clerk', null, 'x'),
  (4, 'twin', 'd@example.com', 8, '{"0":"admin"}', 'guest', 'x'),
  (5, 'Zoë''s "login"', 'z@example.com', null, '[1,null,"clerk"]', null, 'x'),
  (6, '06', 'f@example.com', 1, '[]', null, 'x');
create table pairs (a integer, b integer, primary key (a, b));
`

/** @param key how the database generates keys. */
function suite(key: string, create: (folder: string) => Promise<string>) {
  let url: string
  let folder: string
  let stores: TestStore
  let auth: OpenAuth | undefined
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'engine-users-'))
    url = await create(folder)
    await runScript(url, setUp)
    stores = await openSqliteStore()
    const members = `email varchar(100), tenant integer default 3`
    await runScript(url, `create table members (id integer ${key} primary key, ${members});`)
  })
  afterAll(async () => {
    await stores.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(async () => {
    await auth?.close()
    auth = undefined
  })

  type UserTable = NonNullable<AuthConfig['userTable']>

  async function open(userTable: UserTable, more: Partial<AuthConfig> = {}): Promise<OpenAuth> {
    auth = await openAuth(stores.store, {
      connections: { main: url },
      auth: { userTable, signUp: { enabled: false }, ...more },
    })
    return auth
  }

  async function callerOf(claims: object) {
    const exp = Math.floor((auth?.now() ?? 0) / 1_000) + 60
    const token = rawToken({ alg: 'HS256' }, { exp, ...claims }, { secret })
    return (await auth?.authenticate(token, client))?.caller
  }

  const byLogin: UserTable = {
    table: 'main.people',
    matchOn: { column: 'login', jwtField: 'preferred_username' },
    columns: ['tenant', 'roles', 'role'],
  }

  test('$user has the listed columns and the matched one, and no claims', async () => {
    await open(byLogin)
    expect(await callerOf({ sub: 'x', preferred_username: 'ada', email: 'claimed' })).toEqual({
      kind: 'user',
      id: 'x',
      roles: ['clerk', 'boss', 'admin'],
      fields: { login: 'ada', tenant: 7, roles: '["clerk","boss"]', role: 'admin' },
    })
  })

  test('a row is found as the caller of a token, and is that caller without one', async () => {
    await open({ table: 'main.people', columns: ['email', 'tenant', 'role'] })
    const rows = (search: string) => auth?.admin.findRows(search, 3)
    expect(await rows('ADA@')).toEqual([
      { id: '1', claims: undefined, email: 'ada@example.com', name: null },
    ])
    expect(await rows('2')).toMatchObject([{ id: '2' }])
    expect(await rows('')).toMatchObject([{ id: '1' }, { id: '2' }, { id: '3' }])
    expect(await rows("ada' or 1=1 --")).toEqual([])
    for (const id of ['1', '2', '4', '5']) {
      const found = await auth?.impersonate?.({ kind: 'user', id })
      expect(found).toEqual({ caller: await callerOf({ sub: id }), mayLackClaims: false })
    }
    await expect(auth?.impersonate?.({ kind: 'user', id: '77' })).rejects.toMatchObject(
      unauthorized,
    )
  })

  test('a row that another claim names is found with that claim', async () => {
    await open(byLogin)
    const [row] = (await auth?.admin.findRows('ada', 3)) ?? []
    const claims = { preferred_username: 'ada' }
    expect(row).toEqual({ id: 'ada', claims, email: null, name: null })
    const found = await auth?.impersonate?.({ kind: 'user', id: 'ada', claims })
    expect(found).toEqual({ caller: await callerOf(claims), mayLackClaims: false })
  })

  test('a token without sub is named by the claim that is matched', async () => {
    await open(byLogin)
    expect(await callerOf({ preferred_username: 'bob' })).toMatchObject({
      id: 'bob',
      fields: { tenant: 8 },
    })
  })

  test('roles are those of the row; NULL means the usual ones, whatever the token claims', async () => {
    await open(byLogin)
    const roles = async (preferred_username: string) =>
      (await callerOf({ preferred_username, roles: ['admin'] }))?.roles
    expect(await roles('bob')).toEqual([])
    expect(await roles(`Zoë's "login"`)).toEqual(['clerk'])
    expect(await roles('06')).toEqual([])
  })

  test.each([
    ['NULL in the columns for roles', byLogin, { roles: ['admin'] }],
    ['no columns for roles', { ...byLogin, columns: ['tenant'] }, {}],
  ])(
    'a row with %s gives a token made elsewhere what its issuer gives',
    async (_, table, claims) => {
      const shared = 'a secret that is shared with an issuer'
      const issuers = [{ issuer: 'idp', secret: shared, roles: { default: ['partner'] } }]
      await open(table, { issuers, roles: { default: ['member'] } })
      const exp = Math.floor((auth?.now() ?? 0) / 1_000) + 60
      const rolesOf = async (iss: object, key: string) => {
        const payload = { sub: 'x', preferred_username: 'bob', exp, ...claims, ...iss }
        const token = rawToken({ alg: 'HS256' }, payload, { secret: key })
        return (await auth?.authenticate(token, client))?.caller.roles
      }
      expect(await rolesOf({ iss: 'idp' }, shared)).toEqual(['partner'])
      expect(await rolesOf({}, secret)).toEqual([])
    },
  )

  test('roles that are no JSON list are none', async () => {
    await open({ table: 'main.people', columns: ['roles', 'role'] })
    expect((await callerOf({ sub: '3' }))?.roles).toEqual([])
    expect((await callerOf({ sub: '4' }))?.roles).toEqual(['guest'])
  })

  test('without columns for roles the token may claim them', async () => {
    await open({ ...byLogin, columns: ['tenant'] })
    const claims = { sub: 'x', preferred_username: 'ada', roles: ['reader'] }
    expect((await callerOf(claims))?.roles).toEqual(['reader'])
  })

  test('by default the primary key is matched with sub, text or number', async () => {
    await open({ table: 'main.people', columns: ['login'] })
    expect(await callerOf({ sub: '1' })).toMatchObject({ id: '1', fields: { id: 1, login: 'ada' } })
    await expect(callerOf({ sub: '9' })).rejects.toMatchObject(unauthorized)
    for (const sub of ['01', ' 1', '1 ', '+1', '1.0', '1e0', '0x1', '１', 'ada', '1 or 1=1', '']) {
      await expect(callerOf({ sub })).rejects.toMatchObject(unauthorized)
    }
  })

  test('a claim that is no text or number is 401, and so are no row and several', async () => {
    await open(byLogin)
    const hostile = [
      'twin',
      'nobody',
      'ADA',
      'ada ',
      "ada' or '1'='1",
      "'; drop table people; --",
      '%',
      '_da',
      'ada\0',
      '\ud800',
      '',
      null,
      true,
      ['ada'],
      { $ne: '' },
      { length: 3 },
      1e308,
      undefined,
    ]
    for (const preferred_username of hostile) {
      await expect(callerOf({ sub: 'x', preferred_username })).rejects.toMatchObject(unauthorized)
    }
    expect(await callerOf({ preferred_username: 'ada' })).toMatchObject({ fields: { tenant: 7 } })
  })

  test('a number is matched with a column of numbers', async () => {
    await open({
      table: 'main.people',
      matchOn: { column: 'id', jwtField: 'person.id' },
      columns: [],
    })
    expect(await callerOf({ sub: 'x', person: { id: 1 } })).toMatchObject({ fields: { id: 1 } })
    await expect(callerOf({ sub: 'x', person: { id: 1.5 } })).rejects.toMatchObject(unauthorized)
  })

  test('what the database changes counts from the next request on', async () => {
    await open({ ...byLogin, columns: ['tenant'] })
    await callerOf({ preferred_username: 'bob' })
    await runScript(url, 'update people set tenant = 9 where id = 2;')
    expect(await callerOf({ preferred_username: 'bob' })).toMatchObject({ fields: { tenant: 9 } })
    await runScript(url, 'update people set tenant = 8 where id = 2;')
  })

  test('a user who signed up has the row of the account, and the fields of the account', async () => {
    await open(
      { table: 'main.members', columns: ['tenant'] },
      { signUp: { enabled: true }, roles: { default: ['member'] } },
    )
    const { session, user } =
      (await auth?.signUp({ email: 'new@example.com', password }, client)) ?? {}
    const { caller } = (await auth?.authenticate(session?.token ?? '', client)) ?? {}
    expect(caller).toEqual({
      kind: 'user',
      id: user?.id,
      roles: ['member'],
      fields: {
        id: Number(user?.id),
        sub: user?.id,
        email: 'new@example.com',
        name: '',
        emailVerified: false,
        tenant: 3,
      },
    })
    await runScript(url, `delete from members where id = ${user?.id};`)
    const without = auth?.authenticate(session?.token ?? '', client)
    await expect(without).rejects.toMatchObject(unauthorized)
  })

  test.each<[string, UserTable, string, RegExp]>([
    [
      'a table that is not there',
      { table: 'main.persons' },
      'table',
      /there is no table "persons"/,
    ],
    [
      'a connection that is not there',
      { table: 'other.people' },
      'table',
      /there is no connection "other"/,
    ],
    [
      'a column that is not there',
      { table: 'main.people', columns: ['login', 'x'] },
      'columns.1',
      /no column "x"/,
    ],
    [
      'a matched column that is not there',
      { ...byLogin, matchOn: { column: 'x', jwtField: 'sub' } },
      'matchOn.column',
      /no column "x"/,
    ],
    ['a key of two columns', { table: 'main.pairs' }, 'matchOn', /is needed/],
    [
      'a column of hashes',
      { table: 'main.people', columns: ['password_hash'] },
      'columns.0',
      /secret/,
    ],
    [
      'a secret to match',
      { ...byLogin, matchOn: { column: 'apiToken', jwtField: 'sub' } },
      'matchOn.column',
      /secret/,
    ],
  ])('%s keeps it from starting', async (_, userTable, path, message) => {
    const faults = [{ path: `auth.userTable.${path}`, message: expect.stringMatching(message) }]
    await expect(open(userTable)).rejects.toMatchObject({ details: { faults } })
  })

  test('resolveSession adds fields and replaces roles, with the rows of the databases', async () => {
    await open(byLogin, {
      resolveSession: async (user, db) => {
        const people = await db
          .selectFrom('main.people')
          .select('email')
          .where('tenant', '=', user.fields['tenant'])
          .orderBy('id')
          .execute()
        return {
          roles: [...user.roles, 'resolved'],
          emails: people.map((row: { email: string }) => row.email),
        }
      },
    })
    expect(await callerOf({ preferred_username: 'ada' })).toMatchObject({
      roles: ['clerk', 'boss', 'admin', 'resolved'],
      fields: { tenant: 7, emails: ['ada@example.com'] },
    })
  })
}

describe('a user table, on SQLite', () => suite('', async (folder) => join(folder, 'users.db')))
describePostgres('a user table, on PostgreSQL', () =>
  suite('generated by default as identity', () => createDatabase('users')),
)
describeEachMysql('a user table,', (server) =>
  suite('auto_increment', () => server.createDatabase('users')),
)
