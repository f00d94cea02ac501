import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuthConfig } from '@engine/core'
import { describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { openSqliteStore, type TestStore } from '@engine/test-stores'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client, inParallel, type OpenAuth, openAuth, password } from '../support/open-auth.ts'
import {
  bcrypt,
  openMysqlUsers,
  openPostgresUsers,
  openSqliteUsers,
  type UserDatabase,
} from '../support/user-database.ts'

function userTableTests(openShop: () => Promise<UserDatabase>): void {
  let shop: UserDatabase
  let stores: TestStore
  let auth: OpenAuth
  const person = { email: 'Ada@example.com', password, name: 'Ada' }
  beforeEach(async () => {
    shop = await openShop()
    stores = await openSqliteStore()
  })
  afterEach(async () => {
    await auth.close()
    await stores.remove()
    await shop.remove()
  })
  const open = async (
    options: { readonly passwordColumn?: string; readonly linkByEmail?: boolean } = {},
    more: AuthConfig = {},
  ) => {
    auth = await openAuth(stores.store, {
      connections: { shop: shop.url },
      auth: {
        ...more,
        userTable: {
          table: 'shop.users',
          matchOn: { column: 'id', jwtField: 'sub' },
          columns: ['email', 'plan'],
          ...options,
        },
      },
    })
  }

  test('sign-up makes a row, and its columns are what permissions know of the user', async () => {
    await open()
    const { user, session } = await auth.signUp(person, client)
    const [row] = await shop.rows("select * from users where name = 'Ada'")
    expect(row).toMatchObject({ email: 'Ada@example.com', secret_hash: null, plan: 'free' })
    expect(user.id).toBe(String((row as { id: unknown }).id))
    const { caller } = await auth.authenticate(session.token, client)
    expect(caller).toMatchObject({
      kind: 'user',
      id: user.id,
      fields: { email: 'Ada@example.com', plan: 'free' },
    })
    await expect(auth.signIn(person, client)).resolves.toMatchObject({ user })
  })

  test('an address in the table is taken', async () => {
    await open()
    const again = auth.signUp({ ...person, email: 'old@example.com' }, client)
    await expect(again).rejects.toMatchObject({ code: 'EMAIL_EXISTS' })
    expect(await shop.rows('select id from users')).toHaveLength(1)
  })

  test('of 10 sign-ups with one address at a time one leaves a row', async () => {
    await open()
    const { values, codes } = await inParallel(10, () => auth.signUp(person, client))
    expect(values).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set(['EMAIL_EXISTS']))
    expect(await shop.rows("select id from users where name = 'Ada'")).toHaveLength(1)
  })

  test('the address of an account whose row is gone is taken', async () => {
    await open()
    await auth.signUp(person, client)
    await shop.run("delete from users where name = 'Ada'")
    await expect(auth.signUp(person, client)).rejects.toMatchObject({ code: 'EMAIL_EXISTS' })
    expect(await shop.rows("select id from users where name = 'Ada'")).toHaveLength(0)
  })

  test('a user without a row has no session and cannot sign in', async () => {
    await open()
    const { session } = await auth.signUp(person, client)
    await shop.run("delete from users where name = 'Ada'")
    const unauthorized = { code: 'UNAUTHORIZED', status: 401 }
    await expect(auth.session(session.token, client)).rejects.toMatchObject(unauthorized)
    await expect(auth.listSessions(session.token, client)).rejects.toMatchObject(unauthorized)
    await expect(auth.authenticate(session.token, client)).rejects.toMatchObject(unauthorized)
    await expect(auth.signIn(person, client)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
    await expect(auth.signOut(session.token, client)).resolves.toBeUndefined()
  })

  test('the owner of a row gets an account by resetting the password', async () => {
    await open()
    const body = { email: 'old@example.com', password: 'U*U' }
    await expect(auth.signIn(body, client)).rejects.toMatchObject({ status: 401 })
    await auth.forgotPassword({ email: 'OLD@example.com' }, client)
    const token = await auth.mailedToken('Old@Example.com', /reset/i)
    await auth.resetPassword({ token, password: 'another good one' }, client)
    const { user } = await auth.signIn({ ...body, password: 'another good one' }, client)
    expect(user).toMatchObject({ email: 'Old@Example.com', name: 'Old', emailVerified: true })
    const [row] = await shop.rows('select id, secret_hash from users')
    expect(row).toMatchObject({ secret_hash: bcrypt })
    expect(user.id).toBe(String((row as { id: unknown }).id))
  })

  test('passwords of the table are good for the first sign-in, then there is a better hash', async () => {
    await open({ passwordColumn: 'secret_hash' })
    const body = { email: 'old@example.com', password: 'U*U' }
    await expect(auth.signIn({ ...body, password: 'wrong' }, client)).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    })
    const { values } = await inParallel(5, () => auth.signIn(body, client))
    expect(values).toHaveLength(5)
    expect(new Set(values.map(({ user }) => user.id)).size).toBe(1)
    const [stored] = await stores.store.database
      .selectFrom('engine_users')
      .select('password_hash')
      .execute()
    expect(stored?.password_hash).toMatch(/^\$argon2id\$/)
    await expect(auth.signIn(body, client)).resolves.toBeDefined()
  })

  test('a password of the table that was replaced here is not good under another address', async () => {
    await open({ passwordColumn: 'secret_hash' })
    const { session } = await auth.signIn({ email: 'old@example.com', password: 'U*U' }, client)
    const change = { currentPassword: 'U*U', newPassword: 'another good one' }
    await auth.changePassword(session.token, change, client)
    await shop.run("update users set email = 'new@example.com'")
    const stale = auth.signIn({ email: 'new@example.com', password: 'U*U' }, client)
    await expect(stale).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
  })

  const invited = async (email: string, count = 1) => auth.mailedToken(email, /invited/i, count)
  const accept = (token: string, name?: string) =>
    auth.acceptInvitation(
      name === undefined ? { token, password } : { token, password, name },
      client,
    )

  test('an invitation makes the row with its fields', async () => {
    await open()
    await auth.admin.invite({ email: 'Ada@example.com', name: 'Ada', fields: { plan: 'gold' } })
    expect(await shop.rows('select id from users')).toHaveLength(1)
    const { user, session } = await accept(await invited('Ada@example.com'), 'Ada L.')
    const [row] = await shop.rows("select * from users where plan = 'gold'")
    expect(row).toMatchObject({ email: 'Ada@example.com', name: 'Ada L.', secret_hash: null })
    expect(user.id).toBe(String((row as { id: unknown }).id))
    const { caller } = await auth.authenticate(session.token, client)
    expect(caller).toMatchObject({ fields: { email: 'Ada@example.com', plan: 'gold' } })
  })

  test('an invitation to the address of a row gives the account of that row', async () => {
    await open()
    await auth.admin.invite({ email: 'old@example.com', fields: { plan: 'gold' } })
    const { user } = await accept(await invited('old@example.com'))
    const rows = await shop.rows('select * from users')
    expect(rows).toMatchObject([{ email: 'Old@Example.com', name: 'Old', plan: 'gold' }])
    expect(user.id).toBe(String((rows[0] as { id: unknown }).id))
    await expect(auth.signIn({ email: 'old@example.com', password }, client)).resolves.toBeDefined()
  })

  test('of 10 that accept one invitation at a time one leaves a row', async () => {
    await open()
    await auth.admin.invite({ email: 'ada@example.com' })
    const token = await invited('ada@example.com')
    const { values, codes } = await inParallel(10, () => accept(token))
    expect(values).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set(['INVALID_TOKEN']))
    const rows = await shop.rows("select id from users where email = 'ada@example.com'")
    expect(rows.map((row) => String((row as { id: unknown }).id))).toEqual([values[0]?.user.id])
  })

  test('whoever signed up first with the address of an invitation has nothing of it', async () => {
    await open()
    const { session, user } = await auth.signUp({ ...person, name: 'Eve' }, client)
    await auth.admin.invite({ email: person.email, name: 'Ada', fields: { plan: 'gold' } })
    const accepted = await auth.acceptInvitation(
      { token: await invited(person.email), password: 'another good one' },
      client,
    )
    expect(accepted.user).toMatchObject({ id: user.id, name: 'Ada', emailVerified: true })
    const theirs = auth.authenticate(session.token, client)
    await expect(theirs).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(auth.signIn(person, client)).rejects.toMatchObject({ status: 401 })
    expect(await shop.rows("select plan from users where plan = 'gold'")).toHaveLength(1)
  })

  test('an account whose row is gone, and an address of several rows, accept no invitation', async () => {
    await open()
    await auth.signUp(person, client)
    await shop.run("delete from users where name = 'Ada'")
    await auth.admin.invite({ email: person.email })
    const invalid = { code: 'INVALID_TOKEN' }
    await expect(accept(await invited(person.email))).rejects.toMatchObject(invalid)
    await shop.run(
      "insert into users (email, name) values ('TWICE@example.com', 'a'), ('twice@example.com', 'b')",
    )
    await auth.admin.invite({ email: 'Twice@example.com' })
    await expect(accept(await invited('Twice@example.com'))).rejects.toMatchObject(invalid)
    expect(await shop.rows('select id from users')).toHaveLength(3)
  })

  test('fields are columns that an invitation may set, with values of their type', async () => {
    await open({ passwordColumn: 'secret_hash' })
    await shop.run('alter table users add column seats integer')
    const refused = async (fields: Record<string, string | number>, message: RegExp) =>
      expect(auth.admin.invite({ email: 'ada@example.com', fields })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(message),
      })
    await refused({ id: 7 }, /fields\.id: is set with/)
    await refused({ email: 'eve@example.com' }, /fields\.email/)
    await refused({ name: 'Eve' }, /fields\.name/)
    await refused({ secret_hash: 'x' }, /may hold a secret/)
    await refused({ colour: 'gold' }, /no such column/)
    await refused({ plan: 'a\0b' }, /fields\.plan/)
    expect(await auth.admin.listInvitations({ limit: 1, offset: 0 })).toEqual([])
  })

  test('by option, sign-up with the address of a row leads its owner to the account', async () => {
    await open({ linkByEmail: true }, { emailVerification: true })
    const eve = { email: 'OLD@example.com', password: 'chosen by somebody', name: 'Eve' }
    const answer = await auth.signUp(eve, client)
    expect(answer.user).toMatchObject({ email: 'OLD@example.com', name: 'Eve' })
    const [before] = await shop.rows('select * from users')
    expect(JSON.stringify(answer)).not.toContain(`"${(before as { id: unknown }).id}"`)
    const { token } = answer.session
    await expect(auth.authenticate(token, client)).rejects.toMatchObject({ status: 401 })
    await expect(auth.session(token, client)).rejects.toMatchObject({ status: 401 })
    const wrong = { code: 'INVALID_CREDENTIALS' }
    await expect(auth.signIn(eve, client)).rejects.toMatchObject(wrong)

    const reset = await auth.mailedToken('Old@Example.com', /reset/i)
    await auth.resetPassword({ token: reset, password }, client)
    await expect(auth.signIn(eve, client)).rejects.toMatchObject(wrong)
    const { user } = await auth.signIn({ email: 'old@example.com', password }, client)
    const rows = await shop.rows('select * from users')
    expect(rows).toEqual([before])
    expect(user).toMatchObject({
      id: String((before as { id: unknown }).id),
      name: 'Old',
      emailVerified: true,
    })
    await expect(auth.signUp(eve, client)).rejects.toMatchObject({ code: 'EMAIL_EXISTS' })
  })

  test('where addresses are concealed, rows without accounts are too', async () => {
    const signUp = { concealExisting: true }
    await open({ linkByEmail: true }, { emailVerification: true, signUp })
    const shapes = []
    for (const email of ['old@example.com', 'old@example.com', 'new@example.com']) {
      const { user, session } = await auth.signUp({ email, password, name: 'Eve' }, client)
      expect(user).toMatchObject({ email, name: 'Eve', emailVerified: false })
      await expect(auth.session(session.token, client)).rejects.toMatchObject({ status: 401 })
      shapes.push([Object.keys(user), session.token.length])
    }
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1)
  })
}

describe('users in a table, on SQLite', () => userTableTests(openSqliteUsers))
describePostgres('users in a table, on PostgreSQL', () => userTableTests(openPostgresUsers))
describeEachMysql('users in a table,', (server) => userTableTests(() => openMysqlUsers(server)))

describe('a table that wants more than sign-up knows', () => {
  test('a key that neither the database nor sign-up makes is among the fields', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'engine-users-'))
    const database = new Database(join(folder, 'shop.db'))
    database.exec('create table users (id int primary key not null, email text not null)')
    const stores = await openSqliteStore()
    const auth = await openAuth(stores.store, {
      connections: { shop: join(folder, 'shop.db') },
      auth: { userTable: { table: 'shop.users' }, signUp: { enabled: false } },
    })
    await auth.admin.createUser({ email: 'ada@example.com', password, fields: { id: 7 } })
    const email = 'bob@example.com'
    await auth.admin.invite({ email, fields: { id: 8 } })
    const token = await auth.mailedToken(email, /invited/i)
    // The row comes to be while the invitation waits: it keeps its key.
    database.exec("insert into users values (9, 'bob@example.com')")
    const { user } = await auth.acceptInvitation({ token, password }, client)
    expect(user.id).toBe('9')
    await expect(
      auth.admin.createUser({ email: 'eve@example.com', fields: { id: 7 } }),
    ).rejects.toMatchObject({ status: 409 })
    expect(database.prepare('select * from users order by id').all()).toEqual([
      { id: 7, email: 'ada@example.com' },
      { id: 9, email },
    ])
    await auth.close()
    await stores.remove()
    database.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a table that wants more than sign-up knows is a fault at start where users may sign up', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'engine-users-'))
    const database = new Database(join(folder, 'shop.db'))
    database.exec('create table users (id integer primary key, email text, birthday text not null)')
    const stores = await openSqliteStore()
    const open = (signUp: { readonly enabled: boolean }) =>
      openAuth(stores.store, {
        connections: { shop: join(folder, 'shop.db') },
        auth: { userTable: { table: 'shop.users' }, signUp },
      })
    await expect(open({ enabled: true })).rejects.toMatchObject({
      problem: 'invalidConfiguration',
      message: expect.stringMatching(/auth\.userTable\.table.*birthday/),
    })
    const auth = await open({ enabled: false })
    const needed = {
      code: 'VALIDATION_ERROR',
      message: 'The row of the user needs a value for birthday: give them in fields.',
    }
    const email = 'ada@example.com'
    await expect(auth.admin.createUser({ email, password })).rejects.toMatchObject(needed)
    await expect(auth.admin.invite({ email })).rejects.toMatchObject(needed)
    const fields = { birthday: '1815-12-10' }
    const made = await auth.admin.createUser({ email: 'eve@example.com', password, fields })
    const eve = { id: Number(made.id), email: 'eve@example.com', ...fields }
    expect(database.prepare('select * from users').all()).toEqual([eve])
    const wrong = { ...fields, plans: 'x' }
    await expect(auth.admin.createUser({ email, fields: wrong })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('plans'),
    })
    await auth.admin.invite({ email, fields })
    await auth.admin.invite({ email: 'bob@example.com', fields: { birthday: '1815-12-10' } })
    // The table may change while invitations wait.
    database.exec('alter table users add column plan text')
    const token = await auth.mailedToken(email, /invited/i)
    await auth.acceptInvitation({ token, password }, client)
    expect(database.prepare('select email, birthday from users order by id').all()).toEqual([
      { email: eve.email, ...fields },
      { email, ...fields },
    ])
    await auth.close()
    await stores.remove()
    database.close()
    rmSync(folder, { recursive: true, force: true })
  })
})
