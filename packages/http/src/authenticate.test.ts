import { parseConfig, type Settings } from '@engine/core'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createAuthenticator } from './authenticate.ts'

const secret = 'a secret of at least thirty-two bytes!'
const masterKey = 'a master key of at least thirty-two bytes'
const connections = { main: 'shop.db' }

function settings(config: object = {}): Settings {
  return parseConfig({ connections, auth: { secret }, ...config })
}

function request(authorization?: string): Request {
  const headers = authorization === undefined ? {} : { authorization }
  return new Request('http://localhost/data', { method: 'POST', headers })
}

interface TokenOptions {
  readonly claims?: Record<string, unknown>
  readonly key?: string
  readonly algorithm?: string
}

function token({ claims = {}, key = secret, algorithm = 'HS256' }: TokenOptions = {}) {
  const exp = Math.floor(Date.now() / 1_000) + 600
  return new SignJWT({ sub: 'ada', exp, ...claims })
    .setProtectedHeader({ alg: algorithm })
    .sign(new TextEncoder().encode(key))
}

async function callerOf(authorization: string | undefined, config: object = {}) {
  return createAuthenticator(settings(config))(request(authorization))
}

test('a valid token gives a user with its roles and claims', async () => {
  const bearer = await token({ claims: { roles: ['clerk'], role: 'boss', tenant: 7 } })
  expect(await callerOf(`Bearer ${bearer}`)).toMatchObject({
    kind: 'user',
    id: 'ada',
    roles: ['clerk', 'boss'],
    fields: { id: 'ada', tenant: 7 },
  })
})

test('a token without roles gets the default ones', async () => {
  const bearer = await token()
  expect(await callerOf(`Bearer ${bearer}`)).toMatchObject({ roles: ['user'] })
  const config = { auth: { secret, roles: { default: ['guest'] } } }
  expect(await callerOf(`Bearer ${bearer}`, config)).toMatchObject({ roles: ['guest'] })
})

test('an empty list of roles is no role, not the default ones', async () => {
  for (const roles of [[], [1], {}, null]) {
    const bearer = await token({ claims: { roles } })
    expect(await callerOf(`Bearer ${bearer}`)).toMatchObject({ roles: [] })
  }
})

test('roles can be read from a nested claim', async () => {
  const bearer = await token({ claims: { realm: { access: ['clerk'] } } })
  const config = { auth: { secret, roles: { claim: 'realm.access' } } }
  expect(await callerOf(`Bearer ${bearer}`, config)).toMatchObject({ roles: ['clerk'] })
})

test('roles that are no texts are no roles', async () => {
  const bearer = await token({ claims: { roles: [1, { admin: true }, null, ['admin'], 'clerk'] } })
  expect(await callerOf(`Bearer ${bearer}`)).toMatchObject({ roles: ['clerk'] })
})

test('the second use of a token gives the same caller object', async () => {
  const authenticate = createAuthenticator(settings())
  const bearer = `Bearer ${await token()}`
  const first = await authenticate(request(bearer))
  expect(await authenticate(request(bearer))).toBe(first)
})

const past = Math.floor(Date.now() / 1_000) - 60
const future = Math.floor(Date.now() / 1_000) + 60

test.each<[string, TokenOptions]>([
  ['another key', { key: 'another secret of thirty-two bytes!!' }],
  ['another algorithm', { algorithm: 'HS512' }],
  ['an expiry that has passed', { claims: { exp: past } }],
  ['no expiry', { claims: { exp: undefined } }],
  ['no subject', { claims: { sub: undefined } }],
  ['an empty subject', { claims: { sub: '' } }],
  ['a start in the future', { claims: { nbf: future } }],
  ['an issue date in the future', { claims: { iat: future } }],
])('a token with %s is 401', async (_, options) => {
  const bearer = await token(options)
  await expect(callerOf(`Bearer ${bearer}`)).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    status: 401,
  })
})

test('issuer and audience are checked where configured', async () => {
  const config = { jwt: { issuer: 'us', audience: 'shop' } }
  const right = await token({ claims: { iss: 'us', aud: 'shop' } })
  expect(await callerOf(`Bearer ${right}`, config)).toMatchObject({ id: 'ada' })
  for (const claims of [{ iss: 'them', aud: 'shop' }, { iss: 'us', aud: 'bank' }, { iss: 'us' }]) {
    const wrong = await token({ claims })
    await expect(callerOf(`Bearer ${wrong}`, config)).rejects.toMatchObject({ status: 401 })
  }
})

test.each([
  ['nothing', undefined],
  ['another scheme', 'Basic YTpi'],
  ['an empty token', 'Bearer '],
  ['rubbish', 'Bearer not.a.token'],
  [
    'an unsigned token',
    `Bearer ${btoa('{"alg":"none"}')}.${btoa('{"sub":"ada","exp":9999999999}')}.`,
  ],
])('%s is 401', async (_, authorization) => {
  await expect((async () => callerOf(authorization))()).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    status: 401,
  })
})

test('the master key is admin, in open mode too', async () => {
  expect(await callerOf(`Bearer ${masterKey}`, { masterKey })).toMatchObject({ kind: 'admin' })
  const open = createAuthenticator(parseConfig({ connections, masterKey }))
  expect(await open(request(`Bearer ${masterKey}`))).toMatchObject({ kind: 'admin' })
})

test('a master key may hold blanks; blanks around it do not count', async () => {
  expect(await callerOf(`bearer   ${masterKey}  `, { masterKey })).toMatchObject({ kind: 'admin' })
  await expect((async () => callerOf(`Bearer ${masterKey} x`, { masterKey }))()).rejects.toThrow()
})

test('without auth every caller is anonymous', async () => {
  const open = createAuthenticator(parseConfig({ connections }))
  expect(await open(request())).toMatchObject({ kind: 'anonymous', roles: ['anonymous'] })
  expect(await open(request('Bearer whatever'))).toMatchObject({ kind: 'anonymous' })
})
