/** The caller of a token, on every service database, with two nodes. */
import { createHash, generateKeyPairSync } from 'node:crypto'
import type { AuthConfig } from '@engine/core'
import { eachStore, type TestStore } from '@engine/test-stores'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { client, type OpenAuth, openAuth, password } from '../support/open-auth.ts'
import { rawToken } from '../support/raw-token.ts'

const secret = 'a secret of at least thirty-two bytes'
const unauthorized = { code: 'UNAUTHORIZED', status: 401 }

eachStore('callers', (open) => {
  let stores: TestStore
  let first: OpenAuth
  let second: OpenAuth
  const others: OpenAuth[] = []
  beforeAll(async () => {
    stores = await open()
    first = await openAuth(stores.store)
    second = await openAuth(await stores.openAgain())
  })
  afterEach(async () => {
    for (const auth of others.splice(0)) await auth.close()
  })
  afterAll(async () => {
    await first.close()
    await second.close()
    await stores.remove()
  })

  /** A node with another configuration, on the same service database. */
  async function node(auth: AuthConfig): Promise<OpenAuth> {
    const opened = await openAuth(await stores.openAgain(), { auth })
    others.push(opened)
    return opened
  }

  let count = 0
  async function signUp(auth: OpenAuth) {
    count += 1
    const email = `ada-${count}@example.com`
    const { user, session } = await auth.signUp({ email, password, name: 'Ada' }, client)
    return { email, id: user.id, token: session.token }
  }

  /** A token that another service created with our secret. */
  function foreign(auth: OpenAuth, claims: object = {}, header: object = {}): string {
    const exp = Math.floor(auth.now() / 1_000) + 600
    return rawToken({ alg: 'HS256', ...header }, { sub: 'eve', exp, ...claims }, { secret })
  }

  test('what is known of a caller with a session', async () => {
    const auth = first
    const { email, id, token } = await signUp(auth)
    const { caller, credential, credentialId, expiresAtMs } = await auth.authenticate(token, client)
    expect(caller).toEqual({
      kind: 'user',
      id,
      roles: ['user'],
      fields: { id, sub: id, email, name: 'Ada', emailVerified: false },
    })
    expect({ credential, expiresAtMs }).toEqual({
      credential: 'session',
      expiresAtMs: auth.now() + 24 * 60 * 60_000,
    })
    const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(payload.sid).toBe(credentialId)
    const again = await auth.authenticate(token, client)
    expect(again.caller).toBe(caller)
  })

  test('a token says who and which session, and nothing about the person', async () => {
    const auth = first
    const { id, token } = await signUp(auth)
    const [header, payload] = token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    const seconds = auth.now() / 1_000
    const kid = createHash('sha256').update(secret).digest('hex').slice(0, 8)
    expect(header).toEqual({ alg: 'HS256', typ: 'JWT', kid })
    expect(payload).toEqual({
      iss: 'engine',
      sub: id,
      sid: expect.stringMatching(/^[\w-]{22}$/),
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: seconds,
      exp: seconds + 24 * 60 * 60,
      auth_time: seconds,
    })
  })

  test('what is signed out on one node is refused on the other with the next request', async () => {
    const { token } = await signUp(first)
    await second.authenticate(token, client)
    await first.signOut(token, client)
    for (const auth of [first, second]) {
      await expect(auth.authenticate(token, client)).rejects.toMatchObject(unauthorized)
      await expect(auth.session(token, client)).rejects.toMatchObject(unauthorized)
    }
  })

  test('roles and being disabled count from the next request on', async () => {
    const { id, token } = await signUp(first)
    await second.authenticate(token, client)
    await first.admin.updateUser(id, { roles: ['clerk'] })
    expect((await second.authenticate(token, client)).caller.roles).toEqual(['clerk'])
    await first.admin.updateUser(id, { roles: [] })
    expect((await second.authenticate(token, client)).caller.roles).toEqual([])
    await first.admin.updateUser(id, { disabled: true })
    await expect(second.authenticate(token, client)).rejects.toMatchObject(unauthorized)
  })

  test('a session of one and the name of another are refused', async () => {
    const auth = first
    const ada = await signUp(auth)
    const eve = await signUp(auth)
    const { credentialId: sid } = await auth.authenticate(eve.token, client)
    for (const claims of [
      { sub: ada.id, sid },
      { sub: eve.id, sid: 'AAAAAAAAAAAAAAAAAAAAAA' },
      { sub: 'eve', sid },
    ]) {
      const token = foreign(auth, claims)
      await expect(auth.authenticate(token, client)).rejects.toMatchObject(unauthorized)
    }
    expect(await auth.authenticate(foreign(auth, { sub: eve.id, sid }), client)).toMatchObject({
      caller: { id: eve.id },
    })
  })

  test('roles in a token of ours are never read back', async () => {
    const auth = await node({ roles: { inToken: true } })
    const { id, token } = await signUp(auth)
    const { credentialId: sid } = await auth.authenticate(token, client)
    const forged = foreign(auth, { sub: id, sid, roles: ['admin'], role: 'admin' })
    expect((await auth.authenticate(forged, client)).caller.roles).toEqual(['user'])
  })

  test('a token made elsewhere counts until it is signed out, on every node', async () => {
    const token = foreign(first, { roles: ['clerk'], tenant: 7 })
    for (const auth of [first, second]) {
      expect(await auth.authenticate(token, client)).toMatchObject({
        caller: { id: 'eve', roles: ['clerk'], fields: { tenant: 7, id: 'eve' } },
        credential: 'token',
      })
    }
    await first.signOut(token, client)
    await first.signOut(foreign(first, { jti: 'another' }), client)
    for (const auth of [first, second]) {
      await expect(auth.authenticate(token, client)).rejects.toMatchObject(unauthorized)
      await expect(auth.signOut(token, client)).rejects.toMatchObject(unauthorized)
    }
    const other = foreign(second, { roles: ['clerk'] })
    expect(await second.authenticate(other, client)).toMatchObject({ caller: { id: 'eve' } })
  })

  test('another signature of the same claims does not bring a signed out token back', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const issuers = [
      { issuer: 'idp', jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }) }] } },
    ]
    const auth = await node({ issuers })
    const exp = Math.floor(auth.now() / 1_000) + 600
    const sign = () =>
      rawToken(
        { alg: 'ES256' },
        { iss: 'idp', sub: 'ada', exp },
        { algorithm: 'ES256', key: privateKey },
      )
    const token = sign()
    expect(await auth.authenticate(token, client)).toMatchObject({ caller: { id: 'idp|ada' } })
    await auth.signOut(token, client)
    const twin = sign()
    expect(twin).not.toBe(token)
    await expect(auth.authenticate(twin, client)).rejects.toMatchObject(unauthorized)
  })

  test('a token made elsewhere without roles has none of an ordinary account, on every node', async () => {
    const token = foreign(first, { tenant: 7 })
    for (const auth of [first, second, first]) {
      const { caller } = await auth.authenticate(token, client)
      expect(caller).toMatchObject({ id: 'eve', roles: [], fields: { tenant: 7 } })
    }
    const { id, token: own } = await signUp(first)
    const { sid: _, ...claims } = JSON.parse(
      Buffer.from(own.split('.')[1] ?? '', 'base64url').toString(),
    )
    for (const sub of [`${id} `, id.toUpperCase(), 'user']) {
      const made = foreign(first, { ...claims, sub })
      expect((await second.authenticate(made, client)).caller.roles).toEqual([])
    }
  })

  test('resolveSession is given the roles that a token made elsewhere has', async () => {
    const auth = await node({ resolveSession: ({ roles }) => ({ seen: roles }) })
    const roles = async (claims: object) =>
      (await auth.authenticate(foreign(auth, claims), client)).caller.fields['seen']
    expect(await roles({})).toEqual([])
    expect(await roles({ roles: ['clerk'] })).toEqual(['clerk'])
  })

  test('a token made elsewhere for an account of ours is that account, now', async () => {
    const auth = first
    const { email, id } = await signUp(auth)
    const token = foreign(auth, { sub: id, email: 'forged@example.com', roles: ['clerk'] })
    expect(await auth.authenticate(token, client)).toMatchObject({
      caller: { id, roles: ['clerk'], fields: { id, email, roles: ['clerk'] } },
    })
    await auth.admin.updateUser(id, { roles: ['guest'] })
    expect((await auth.authenticate(token, client)).caller.roles).toEqual(['guest'])
    await auth.admin.updateUser(id, { disabled: true })
    await expect(auth.authenticate(token, client)).rejects.toMatchObject(unauthorized)
  })

  test('an issuer’s user is no account of ours, whatever it is called', async () => {
    const shared = 'a secret that is shared with an issuer'
    const auth = await node({ issuers: [{ issuer: 'idp', secret: shared }] })
    const { email, id } = await signUp(auth)
    const exp = Math.floor(auth.now() / 1_000) + 600
    const claims = { iss: 'idp', sub: id, exp, email, email_verified: true }
    const token = rawToken({ alg: 'HS256' }, claims, { secret: shared })
    expect(await auth.authenticate(token, client)).toMatchObject({
      caller: { id: `idp|${id}`, fields: { id: `idp|${id}`, sub: id } },
    })
  })

  test('linked by e-mail only when both sides have verified the address', async () => {
    const shared = 'a secret that is shared with an issuer'
    const auth = await node({ issuers: [{ issuer: 'idp', secret: shared, linkByEmail: true }] })
    const { email, id } = await signUp(auth)
    const exp = Math.floor(auth.now() / 1_000) + 600
    const callerOf = async (claims: object) => {
      const all = { iss: 'idp', sub: 'x', exp, email: email.toUpperCase(), ...claims }
      const token = rawToken({ alg: 'HS256' }, all, { secret: shared })
      return (await auth.authenticate(token, client)).caller
    }
    const verified = { email_verified: true }
    expect(await callerOf(verified)).toMatchObject({ id: 'idp|x' })
    const mailed = await auth.mailedToken(email, /./)
    await auth.verifyEmail({ token: mailed }, client)
    for (const claims of [
      {},
      { email_verified: 'true' },
      { email_verified: 1 },
      { ...verified, email: [email] },
    ]) {
      expect(await callerOf(claims)).toMatchObject({ id: 'idp|x' })
    }
    expect(await callerOf(verified)).toMatchObject({ id, fields: { id, sub: id } })
    await auth.admin.updateUser(id, { disabled: true })
    await expect(callerOf(verified)).rejects.toMatchObject(unauthorized)
  })

  test('without a verified address there is a session but no data', async () => {
    const auth = await node({ emailVerification: true })
    const { email, token } = await signUp(auth)
    await expect(auth.authenticate(token, client)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      status: 403,
    })
    expect(await auth.session(token, client)).toMatchObject({ user: { emailVerified: false } })
    const mailed = await auth.mailedToken(email, /./)
    await auth.verifyEmail({ token: mailed }, client)
    const session = await auth.signIn({ email, password }, client)
    expect(await auth.authenticate(session.session.token, client)).toMatchObject({
      caller: { fields: { emailVerified: true } },
    })
  })

  test('a signature alone admits no client while the service database is unavailable', async () => {
    const { token } = await signUp(first)
    const foreignToken = foreign(second)
    const { key } = await first.admin.createApiKey({ name: 'x', roles: [] })
    for (const credential of [token, foreignToken, key])
      await second.authenticate(credential, client)
    const apart = await stores.openAgain()
    const third = await openAuth(apart)
    others.push(third)
    for (const credential of [token, foreignToken, key])
      await third.authenticate(credential, client)
    await apart.close()
    for (const credential of [token, foreignToken, key]) {
      await expect(third.authenticate(credential, client)).rejects.toMatchObject({
        status: expect.toSatisfy((status) => status >= 500),
      })
    }
  })
})
