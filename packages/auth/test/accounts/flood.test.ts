import { openSqliteStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { client, type OpenAuth, openAuth, password } from '../support/open-auth.ts'

let stores: TestStore
let auth: OpenAuth

beforeEach(async () => {
  stores = await openSqliteStore()
  auth = await openAuth(stores.store)
})

afterEach(async () => {
  await auth.close()
  await stores.remove()
})

test('a flood of passwords is refused before it is hashed, with the time to try again', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, i) =>
      auth.signIn({ email: `user${i}@example.com`, password }, client),
    ),
  )
  const reasons = outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason)
  const refused = reasons.filter(({ code }) => code === 'RATE_LIMITED')
  const { finished, running, queued } = auth.hashingLoad()
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length + finished).toBe(200)
  expect({ running, queued }).toEqual({ running: 0, queued: 0 })
  expect(refused[0]).toMatchObject({ status: 429, rate: { retryAfterMs: 1_000 } })
})

test('known and unknown addresses cost one hash each, and so does one that is taken', async () => {
  const hashes = async (work: () => Promise<unknown>) => {
    const before = auth.hashingLoad().finished
    await work().catch(() => undefined)
    return auth.hashingLoad().finished - before
  }
  const person = { email: 'ada@example.com', password }
  const { user } = await auth.signUp(person, client)
  expect(await hashes(() => auth.signIn({ ...person, password: 'wrong' }, client))).toBe(1)
  expect(await hashes(() => auth.signIn({ ...person, email: 'bob@example.com' }, client))).toBe(1)
  expect(await hashes(() => auth.signIn({ ...person, email: 'no address' }, client))).toBe(1)
  expect(await hashes(() => auth.signIn(person, client))).toBe(1)
  await auth.admin.updateUser(user.id, { disabled: true })
  expect(await hashes(() => auth.signIn(person, client))).toBe(1)
  expect(await hashes(() => auth.signUp(person, client))).toBe(1)
  expect(await hashes(() => auth.signUp({ ...person, email: 'bob@example.com' }, client))).toBe(1)
})

test('when the service database fails no client is admitted', async () => {
  const person = { email: 'ada@example.com', password }
  const { session } = await auth.signUp(person, client)
  await stores.store.database.schema.dropTable('engine_sessions').execute()
  const ofServer = { status: expect.toSatisfy((status: number) => status >= 500) }
  const authenticate = async () => auth.authenticate(session.token, client)
  await expect(authenticate()).rejects.toMatchObject(ofServer)
  await expect(auth.session(session.token, client)).rejects.toMatchObject(ofServer)
  await expect(auth.signIn(person, client)).rejects.toMatchObject(ofServer)
})
