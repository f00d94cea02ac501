/** API keys, on every service database, with two nodes. */
import { eachStore, type TestStore } from '@engine/test-stores'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKeyText } from '../../src/api-keys/api-key-format.ts'
import { client, clientAt, type OpenAuth, openAuth, password } from '../support/open-auth.ts'

const unauthorized = { code: 'UNAUTHORIZED', status: 401 }
const minute = 60_000

eachStore('API keys', (open) => {
  let stores: TestStore
  let first: OpenAuth
  let second: OpenAuth
  beforeAll(async () => {
    stores = await open()
    first = await openAuth(stores.store)
    second = await openAuth(await stores.openAgain())
  })
  afterAll(async () => {
    await first.close()
    await second.close()
    await stores.remove()
  })

  /** A key in the form of the list. */
  async function listed(id: string) {
    return (await first.admin.listApiKeys()).find((key) => key.id === id)
  }

  test('a key is shown once and works on every node, without a user', async () => {
    const created = await first.admin.createApiKey({
      name: 'nightly report',
      roles: ['reader', 'reader'],
      fields: { tenant: 7 },
    })
    expect(created).toEqual({
      id: expect.stringMatching(/^\w{12}$/),
      key: expect.stringMatching(/^ek_\w{12}_\w{49}$/),
      name: 'nightly report',
      roles: ['reader'],
      fields: { tenant: 7 },
      userId: null,
      createdAt: new Date(first.now()).toISOString(),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    })
    const { key, ...shown } = created
    expect(await second.authenticate(key, client)).toEqual({
      caller: { kind: 'user', id: `key:${created.id}`, roles: ['reader'], fields: { tenant: 7 } },
      credential: 'apiKey',
      credentialId: created.id,
      expiresAtMs: undefined,
    })
    await expect.poll(() => listed(created.id)).toEqual({ ...shown, lastUsedAt: shown.createdAt })
    const kept = await stores.store.database.selectFrom('engine_api_keys').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(key.slice(-49, -6))
  })

  test('a revoked key is refused at once everywhere, and stays in the list', async () => {
    const { key, id } = await first.admin.createApiKey({ name: 'x', roles: [] })
    await second.authenticate(key, client)
    expect(await first.admin.revokeApiKey(id)).toBe(true)
    for (const auth of [first, second]) {
      await expect(auth.authenticate(key, client)).rejects.toMatchObject(unauthorized)
    }
    expect(await second.admin.revokeApiKey(id)).toBe(false)
    expect(await second.admin.revokeApiKey('nothing')).toBe(false)
    expect(await listed(id)).toMatchObject({ revokedAt: new Date(first.now()).toISOString() })
  })

  test('a key ends at its time', async () => {
    const auth = first
    const expiresAt = new Date(auth.now() + minute).toISOString()
    const { key } = await auth.admin.createApiKey({ name: 'x', roles: [], expiresAt })
    expect(await auth.authenticate(key, client)).toMatchObject({ expiresAtMs: auth.now() + minute })
    auth.pass(minute)
    await expect(auth.authenticate(key, client)).rejects.toMatchObject(unauthorized)
  })

  test('a key that acts as a user has its fields and its own roles, as long as the user may act', async () => {
    const auth = first
    const { user } = await auth.signUp({ email: 'ada@example.com', password }, client)
    const userId = user.id
    await auth.admin.updateUser(userId, { roles: ['boss'] })
    const { key } = await auth.admin.createApiKey({
      name: 'x',
      roles: ['reader'],
      fields: { via: 'key' },
      userId,
    })
    expect((await auth.authenticate(key, client)).caller).toMatchObject({
      id: userId,
      roles: ['reader'],
      fields: { id: userId, email: 'ada@example.com', via: 'key' },
    })
    await auth.admin.updateUser(userId, { disabled: true })
    await expect(auth.authenticate(key, client)).rejects.toMatchObject(unauthorized)
  })

  test('a key is no token: the routes of sessions refuse it', async () => {
    const auth = first
    const { key } = await auth.admin.createApiKey({ name: 'x', roles: [] })
    for (const use of [auth.session, auth.signOut, auth.listSessions]) {
      await expect(use(key, client)).rejects.toMatchObject(unauthorized)
    }
  })

  test('wrong keys are refused: of another id, changed, of no form', async () => {
    const auth = first
    const [one, other] = [
      await auth.admin.createApiKey({ name: 'x', roles: [] }),
      await auth.admin.createApiKey({ name: 'y', roles: [] }),
    ]
    const swapped = `ek_${one.id}_${other.key.slice(-49)}`
    for (const key of [swapped, createApiKeyText().text, `${one.key}x`, 'ek_', 'ek_x_y']) {
      await expect(auth.authenticate(key, client)).rejects.toMatchObject(unauthorized)
    }
  })

  test('too many wrong keys from one address: even unknown good ones wait, proven ones do not', async () => {
    const throttle = { tokenFailuresPerIp: [3, '15m'] } as const
    const auth = await openAuth(await stores.openAgain(), { auth: { throttle } })
    const { key } = await auth.admin.createApiKey({ name: 'x', roles: [] })
    const { key: unused } = await auth.admin.createApiKey({ name: 'y', roles: [] })
    const [here, there] = [clientAt('192.0.2.7'), clientAt('192.0.2.8')]
    await auth.authenticate(key, here)
    for (let i = 0; i < 3; i += 1) {
      const wrong = createApiKeyText().text
      await expect(auth.authenticate(wrong, here)).rejects.toMatchObject(unauthorized)
    }
    for (const credential of [createApiKeyText().text, unused]) {
      await expect(auth.authenticate(credential, here)).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        status: 429,
        rate: { isAllowed: false },
      })
    }
    expect(await auth.authenticate(key, here)).toMatchObject({ credential: 'apiKey' })
    expect(await auth.authenticate(unused, there)).toMatchObject({ credential: 'apiKey' })
    auth.pass(15 * minute)
    expect(await auth.authenticate(unused, here)).toMatchObject({ credential: 'apiKey' })
    await auth.close()
  })

  test('the time of last use is written once a minute', async () => {
    const auth = first
    const { key, id } = await auth.admin.createApiKey({ name: 'x', roles: [] })
    const lastUse = async () => (await listed(id))?.lastUsedAt
    const at = (time: number) => new Date(time).toISOString()
    const began = auth.now()
    await auth.authenticate(key, client)
    await expect.poll(lastUse).toBe(at(began))
    auth.pass(minute - 1)
    await auth.authenticate(key, client)
    auth.pass(1)
    await auth.authenticate(key, client)
    await expect.poll(lastUse).toBe(at(began + minute))
  })

  test('no key is made for a user that is not there', async () => {
    const auth = first
    const making = auth.admin.createApiKey({ name: 'x', roles: [], userId: 'nobody' })
    await expect(making).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 400 })
  })
})
