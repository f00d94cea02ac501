/** Roles of tokens that were created elsewhere, by every way of authentication: HTTP, the wire protocol, /auth. */
import { generateKeyPairSync } from 'node:crypto'
import type { AuthConfig } from '@engine/core'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Accounts,
  authSecret,
  type CallAnswer,
  openAccounts,
  readNotes,
  signUp,
} from '../support/accounts.ts'
import { withWire } from '../support/wire.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const keys = { jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }) }] } }

const auth: AuthConfig = {
  issuers: [
    { issuer: 'https://plain.test', ...keys },
    { issuer: 'https://generous.test', ...keys, roles: { default: ['user'] } },
  ],
}

let accounts: Accounts
let address: string

beforeAll(async () => {
  const pgWire = { port: 0, auth: { strategy: ['jwt'] } } as const
  accounts = await openAccounts(auth, { config: { pgWire } })
  address = (await accounts.gateway.engine.startPgWire()).address
})
afterAll(() => accounts?.close())

function shared(claims: object): Promise<string> {
  return new SignJWT({ sub: 'eve', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1m')
    .sign(new TextEncoder().encode(authSecret))
}

function issued(claims: object): Promise<string> {
  return new SignJWT({ sub: 'eve', ...claims })
    .setProtectedHeader({ alg: 'ES256' })
    .setExpirationTime('1m')
    .sign(privateKey)
}

const sql = 'select note from main.notes'

async function overWire(token: string): Promise<unknown> {
  const reading = withWire({ address, user: 'eve', password: token }, async (client) => {
    return (await client.query(sql)).rows
  })
  return reading.catch((error: { readonly code?: unknown }) => error.code)
}

async function inBatch(token: string): Promise<CallAnswer> {
  const body = { statements: [{ sql, params: [], method: 'all' }] }
  return accounts.call('POST', '/data/batch', { body, token })
}

const noRoles = [{}, { roles: [] }, { roles: null }, { roles: { 0: 'user' } }, { role: ['user'] }]

test.each([
  ...noRoles.map((claims) => ['with our secret', () => shared(claims), claims] as const),
  ...noRoles.map((claims) => {
    const iss = 'https://plain.test'
    return ['by an issuer', () => issued({ iss, ...claims }), claims] as const
  }),
])('a token made %s has no rights of an ordinary account: %o', async (_, make) => {
  const token = await make()
  expect((await readNotes(accounts, token)).status).toBe(403)
  expect((await inBatch(token)).status).toBe(403)
  expect(await overWire(token)).toBe('42501')
  const session = await accounts.call('GET', '/auth/session', { token })
  expect(session).toMatchObject({ status: 200, body: { session: { token } } })
  expect((await readNotes(accounts, session.body.session.token)).status).toBe(403)
})

test('a token has the roles that it brings, or those of its issuer’s own setting', async () => {
  for (const token of [
    await shared({ roles: ['user'] }),
    await issued({ iss: 'https://plain.test', role: 'user' }),
    await issued({ iss: 'https://generous.test' }),
  ]) {
    expect(await readNotes(accounts, token)).toMatchObject({ status: 200, body: { rows: [] } })
    expect(await overWire(token)).toEqual([])
  }
})

test('an account has the default roles, also where a token made elsewhere names it', async () => {
  const { id, token } = await signUp(accounts)
  expect((await readNotes(accounts, token)).status).toBe(200)
  expect((await readNotes(accounts, await shared({ sub: id }))).status).toBe(200)
  expect(
    (await readNotes(accounts, await issued({ iss: 'https://plain.test', sub: id }))).status,
  ).toBe(403)
})

test('GET /auth/session says of a user of others what the token says, and invents nothing', async () => {
  const iss = 'https://plain.test'
  const user = async (claims: object) =>
    (await accounts.call('GET', '/auth/session', { token: await issued({ iss, ...claims }) })).body
      .user
  expect(await user({ iat: 1_700_000_000 })).toEqual({ id: `${iss}|eve`, emailVerified: false })
  expect(await user({ email: 5, name: '', email_verified: 'true' })).toEqual({
    id: `${iss}|eve`,
    emailVerified: false,
  })
  expect(await user({ email: 'eve@plain.test', name: 'Eve', email_verified: true })).toEqual({
    id: `${iss}|eve`,
    email: 'eve@plain.test',
    name: 'Eve',
    emailVerified: true,
  })
})
