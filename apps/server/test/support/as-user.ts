/** @module Configurations of callers, and the credentials of their users: what an administrator sees as one of them. */
import { type AuthConfig, type Config, defineAction } from '@engine/core'
import { SignJWT } from 'jose'
import { expect } from 'vitest'
import { z } from 'zod'
import { type Accounts, authSecret, masterKey, openAccounts, password } from './accounts.ts'

const issuer = 'https://login.test/'
const issuerSecret = 'another secret of at least thirty-two bytes'

/** A caller, with a credential of its own and as an administrator names it. */
export interface Owner {
  readonly name: string
  readonly credential: string
  readonly as: Readonly<Record<string, unknown>>
  /** Its entries in the audit do not tell all about it: claims are not recorded. */
  readonly isPartlyRecorded?: boolean
}

export interface Configuration {
  readonly name: string
  readonly auth: AuthConfig
  readonly owners: (accounts: Accounts) => Promise<readonly Owner[]>
}

const tables = `
  create table people (
    id text primary key, email text unique, name text, role text default 'member', tenant_id integer default 1
  );
  create table orders (id integer primary key, tenant_id integer, owner text, total integer not null);
  insert into orders values (1, 1, 'ann', 10), (2, 2, 'ben', 20), (3, 2, 'cara', 30), (4, 3, 'dora', 40);
  insert into people values
    ('row-1', 'row-1@example.com', 'Row One', 'member', 2),
    ('row-2', 'row-2@example.com', 'Row Two', 'clerk', 3);
`

const permissions: NonNullable<Config['permissions']> = [
  {
    name: 'orders-of-tenant',
    table: 'main.orders',
    roles: ['member', 'user'],
    select: { columns: ['id', 'tenant_id', 'owner'], where: { tenant_id: '$user.tenant_id' } },
    insert: { columns: ['tenant_id', 'owner', 'total'], check: { owner: '$user.id' } },
  },
  {
    name: 'orders-of-clerks',
    table: 'main.orders',
    roles: ['clerk'],
    select: {},
    update: { columns: ['owner'], where: { id: { $gt: 0 } } },
  },
  {
    name: 'notes-of-owner',
    table: 'main.notes',
    roles: ['user'],
    select: { where: { owner: '$user.id' } },
  },
]

/** Answers what an action knows of its caller. */
const who = defineAction({
  roles: ['member', 'user', 'clerk'],
  input: z.object({}),
  run: async ({ user, db }) => {
    await db.selectFrom('main.orders').select('id').execute()
    return { id: user['id'] ?? null, tenant: user['tenant_id'] ?? null, roles: user.roles }
  },
})

export function openFor({ auth }: Configuration): Promise<Accounts> {
  return openAccounts(auth, {
    tables,
    config: { permissions, actions: { who }, audit: { enabled: true, logParams: true } },
  })
}

async function account(
  accounts: Accounts,
  email: string,
  change: Readonly<Record<string, unknown>> = {},
): Promise<Owner & { readonly id: string }> {
  const { body } = await accounts.call('POST', '/auth/sign-up', { body: { email, password } })
  const { id } = body.user
  if (Object.keys(change).length > 0) {
    const answer = await accounts.call('PATCH', `/admin/api/users/${id}`, {
      token: masterKey,
      body: change,
    })
    expect(answer.status).toBe(200)
  }
  return { name: email, id, credential: body.session.token, as: { user: id } }
}

async function apiKey(accounts: Accounts, input: object): Promise<Owner & { readonly id: string }> {
  const { status, body } = await accounts.call('POST', '/admin/api/api-keys', {
    token: masterKey,
    body: input,
  })
  expect(status).toBe(201)
  const { id, key } = body.apiKey
  return { name: `key ${JSON.stringify(input)}`, id, credential: key, as: { apiKey: id } }
}

function signed(claims: Readonly<Record<string, unknown>>, secret = authSecret): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
}

async function ofToken(
  claims: Readonly<Record<string, unknown>>,
  {
    iss,
    isPartlyRecorded = true,
  }: { readonly iss?: string; readonly isPartlyRecorded?: boolean } = {},
): Promise<Owner> {
  const { sub } = claims
  const credential =
    iss === undefined ? await signed(claims) : await signed({ ...claims, iss }, issuerSecret)
  const user = iss === undefined ? String(sub) : `${iss}|${sub}`
  return {
    name: `token ${JSON.stringify(claims)}`,
    credential,
    as: { user, claims },
    isPartlyRecorded,
  }
}

const byTenant = { table: 'main.people', columns: ['id', 'tenant_id'] }

export const configurations: readonly Configuration[] = [
  {
    name: 'accounts alone',
    auth: {},
    owners: async (accounts) => [
      await account(accounts, 'user@example.com'),
      await account(accounts, 'clerk@example.com', { roles: ['clerk'] }),
      await account(accounts, 'none@example.com', { roles: [] }),
      await account(accounts, 'gone@example.com', { disabled: true }),
    ],
  },
  {
    name: 'accounts whose addresses must be verified',
    auth: { emailVerification: true },
    owners: async (accounts) => {
      const made = await accounts.call('POST', '/admin/api/users', {
        token: masterKey,
        body: { email: 'new@example.com', verified: true, password },
      })
      const { id } = made.body.user
      const { body } = await accounts.call('POST', '/auth/sign-in', {
        body: { email: 'new@example.com', password },
      })
      const owner = { name: 'verified, then not', credential: body.session.token, as: { user: id } }
      await accounts.gateway.store?.database
        .updateTable('engine_users' as never)
        .set({ email_verified: 0 } as never)
        .execute()
      accounts.pass(60_000)
      return [owner]
    },
  },
  {
    name: 'a user table with the roles',
    auth: { userTable: { table: 'main.people', columns: ['id', 'tenant_id', 'role'] } },
    owners: async (accounts) => {
      const clerk = await account(accounts, 'clerk@example.com', { roles: ['member'] })
      accounts.execute(`update people set role = 'clerk' where id = '${clerk.id}'`)
      const orphan = await account(accounts, 'orphan@example.com')
      accounts.execute(`delete from people where id = '${orphan.id}'`)
      return [
        await account(accounts, 'member@example.com'),
        clerk,
        orphan,
        await account(accounts, 'gone@example.com', { disabled: true }),
        await ofToken({ sub: 'row-1', role: 'clerk' }, { isPartlyRecorded: false }),
        {
          ...(await ofToken({ sub: 'row-2' }, { isPartlyRecorded: false })),
          as: { user: 'row-2' },
        },
        await ofToken({ sub: 'nobody' }, { isPartlyRecorded: false }),
      ]
    },
  },
  {
    name: 'a user table with the tenant',
    auth: { userTable: byTenant },
    owners: async (accounts) => {
      const other = await account(accounts, 'other@example.com')
      accounts.execute(`update people set tenant_id = 2 where id = '${other.id}'`)
      const key = await apiKey(accounts, { name: 'other', roles: ['member'], userId: other.id })
      return [
        await account(accounts, 'user@example.com'),
        other,
        key,
        await ofToken({ sub: 'row-1', roles: ['member'] }, { isPartlyRecorded: false }),
        await ofToken({ sub: other.id, roles: ['clerk'] }, { isPartlyRecorded: false }),
      ]
    },
  },
  {
    name: 'a user table that is matched by address, and resolveSession',
    auth: {
      userTable: { ...byTenant, matchOn: { column: 'email', jwtField: 'email' } },
      resolveSession: async (user, db) => {
        const { tenant_id: tenant } = user.fields
        const first = await db
          .selectFrom('main.orders')
          .select('id')
          .where('tenant_id', '=', tenant)
          .executeTakeFirst()
        return { roles: first === undefined ? [] : ['member'] }
      },
    },
    owners: async (accounts) => [
      await account(accounts, 'user@example.com'),
      await ofToken({ sub: 'x', email: 'row-1@example.com' }),
      await ofToken({ sub: 'x', email: 'nobody@example.com' }),
    ],
  },
  {
    name: 'tokens with claims',
    auth: {
      roles: { default: ['user'], claim: 'realm.roles' },
      issuers: [
        { issuer, secret: issuerSecret, roles: { default: ['member'] }, linkByEmail: true },
      ],
    },
    owners: async (accounts) => {
      const linked = await accounts.call('POST', '/admin/api/users', {
        token: masterKey,
        body: { email: 'linked@example.com', verified: true, password, roles: ['clerk'] },
      })
      expect(linked.status).toBe(201)
      return [
        await ofToken({ sub: 'ann', realm: { roles: ['member'] }, tenant_id: 2 }),
        await ofToken({ sub: 'ben', role: 'clerk' }, { isPartlyRecorded: false }),
        await ofToken({ sub: 'cara', tenant_id: 2 }),
        await ofToken({ sub: 'admin', realm: { roles: ['member'] }, tenant_id: 1 }),
        await ofToken({ sub: 'ann', tenant_id: 2 }, { iss: issuer }),
        await ofToken({ sub: 'ben', roles: ['clerk'] }, { iss: issuer }),
        await ofToken(
          { sub: 'dora', email: 'linked@example.com', email_verified: true },
          { iss: issuer },
        ),
      ]
    },
  },
  {
    name: 'API keys',
    auth: {},
    owners: async (accounts) => {
      const user = await account(accounts, 'user@example.com')
      const revoked = await apiKey(accounts, { name: 'revoked', roles: ['clerk'] })
      await accounts.call('DELETE', `/admin/api/api-keys/${revoked.id}`, { token: masterKey })
      const ofDisabled = await account(accounts, 'disabled@example.com')
      const lost = await apiKey(accounts, { name: 'lost', roles: ['clerk'], userId: ofDisabled.id })
      await accounts.call('PATCH', `/admin/api/users/${ofDisabled.id}`, {
        token: masterKey,
        body: { disabled: true },
      })
      return [
        await apiKey(accounts, { name: 'clerk', roles: ['clerk'] }),
        await apiKey(accounts, { name: 'tenant', roles: ['member'], fields: { tenant_id: 3 } }),
        await apiKey(accounts, { name: 'none', roles: [] }),
        await apiKey(accounts, { name: 'user', roles: ['user'], userId: user.id }),
        revoked,
        lost,
      ]
    },
  },
]

/** With what they need to be possible for some callers and refused to others. */
export const statements: readonly { readonly sql: string; readonly params: readonly unknown[] }[] =
  [
    { sql: 'select count(*) from main.orders', params: [] },
    { sql: 'select id, owner from main.orders where id > $1 order by id', params: [0] },
    { sql: 'select total from main.orders', params: [] },
    { sql: 'select * from main.notes', params: [] },
    { sql: 'select * from main.people', params: [] },
    { sql: 'insert into main.orders (tenant_id, owner, total) values (1, $1, 5)', params: ['ann'] },
    { sql: 'update main.orders set owner = $1 where id = 2', params: ['ben'] },
    { sql: 'select nothing from main.orders', params: [] },
    { sql: 'select', params: [] },
  ]
