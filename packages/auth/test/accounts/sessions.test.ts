import { eachStore, openSqliteStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  client,
  clientAt,
  inParallel,
  type OpenAuth,
  openAuth,
  password,
} from '../support/open-auth.ts'

const hour = 3_600_000
const day = 24 * hour
const person = { email: 'ada@example.com', password }

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

let stores: TestStore
let auth: OpenAuth

async function open(options: Parameters<typeof openAuth>[1] = {}): Promise<void> {
  stores = await openSqliteStore()
  auth = await openAuth(stores.store, options)
}

async function close(): Promise<void> {
  await auth.close()
  await stores.remove()
}

describe('a session', () => {
  beforeEach(() => open())
  afterEach(close)

  test('lives for a day, and its token says nothing about the person', async () => {
    const { user, session } = await auth.signUp({ ...person, name: 'Ada' }, client)
    expect(Object.keys(claimsOf(session.token)).sort()).toEqual(
      ['auth_time', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub'].sort(),
    )
    expect(claimsOf(session.token)).toMatchObject({ sub: user.id })
    auth.pass(day - 1_000)
    await expect(auth.session(session.token, client)).resolves.toBeDefined()
    auth.pass(1_000)
    await expect(auth.session(session.token, client)).rejects.toMatchObject({ status: 401 })
    await expect(auth.authenticate(session.token, client)).rejects.toMatchObject({ status: 401 })
  })

  test('a session keeps its token outside the refresh window and gets another one inside', async () => {
    const { session } = await auth.signUp(person, client)
    auth.pass(12 * hour - 1_000)
    const early = await auth.session(session.token, client)
    expect(early.session).toEqual(session)
    auth.pass(1_000)
    const late = await auth.session(session.token, client)
    expect(late.session.token).not.toBe(session.token)
    expect(late.session.expiresAt).toBe('2026-11-24T00:00:00.000Z')
    const [before, after] = [claimsOf(session.token), claimsOf(late.session.token)]
    expect(after['sid']).toBe(before['sid'])
    expect(after['auth_time']).toBe(before['auth_time'])
    expect(after['jti']).not.toBe(before['jti'])
    // Another tab may still use the old one.
    await expect(auth.session(session.token, client)).resolves.toBeDefined()
    auth.pass(12 * hour)
    await expect(auth.session(session.token, client)).rejects.toMatchObject({ status: 401 })
    await expect(auth.session(late.session.token, client)).resolves.toBeDefined()
  })

  test('a session ends 30 days from sign-in, however often it is refreshed', async () => {
    let { session } = await auth.signUp(person, client)
    for (let half = 0; half < 59; half++) {
      auth.pass(12 * hour)
      session = (await auth.session(session.token, client)).session
    }
    expect(session.expiresAt).toBe('2026-12-22T12:00:00.000Z')
    auth.pass(12 * hour - 1_000)
    expect((await auth.session(session.token, client)).session).toEqual(session)
    auth.pass(1_000)
    await expect(auth.session(session.token, client)).rejects.toMatchObject({ status: 401 })
  })

  test('a session is over with sign-out: all of its tokens, and no other session', async () => {
    const { session } = await auth.signUp(person, client)
    const { session: other } = await auth.signIn(person, client)
    auth.pass(12 * hour)
    const { session: refreshed } = await auth.session(session.token, client)
    await auth.signOut(session.token, client)
    for (const token of [session.token, refreshed.token]) {
      await expect(auth.session(token, client)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
      await expect(auth.signOut(token, client)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    }
    await expect(auth.session(other.token, client)).resolves.toBeDefined()
  })

  test('a session is listed, and ended, by its owner only', async () => {
    const ada = (await auth.signUp(person, client)).session
    auth.pass(1_000)
    const phone = (await auth.signIn(person, clientAt('2001:db8::1'))).session
    const bob = (await auth.signUp({ email: 'bob@example.com', password }, client)).session
    const listed = await auth.listSessions(ada.token, client)
    expect(listed).toEqual([
      expect.objectContaining({
        id: claimsOf(phone.token)['sid'],
        current: false,
        ip: '2001:db8::1',
      }),
      {
        id: claimsOf(ada.token)['sid'],
        current: true,
        createdAt: '2026-11-22T12:00:00.000Z',
        lastSeenAt: '2026-11-22T12:00:00.000Z',
        expiresAt: '2026-11-23T12:00:00.000Z',
        ip: '192.0.2.1',
        userAgent: 'a browser',
      },
    ])
    const theirs = String(claimsOf(bob.token)['sid'])
    await expect(auth.endSession(ada.token, theirs, client)).rejects.toMatchObject({ status: 404 })
    await auth.endSession(ada.token, String(claimsOf(phone.token)['sid']), client)
    await expect(auth.session(phone.token, client)).rejects.toMatchObject({ status: 401 })
    const third = (await auth.signIn(person, client)).session
    await auth.endSession(third.token, 'others', client)
    await expect(auth.session(ada.token, client)).rejects.toMatchObject({ status: 401 })
    await expect(auth.session(third.token, client)).resolves.toBeDefined()
    await expect(auth.session(bob.token, client)).resolves.toBeDefined()
  })

  test('a session that is used is noted to have been seen', async () => {
    const { session } = await auth.signUp(person, client)
    auth.pass(6 * 60_000)
    await auth.authenticate(session.token, client)
    const seen = async () => (await auth.listSessions(session.token, client))[0]?.lastSeenAt
    await expect.poll(seen, { interval: 5 }).toBe('2026-11-22T12:06:00.000Z')
  })

  test('a session is ended by an administrator, alone, with its account, or with everybody', async () => {
    const first = (await auth.signUp(person, client)).session
    const second = (await auth.signIn(person, client)).session
    const bob = await auth.signUp({ email: 'bob@example.com', password }, client)
    const all = await auth.admin.listSessions({ limit: 10, offset: 0 })
    expect(all).toHaveLength(3)
    expect(await auth.admin.endSessions({ id: String(claimsOf(first.token)['sid']) })).toBe(1)
    await expect(auth.session(first.token, client)).rejects.toMatchObject({ status: 401 })
    expect(await auth.admin.endSessions({ userId: bob.user.id })).toBe(1)
    await expect(auth.session(second.token, client)).resolves.toBeDefined()
    expect(await auth.admin.endSessions({})).toBe(1)
    await expect(auth.session(second.token, client)).rejects.toMatchObject({ status: 401 })
  })

  test('the id of a session is no credential', async () => {
    const { session } = await auth.signUp(person, client)
    const sid = String(claimsOf(session.token)['sid'])
    await expect(auth.session(sid, client)).rejects.toMatchObject({ status: 401 })
    await expect(auth.session(undefined, client)).rejects.toMatchObject({ status: 401 })
  })
})

describe('sessions of one account', () => {
  beforeEach(() => open({ auth: { session: { maxPerUser: 3 } } }))
  afterEach(close)

  test('sessions of one account are limited in number; the oldest ends', async () => {
    const tokens = [(await auth.signUp(person, client)).session.token]
    for (let i = 0; i < 3; i++) {
      auth.pass(1_000)
      tokens.push((await auth.signIn(person, client)).session.token)
    }
    const [oldest = '', ...others] = tokens
    await expect(auth.session(oldest, client)).rejects.toMatchObject({ status: 401 })
    for (const token of others) await expect(auth.session(token, client)).resolves.toBeDefined()
  })
})

eachStore('sessions of one account on several nodes', (openStore) => {
  test('what one node ends is over on the other', async () => {
    const shared = await openStore()
    const here = await openAuth(shared.store)
    const there = await openAuth(await shared.openAgain())
    const { session } = await here.signUp(person, client)
    await expect(there.session(session.token, client)).resolves.toBeDefined()
    await there.signOut(session.token, client)
    await expect(here.session(session.token, client)).rejects.toMatchObject({ status: 401 })
    await expect(here.authenticate(session.token, client)).rejects.toMatchObject({ status: 401 })
    await here.close()
    await there.close()
    await shared.remove()
  })

  test('of 20 sign-outs at a time one reports that it signed out', async () => {
    const shared = await openStore()
    const here = await openAuth(shared.store)
    const { session } = await here.signUp(person, client)
    const { values, codes } = await inParallel(20, () => here.signOut(session.token, client))
    expect(values).toHaveLength(1)
    expect(codes).toEqual(Array.from({ length: 19 }, () => 'UNAUTHORIZED'))
    await here.close()
    await shared.remove()
  })
})
