import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createDatabase,
  createMysqlDatabase,
  describeMysql,
  describePostgres,
} from '@engine/test-databases/vitest'
import { openSqliteStore, type TestStore } from '@engine/test-stores'
import Database from 'better-sqlite3'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client, inParallel, type OpenAuth, openAuth, password } from '../support/open-auth.ts'

/** A database with a user table, accessed without the engine. */
interface Shop {
  readonly url: string
  rows(sql: string): Promise<readonly object[]>
  run(sql: string): Promise<void>
  remove(): Promise<void>
}

const bcrypt = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
const oldUser = `insert into users (email, name, secret_hash) values ('Old@Example.com', 'Old', '${bcrypt}')`
const table = (id: string) =>
  `create table users (${id}, email varchar(254) not null, name varchar(100), secret_hash varchar(200), plan varchar(20) not null default 'free')`

async function openSqlite(): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-users-'))
  const database = new Database(join(folder, 'shop.db'))
  database.exec(`${table('id integer primary key')}; ${oldUser}`)
  return {
    url: join(folder, 'shop.db'),
    rows: async (sql) => database.prepare<[], object>(sql).all(),
    run: async (sql) => void database.exec(sql),
    remove: async () => {
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openPostgres(): Promise<Shop> {
  const url = await createDatabase('users')
  const connection = new pg.Client({ connectionString: url })
  await connection.connect()
  await connection.query(table('id uuid primary key default gen_random_uuid()'))
  // Without a unique index, rows with the same address can exist; a look-up finds them.
  await connection.query('alter table users add unique (email)')
  await connection.query(oldUser)
  return {
    url,
    rows: async (sql) => (await connection.query<object>(sql)).rows,
    run: async (sql) => void (await connection.query(sql)),
    remove: () => connection.end(),
  }
}

async function openMysql(): Promise<Shop> {
  const url = await createMysqlDatabase('users')
  const connection = await createConnection({ uri: url })
  await connection.query(table('id bigint primary key auto_increment'))
  await connection.query(oldUser)
  return {
    url,
    rows: async (sql) => (await connection.query<RowDataPacket[]>(sql))[0],
    run: async (sql) => void (await connection.query(sql)),
    remove: () => connection.end(),
  }
}

function userTableTests(openShop: () => Promise<Shop>): void {
  let shop: Shop
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
  const open = async (options: { readonly passwordColumn?: string } = {}) => {
    auth = await openAuth(stores.store, {
      connections: { shop: shop.url },
      auth: {
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
}

describe('users in a table, on SQLite', () => userTableTests(openSqlite))
describePostgres('users in a table, on PostgreSQL', () => userTableTests(openPostgres))
describeMysql('users in a table, on MariaDB', () => userTableTests(openMysql))

describe('a table that wants more than sign-up knows', () => {
  test('is warned about at start, and fails without leaving anything', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'engine-users-'))
    const database = new Database(join(folder, 'shop.db'))
    database.exec('create table users (id integer primary key, email text, birthday text not null)')
    const stores = await openSqliteStore()
    const auth = await openAuth(stores.store, {
      connections: { shop: join(folder, 'shop.db') },
      auth: { userTable: { table: 'shop.users' } },
    })
    expect(auth.logged.filter((line) => line.includes('birthday'))).toHaveLength(1)
    const signUp = auth.signUp({ email: 'ada@example.com', password }, client)
    await expect(signUp).rejects.toMatchObject({ status: 500 })
    expect(await auth.admin.listUsers({ limit: 1, offset: 0 })).toEqual([])
    await auth.close()
    await stores.remove()
    database.close()
    rmSync(folder, { recursive: true, force: true })
  })
})
