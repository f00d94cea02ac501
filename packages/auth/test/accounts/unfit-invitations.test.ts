/** @module Invitations that fitted when they were sent, and do not when they are accepted. */
import type { AuthConfig } from '@engine/core'
import { describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { openSqliteStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client, type OpenAuth, openAuth, password } from '../support/open-auth.ts'
import {
  openMysqlUsers,
  openPostgresUsers,
  openSqliteUsers,
  type UserDatabase,
} from '../support/user-database.ts'

const email = 'ada@example.com'
const unfit = {
  code: 'CONFLICT',
  status: 409,
  message: 'This invitation cannot be accepted any more. Please ask for a new one.',
}

function unfitTests(openUsers: () => Promise<UserDatabase>): void {
  let shop: UserDatabase
  let stores: TestStore
  let auth: OpenAuth
  beforeEach(async () => {
    shop = await openUsers()
    stores = await openSqliteStore()
    await shop.run('create table companies (id integer primary key)')
    await shop.run('insert into companies values (7)')
    await shop.run('alter table users add column company_id integer references companies (id)')
  })
  afterEach(async () => {
    await auth.close()
    await stores.remove()
    await shop.remove()
  })
  const open = async (userTable: Partial<NonNullable<AuthConfig['userTable']>> = {}) => {
    auth = await openAuth(stores.store, {
      connections: { shop: shop.url },
      auth: {
        signUp: { enabled: false },
        userTable: {
          table: 'shop.users',
          matchOn: { column: 'id', jwtField: 'sub' },
          columns: ['email', 'plan'],
          ...userTable,
        },
      },
    })
  }
  const mailed = (to = email) => auth.mailedToken(to, /invited/i)
  const accept = (token: string) => auth.acceptInvitation({ token, password }, client)
  const all = { limit: 10, offset: 0 }
  /** Accounts, invitations and rows are as before. */
  const nothingIsDone = async (rows: readonly object[]) => {
    expect(await auth.admin.listUsers(all)).toEqual([])
    expect(await auth.admin.listInvitations(all)).toHaveLength(1)
    expect(await shop.rows('select * from users order by email')).toEqual(rows)
  }
  const warnings = () => auth.logged.filter((line) => line.startsWith('an invitation cannot'))

  test('a row that its constraints refuse is in the log, and leaves nothing', async () => {
    await open()
    const { id } = await auth.admin.invite({ email, fields: { company_id: 8 } })
    const token = await mailed()
    const before = await shop.rows('select * from users')
    await expect(accept(token)).rejects.toMatchObject(unfit)
    await nothingIsDone(before)
    expect(warnings()).toHaveLength(1)
    expect(warnings()[0]).toContain(`"invitation":"${id}"`)
    expect(warnings()[0]).toContain('"columns":["company_id"]')
    expect(warnings()[0]).toMatch(/"err":\{.*"problem":"conflict"/)
    // The token is good when the cause is gone.
    await shop.run('insert into companies values (8)')
    expect((await accept(token)).user).toMatchObject({ email })
  })

  test('so is a unique column, and the row of an address that is there', async () => {
    await open()
    await shop.run('create unique index users_plan on users (plan)')
    await auth.admin.invite({ email, fields: { plan: 'free' } })
    const before = await shop.rows('select * from users')
    await expect(accept(await mailed())).rejects.toMatchObject(unfit)
    await nothingIsDone(before)
    await auth.admin.invite({ email: 'old@example.com', fields: { company_id: 8 } })
    await expect(accept(await mailed('old@example.com'))).rejects.toMatchObject(unfit)
    expect(await shop.rows('select * from users')).toEqual(before)
    expect(warnings()).toHaveLength(2)
  })

  test('a column that is gone, and one that holds something else', async () => {
    await open()
    await shop.run('alter table users add column seats integer')
    await auth.close()
    await open()
    await auth.admin.invite({ email, fields: { seats: 4 } })
    const token = await mailed()
    await shop.run('alter table users drop column seats')
    const before = await shop.rows('select * from users')
    await expect(accept(token)).rejects.toMatchObject(unfit)
    await nothingIsDone(before)
    // Also where the engine knows it from its start.
    await auth.close()
    await open()
    await expect(accept(token)).rejects.toMatchObject(unfit)
    await nothingIsDone(before)
    expect(warnings()[0]).toContain('"column":"seats"')
    await shop.run('alter table users add column seats date')
    await auth.close()
    await open()
    const again = await shop.rows('select * from users')
    await expect(accept(token)).rejects.toMatchObject(unfit)
    await nothingIsDone(again)
  })

  test('a column that is needed since', async () => {
    await open()
    await auth.admin.invite({ email, fields: { plan: 'gold' } })
    const token = await mailed()
    await shop.run("delete from users where name = 'Old'")
    await shop.run("alter table users add column birthday varchar(10) not null default ''")
    if (shop.url.startsWith('mysql') || shop.url.startsWith('postgres')) {
      await shop.run('alter table users alter column birthday drop default')
      await auth.close()
      await open()
      await expect(accept(token)).rejects.toMatchObject(unfit)
      await nothingIsDone([])
      expect(warnings()[0]).toContain('"columns":["birthday"]')
    }
    await shop.run('alter table users drop column birthday')
    await auth.close()
    await open()
    await accept(token)
  })

  test('a user table that is gone, and roles that moved into its rows', async () => {
    await open({ columns: ['email'] })
    await auth.admin.invite({ email, fields: { plan: 'gold' } })
    const token = await mailed()
    const before = await shop.rows('select * from users')
    await auth.close()
    auth = await openAuth(stores.store, { connections: { shop: shop.url } })
    await expect(accept(token)).rejects.toMatchObject(unfit)
    await nothingIsDone(before)
    await auth.admin.invite({ email: 'bob@example.com', roles: ['user'] })
    const ofBob = await mailed('bob@example.com')
    await auth.close()
    await shop.run('alter table users add column role varchar(20)')
    await open({ columns: ['role'] })
    await expect(accept(ofBob)).rejects.toMatchObject(unfit)
    expect(warnings()[0]).toContain('roles of users are in their rows now')
  })

  test('values of another type are refused when the invitation is made', async () => {
    await open()
    await shop.run('alter table users add column seats integer')
    await shop.run('alter table users add column born date')
    await auth.close()
    await open()
    const refused = async (fields: Record<string, never>) => {
      const made = auth.admin.invite({ email, fields })
      await expect(made).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 400 })
    }
    const wrong: readonly [string, unknown][] = [
      ['seats', 'many'],
      ['seats', true],
      ['seats', 1.5],
      ['seats', 1e300],
      ['seats', Number.NaN],
      ['seats', {}],
      ['seats', ['1']],
      ['seats', 1n],
      ['born', 'some day'],
      ['born', '2026-02-30'],
      ['born', true],
      ['plan', undefined],
    ]
    for (const [column, value] of wrong) {
      await refused({ [column]: value } as unknown as Record<string, never>)
    }
    expect(await auth.admin.listInvitations(all)).toEqual([])
    await auth.admin.invite({ email, fields: { seats: '4', born: '2026-02-28', plan: 'gold' } })
    await accept(await mailed())
    const [row] = await shop.rows("select seats, plan from users where plan = 'gold'")
    expect(row).toMatchObject({ seats: 4 })
  })
}

describe('invitations that do not fit, on SQLite', () => unfitTests(openSqliteUsers))
describePostgres('invitations that do not fit, on PostgreSQL', () => unfitTests(openPostgresUsers))
describeEachMysql('invitations that do not fit,', (server) =>
  unfitTests(() => openMysqlUsers(server)),
)
