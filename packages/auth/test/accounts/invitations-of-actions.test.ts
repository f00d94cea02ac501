/** @module What actions do with invitations: each scope has its own, and only new accounts come of them. */
import { admin, type Caller, type ActionInvitationInput as Input } from '@engine/core'
import { eachStore, openSqliteStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client, inParallel, type OpenAuth, openAuth, password } from '../support/open-auth.ts'
import { openSqliteUsers, type UserDatabase } from '../support/user-database.ts'

const email = 'Bob@Example.com'
const owner: Caller = { kind: 'user', id: 'ada', roles: ['owner'], fields: {} }
const origin = {
  correlationId: 'test',
  ip: '192.0.2.7',
  via: 'action:invite',
  credentialId: undefined,
}
const subject = /invited/i

eachStore('invitations of actions', (openStore) => {
  let stores: TestStore
  let auth: OpenAuth
  const accounts = () => auth.forActions(owner, origin)
  const accept = (token: string) => auth.acceptInvitation({ token, password }, client)

  beforeEach(async () => {
    stores = await openStore()
    auth = await openAuth(stores.store)
  })
  afterEach(async () => {
    await auth.close()
    await stores.remove()
  })

  test('an invitation leads to an account; the audit says who invited', async () => {
    const made = await accounts().invite({ scope: 7, email, name: 'Bob', roles: ['user'] })
    expect(Object.keys(made).sort()).toEqual(
      ['createdAt', 'email', 'expiresAt', 'fields', 'id', 'name', 'roles', 'sentAt'].sort(),
    )
    expect(await accounts().listInvitations({ scope: 7 })).toEqual([made])
    expect(await auth.admin.listInvitations({ limit: 10, offset: 0 })).toMatchObject([
      { id: made.id, scope: '7' },
    ])
    const { user } = await accept(await auth.mailedToken(email, subject))
    expect(user).toMatchObject({ email, name: 'Bob', emailVerified: true })
    expect(await accounts().listInvitations({ scope: 7 })).toEqual([])
    expect(auth.events('user-invited')).toMatchObject([
      { caller: 'ada', roles: ['owner'], via: 'action:invite', facts: { email } },
    ])
  })

  test('no scope sees, sends or revokes the invitations of another', async () => {
    const { id } = await accounts().invite({ scope: 7, email })
    const ofAdmin = await auth.admin.invite({ email })
    for (const scope of ['8', '07', 'x', 'null', 70n] as const) {
      expect(await accounts().listInvitations({ scope })).toEqual([])
      for (const other of [id, ofAdmin.id]) {
        expect(await accounts().resendInvitation({ scope, id: other })).toBeUndefined()
        expect(await accounts().revokeInvitation({ scope, id: other })).toBe(false)
      }
    }
    expect(await accounts().revokeInvitation({ scope: 7, id: ofAdmin.id })).toBe(false)
    // The answer to another scope is that for an address without any invitation.
    await accounts().invite({ scope: 8, email: 'bob@example.com' })
    await expect(accounts().invite({ scope: 7n, email: 'BOB@example.com' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    auth.pass(1_000)
    expect(await accounts().resendInvitation({ scope: '7', id })).toMatchObject({ id })
    expect(await accounts().revokeInvitation({ scope: '7', id })).toBe(true)
    expect(await accounts().revokeInvitation({ scope: '7', id })).toBe(false)
    expect(auth.events().map(({ action }) => action)).toEqual([
      'user-invited',
      'user-invited',
      'invitation-resent',
      'invitation-revoked',
    ])
  })

  test('of twenty at once for one address and scope one is made', async () => {
    const { values, codes } = await inParallel(20, () => accounts().invite({ scope: 7, email }))
    expect(values).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set(['CONFLICT']))
  })

  test('an account that is there keeps its password, roles and sessions', async () => {
    const before = { email, password: 'the password of somebody' }
    const { user, session } = await auth.signUp(before, client)
    const invited = await accounts().invite({ scope: 7, email, roles: ['user'] })
    const fresh = await accounts().invite({ scope: 7, email: 'eve@example.com', roles: ['user'] })
    expect({ ...invited, id: '', email: '' }).toEqual({ ...fresh, id: '', email: '' })
    const token = await auth.mailedToken(email, subject)
    await expect(accept(token)).rejects.toMatchObject({ code: 'EMAIL_EXISTS', status: 409 })
    expect((await auth.session(session.token, client)).user).toEqual(user)
    expect(await auth.admin.listUsers({ limit: 10, offset: 0 })).toMatchObject([{ roles: null }])
    await expect(auth.signIn(before, client)).resolves.toBeDefined()
  })

  test('of invitations to two scopes the first that is accepted makes the account', async () => {
    await accounts().invite({ scope: 7, email, name: 'of 7' })
    const first = await auth.mailedToken(email, subject)
    auth.pass(1_000)
    await accounts().invite({ scope: 8, email, name: 'of 8' })
    const second = await auth.mailedToken(email, subject, 2)
    const { user } = await accept(second)
    expect(user.name).toBe('of 8')
    await expect(accept(first)).rejects.toMatchObject({ code: 'EMAIL_EXISTS' })
  })

  test('what names no scope is a fault of the action', async () => {
    for (const scope of [undefined, null, '', 1.5, Number.NaN, {}, [], true, 'x'.repeat(191)]) {
      const wrong = { scope, email } as unknown as Input
      await expect(accounts().invite(wrong)).rejects.toThrow(TypeError)
      await expect(accounts().listInvitations(wrong)).rejects.toThrow(TypeError)
    }
    const below = accounts().listInvitations({ scope: 7, limit: -1 })
    await expect(below).rejects.toThrow(RangeError)
    expect(await auth.admin.outbox()).toEqual([])
  })

  test('input of another type is refused, as a client may have sent it', async () => {
    const wrong: readonly object[] = [
      { email: 7 },
      { email: ['bob@example.com'] },
      { email: 'bob' },
      { name: {} },
      { roles: 'user' },
      { roles: [['user']] },
      { roles: ['unheard'] },
      { fields: 'x' },
      { fields: { company_id: 7 } },
      { expiresIn: 7 },
      { expiresIn: '99d' },
    ]
    for (const part of wrong) {
      const made = accounts().invite({ scope: 7, email, ...part } as Input)
      await expect(made, JSON.stringify(part)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    }
    const id = { scope: 7, id: 7 as unknown as string }
    await expect(accounts().revokeInvitation(id)).rejects.toMatchObject({ status: 400 })
    expect(await auth.admin.outbox()).toEqual([])
  })
})

describe('invitations of actions', () => {
  let stores: TestStore
  let auth: OpenAuth
  beforeEach(async () => {
    stores = await openSqliteStore()
  })
  afterEach(async () => {
    await auth.close()
    await stores.remove()
  })

  test('no address gets more than three mails in a quarter of an hour', async () => {
    auth = await openAuth(stores.store, { auth: { throttle: {} } })
    const accounts = auth.forActions(admin, origin)
    const { id } = await accounts.invite({ scope: 1, email })
    await accounts.resendInvitation({ scope: 1, id })
    await accounts.invite({ scope: 2, email })
    const limited = { code: 'RATE_LIMITED' }
    await expect(accounts.invite({ scope: 3, email })).rejects.toMatchObject(limited)
    await expect(accounts.resendInvitation({ scope: 1, id })).rejects.toMatchObject(limited)
    await accounts.invite({ scope: 1, email: 'eve@example.com' })
    auth.pass(15 * 60_000)
    await accounts.resendInvitation({ scope: 1, id })
  })

  test('invitations from before there were scopes are those of administrators', async () => {
    auth = await openAuth(stores.store)
    await auth.admin.invite({ email, name: 'Bob' })
    const token = await auth.mailedToken(email, subject)
    await auth.close()
    const { database } = stores.store
    await database.schema
      .createTable('engine_invitations')
      .as(
        database
          .selectFrom('engine_account_invitations')
          .select(['id', 'email', 'email_key', 'name', 'roles', 'fields', 'lifetime'])
          .select(['created_at', 'sent_at', 'expires_at']),
      )
      .execute()
    await database.schema.dropTable('engine_account_invitations').execute()
    await database
      .deleteFrom('engine_migrations')
      .where('name', '=', 'auth/accounts-0003-invitations-in-scopes')
      .execute()
    auth = await openAuth(stores.store)
    expect(await auth.admin.listInvitations({ limit: 10, offset: 0 })).toMatchObject([
      { email, name: 'Bob', scope: null },
    ])
    await auth.acceptInvitation({ token, password }, client)
    const tables = await database.introspection.getTables()
    expect(tables.map(({ name }) => name)).not.toContain('engine_invitations')
  })
})

describe('rows of a user table', () => {
  let stores: TestStore
  let shop: UserDatabase
  let auth: OpenAuth
  beforeEach(async () => {
    stores = await openSqliteStore()
    shop = await openSqliteUsers()
    auth = await openAuth(stores.store, {
      connections: { shop: shop.url },
      auth: {
        userTable: {
          table: 'shop.users',
          matchOn: { column: 'id', jwtField: 'sub' },
          columns: ['plan'],
        },
      },
    })
  })
  afterEach(async () => {
    await auth.close()
    await shop.remove()
    await stores.remove()
  })
  const accept = (token: string) => auth.acceptInvitation({ token, password }, client)

  test('rows of a user table are made with the fields that the action gives', async () => {
    const accounts = auth.forActions(owner, origin)
    await accounts.invite({ scope: 7, email, fields: { plan: 'gold' } })
    const { session } = await accept(await auth.mailedToken(email, subject))
    expect((await auth.authenticate(session.token, client)).caller.fields).toMatchObject({
      plan: 'gold',
    })
    for (const fields of [{ id: 1 }, { email: 'x' }, { secret_hash: 'x' }, { colour: 'x' }]) {
      const made = accounts.invite({ scope: 7, email: 'eve@example.com', fields })
      await expect(made).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    }
  })

  test('rows of a user table are left alone where they are there, with an account or without', async () => {
    const accounts = auth.forActions(owner, origin)
    await auth.signUp({ email, password, name: 'Bob' }, client)
    const before = await shop.rows('select * from users')
    expect(before).toHaveLength(2)
    for (const address of [email, 'old@example.com']) {
      await accounts.invite({ scope: 7, email: address, fields: { plan: 'gold' } })
      const token = await auth.mailedToken(address, subject)
      await expect(accept(token)).rejects.toMatchObject({ code: 'EMAIL_EXISTS' })
    }
    expect(await shop.rows('select * from users')).toEqual(before)
  })
})
