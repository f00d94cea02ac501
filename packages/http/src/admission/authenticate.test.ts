import { parseConfig, type Settings } from '@engine/core/server'
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

const client = { ip: undefined, userAgent: undefined, correlationId: 'test' }

async function callerOf(authorization: string | undefined, config: object = {}) {
  const { caller } = await createAuthenticator(settings(config))(request(authorization), client)
  return caller
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
  expect(await open(request(`Bearer ${masterKey}`), client)).toMatchObject({
    caller: { kind: 'admin' },
    credential: 'masterKey',
  })
})

test('two Authorization headers are 401', async () => {
  const bearer = `Bearer ${await token()}`
  const twice = request(bearer)
  twice.headers.append('authorization', bearer)
  await expect(
    (async () => createAuthenticator(settings())(twice, client))(),
  ).rejects.toMatchObject({
    status: 401,
  })
})

test('a provider of the application is asked what a token is worth', async () => {
  const caller = { kind: 'user', id: 'ada', roles: ['clerk'], fields: {} } as const
  const authenticated = {
    caller,
    credential: 'token',
    credentialId: undefined,
    expiresAtMs: undefined,
  } as const
  const own = parseConfig({ connections, auth: { authenticate: () => authenticated } })
  const authenticate = createAuthenticator(own)
  expect(await authenticate(request('Bearer whatever'), client)).toBe(authenticated)
  await expect((async () => authenticate(request(), client))()).rejects.toMatchObject({
    status: 401,
  })
})

test('a master key may hold blanks; blanks around it do not count', async () => {
  expect(await callerOf(`bearer   ${masterKey}  `, { masterKey })).toMatchObject({ kind: 'admin' })
  await expect((async () => callerOf(`Bearer ${masterKey} x`, { masterKey }))()).rejects.toThrow()
})

test('without auth every caller is anonymous', async () => {
  const open = createAuthenticator(parseConfig({ connections }))
  const nobody = { caller: { kind: 'anonymous', roles: ['anonymous'] }, credential: 'none' }
  expect(await open(request(), client)).toMatchObject(nobody)
  expect(await open(request('Bearer whatever'), client)).toMatchObject(nobody)
})
