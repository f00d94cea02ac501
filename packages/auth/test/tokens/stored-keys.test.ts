/** Key pairs in the service database, for tokens that other services verify. */
import { eachStore, openSqliteStore, type TestStore } from '@engine/test-stores'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { client, type OpenAuth, openAuth, password } from '../support/open-auth.ts'
import { rawToken } from '../support/raw-token.ts'

const secret = 'a secret of at least thirty-two bytes'
const es256 = { jwt: { algorithms: ['ES256'] } }
const person = { email: 'ada@example.com', password }
const unauthorized = { code: 'UNAUTHORIZED', status: 401 }

eachStore('key pairs', (open) => {
  let stores: TestStore
  const opened: OpenAuth[] = []
  beforeEach(async () => {
    stores = await open()
  })
  afterEach(async () => {
    for (const auth of opened.splice(0)) await auth.close()
    await stores.remove()
  })

  async function node(options: Parameters<typeof openAuth>[1]): Promise<OpenAuth> {
    const auth = await openAuth(await stores.openAgain(), options)
    opened.push(auth)
    return auth
  }

  test('nodes that start together have one pair, and accept each other’s tokens', async () => {
    const nodes = await Promise.all(Array.from({ length: 4 }, () => node(es256)))
    const rows = await stores.store.database.selectFrom('engine_signing_keys').selectAll().execute()
    expect(rows).toMatchObject([{ id: 'ES256-1', algorithm: 'ES256' }])
    expect(rows[0]?.['private_key']).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/)
    const [first] = nodes
    const { session } = (await first?.signUp(person, client)) ?? {}
    for (const auth of nodes) {
      expect(await auth.authenticate(session?.token ?? '', client)).toMatchObject({
        credential: 'session',
      })
      expect(auth.jwks()).toEqual(first?.jwks())
    }
  })

  test('anybody can verify with the published keys, which hold nothing private', async () => {
    const auth = await node(es256)
    const { keys } = auth.jwks()
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        alg: 'ES256',
        use: 'sig',
      },
    ])
    const { session, user } = await auth.signUp(person, client)
    const { payload } = await jwtVerify(
      session.token,
      createLocalJWKSet({ keys: [...keys] as never }),
      {
        currentDate: new Date(auth.now()),
      },
    )
    expect(payload).toMatchObject({ sub: user.id, iss: 'engine' })
  })

  test('HS256 with the secret is refused, and with the public key', async () => {
    const auth = await node(es256)
    const exp = Math.floor(auth.now() / 1_000) + 60
    const { keys } = auth.jwks()
    const [jwk] = keys as readonly [{ readonly kid: string }]
    for (const key of [secret, JSON.stringify(jwk)]) {
      for (const header of [{ alg: 'HS256' }, { alg: 'HS256', kid: jwk.kid }]) {
        const token = rawToken(header, { sub: 'ada', exp }, { secret: key })
        await expect(auth.authenticate(token, client)).rejects.toMatchObject(unauthorized)
      }
    }
  })

  test('with another secret a new pair signs, the former goes on verifying', async () => {
    const first = await node(es256)
    const { session } = await first.signUp(person, client)
    const second = await node({
      ...es256,
      auth: { secret: 'another secret of thirty-two bytes or so' },
    })
    expect(await second.authenticate(session.token, client)).toMatchObject({
      credential: 'session',
    })
    expect(second.jwks().keys).toHaveLength(2)
    expect(second.logged.join()).toContain('sealed with another secret')
    const fresh = await second.signIn(person, client)
    first.pass(30_000)
    expect(await first.authenticate(fresh.session.token, client)).toMatchObject({
      credential: 'session',
    })
  })

  test('a replaced secret opens the pair, as long as the former one is listed', async () => {
    await node(es256)
    const rotated = await node({
      ...es256,
      auth: { secret: ['the new secret of thirty-two bytes or so', secret] },
    })
    expect(rotated.jwks().keys).toHaveLength(1)
  })
})

test.each(['RS256', 'EdDSA'])('%s, where nothing better is allowed', async (algorithm) => {
  const stores = await openSqliteStore()
  const auth = await openAuth(stores.store, {
    jwt: { algorithms: [algorithm] },
    masterKey: 'a master key of thirty-two bytes or so',
  })
  const { session } = await auth.signUp(person, client)
  const [header = ''] = session.token.split('.')
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: algorithm })
  expect(await auth.authenticate(session.token, client)).toMatchObject({ credential: 'session' })
  await auth.close()
  await stores.remove()
})

test('without any secret, production does not start and development says what that means', async () => {
  const stores = await openSqliteStore()
  const fault = { details: { faults: [expect.objectContaining({ path: 'auth.secret' })] } }
  for (const jwt of [undefined, { algorithms: ['ES256'] }]) {
    const config = { auth: { secret: undefined as never }, ...(jwt && { jwt }) }
    await expect(openAuth(stores.store, config)).rejects.toMatchObject(fault)
    const auth = await openAuth(stores.store, { ...config, isProduction: false })
    expect(auth.logged.join()).toContain('sessions end with this process')
    const { session } = await auth.signUp(
      { ...person, email: `${jwt}@example.com`.replace(/[^\w@.]/g, '') },
      client,
    )
    expect(await auth.authenticate(session.token, client)).toMatchObject({ credential: 'session' })
    await auth.close()
  }
  await stores.remove()
})
