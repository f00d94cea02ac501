import type { Config } from '@engine/core'
import { parseConfig } from '@engine/core/server'
import { expect, test } from 'vitest'
import { rawToken } from '../../test/support/raw-token.ts'
import { createTokenProvider } from './token-provider.ts'

const secret = 'a secret of at least thirty-two bytes'
const foreign = 'a foreign secret of at least 32 bytes'
const exp = Math.floor(Date.now() / 1_000) + 600
const client = { ip: undefined, userAgent: undefined, correlationId: 'test' }

function provider(config: Partial<Config> = {}) {
  const settings = parseConfig({ connections: { main: 'x.db' }, auth: { secret }, ...config })
  return createTokenProvider(settings)
}

function token(claims: object = {}, key = secret): string {
  return rawToken({ alg: 'HS256' }, { sub: 'ada', exp, ...claims }, { secret: key })
}

async function authenticate(text: string, config: Partial<Config> = {}) {
  return provider(config)?.authenticate(text, client)
}

test('a token gives a user with its claims', async () => {
  expect(await authenticate(token({ tenant: 7, id: 'eve' }))).toEqual({
    caller: {
      kind: 'user',
      id: 'ada',
      roles: [],
      fields: { sub: 'ada', exp, tenant: 7, id: 'ada' },
    },
    credential: 'token',
    credentialId: undefined,
    expiresAtMs: exp * 1_000,
  })
})

test.each([
  ['says nothing', {}, []],
  ['has none', { roles: [] }, []],
  ['says something else', { roles: { admin: true }, role: 5 }, []],
  ['brings some', { roles: ['clerk'] }, ['clerk']],
])(
  'a token made elsewhere that %s about roles never has the default ones',
  async (_, claims, roles) => {
    const auth = { secret, roles: { default: ['guest'] } }
    expect(await authenticate(token(claims), { auth })).toMatchObject({ caller: { roles } })
  },
)

test.each([
  [{}, ['partner']],
  [{ roles: [] }, []],
  [{ roles: null }, []],
  [{ role: 'clerk' }, ['clerk']],
])(
  'an issuer gives roles to its tokens that say nothing about roles: %j',
  async (claims, roles) => {
    const issuer = { issuer: 'https://a.test', secret: foreign, roles: { default: ['partner'] } }
    const other = { issuer: 'https://b.test', secret: foreign }
    const auth = { secret, issuers: [issuer, other], roles: { default: ['guest'] } }
    const rolesOf = async (iss: string) =>
      (await authenticate(token({ iss, ...claims }, foreign), { auth }))?.caller.roles
    expect(await rolesOf('https://a.test')).toEqual(roles)
    expect(await rolesOf('https://b.test')).toEqual('role' in claims ? ['clerk'] : [])
  },
)

test('roles are read where the configuration says', async () => {
  const auth = { secret, roles: { claim: 'realm.access' } }
  const text = token({ realm: { access: ['clerk'] }, roles: ['admin'] })
  expect(await authenticate(text, { auth })).toMatchObject({ caller: { roles: ['clerk'] } })
})

test('users of issuers are distinguished from ours and from each other', async () => {
  const auth = {
    secret,
    issuers: [
      { issuer: 'https://a.test', secret: foreign, roles: { claim: 'groups' } },
      { issuer: 'https://b.test', secret: foreign },
    ],
  }
  const ids = []
  for (const iss of ['https://a.test', 'https://b.test']) {
    const text = token({ iss, groups: ['clerk'], id: 'eve' }, foreign)
    const { caller } = (await authenticate(text, { auth })) ?? {}
    expect(caller?.fields).toMatchObject({ id: `${iss}|ada`, sub: 'ada', iss })
    ids.push(caller?.kind === 'user' && [caller.id, caller.roles])
  }
  expect(ids).toEqual([
    ['https://a.test|ada', ['clerk']],
    ['https://b.test|ada', []],
  ])
})

test('the same caller is the same object, also when the token is verified anew', async () => {
  const known = provider()
  const text = token()
  const first = await known?.authenticate(text, client)
  expect(await known?.authenticate(text, client)).toBe(first)
})

test('a token of a session is refused: it is not known whether the session has ended', async () => {
  await expect(authenticate(token({ sid: 'abc' }))).rejects.toMatchObject({ status: 401 })
})

test('without a secret there are no tokens of ours', async () => {
  for (const config of [{ auth: {} }, { auth: { secret }, jwt: { algorithms: ['ES256'] } }]) {
    await expect(authenticate(token(), config)).rejects.toMatchObject({ status: 401 })
    await expect(authenticate(token({}, ''), config)).rejects.toMatchObject({ status: 401 })
  }
})

test('there is no provider without options', () => {
  expect(createTokenProvider(parseConfig({ connections: { main: 'x.db' } }))).toBeUndefined()
})

test('claims by the names of prototypes are claims', async () => {
  const text = rawToken(
    { alg: 'HS256' },
    `{"sub":"ada","exp":${exp},"__proto__":{"tenant":7},"constructor":1}`,
    { secret },
  )
  const { caller } = (await authenticate(text)) ?? {}
  expect(Object.getPrototypeOf(caller?.fields)).toBe(Object.prototype)
  expect(Object.hasOwn(caller?.fields ?? {}, '__proto__')).toBe(true)
  expect(caller?.fields['tenant']).toBeUndefined()
})
