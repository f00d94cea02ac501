/** @module Sign-up, sign-in and sign-out with the client, against a gateway whose clock the tests move. */
import { setImmediate } from 'node:timers/promises'
import { createClient, EngineError } from '@engine/client'
import { type AuthOptions, type AuthStorage, createAuth, memoryStorage } from '@engine/client/auth'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Accounts, newEmail, openAccounts, password } from '../support/accounts.ts'

const hourMs = 3_600_000
let accounts: Accounts
/** Every request: method and path. */
let asked: string[] = []

beforeAll(async () => {
  accounts = await openAccounts({ session: { expiresIn: '1h', refreshWindow: '30m' } })
})
afterAll(() => accounts.close())

/** Requests go to the gateway in this process. */
const ask: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  asked.push(`${request.method} ${new URL(request.url).pathname}`)
  return accounts.gateway.app.fetch(request, {
    incoming: { socket: { remoteAddress: '127.0.0.1' } },
  })
}

const options = { url: 'http://gateway.test', fetch: ask, clock: () => accounts.now() }

/** One tab of a browser, whose tabs share a storage. */
function openTab(more: Partial<AuthOptions> = {}) {
  const auth = createAuth({ ...options, ...more })
  const client = createClient({ ...options, session: auth })
  const events: string[] = []
  auth.onChange((event) => events.push(event))
  const read = () => client.query({ sql: 'select note from main.notes', params: [], method: 'all' })
  asked = []
  return { auth, read, events }
}

/** A storage that notifies the other tabs, as `localStorage` does. */
function sharedStorage(): () => AuthStorage {
  const kept = memoryStorage()
  const tabs = new Set<() => void>()
  let turns: Promise<unknown> = Promise.resolve()
  return () => {
    let own: (() => void) | undefined
    return {
      read: kept.read,
      write: (text) => {
        kept.write(text)
        for (const tab of tabs) if (tab !== own) tab()
      },
      subscribe: (onChange) => {
        own = onChange
        tabs.add(onChange)
        return () => tabs.delete(onChange)
      },
      exclusively: (work) => {
        const turn = turns.then(work)
        turns = turn.catch(() => undefined)
        return turn
      },
    }
  }
}

/** A storage whose every step takes a turn of the event loop. */
function slowStorage(kept = memoryStorage()): AuthStorage {
  return {
    read: async () => kept.read(),
    write: async (text) => kept.write(text),
  }
}

test('who signs up is signed in, and queries run as that user', async () => {
  const { auth, read, events } = openTab()
  const email = newEmail()
  const user = await auth.signUp({ email, password, name: 'Ada' })
  expect(user).toMatchObject({ email, name: 'Ada', emailVerified: false })
  expect(auth.current()?.user).toEqual(user)
  expect(await read()).toEqual({ rows: [] })
  expect(events).toEqual(['signed-in'])
})

test('after sign-out the token is invalid and no user is signed in', async () => {
  const { auth, read, events } = openTab()
  await auth.signUp({ email: newEmail(), password })
  const token = await auth.token()
  await auth.signOut()
  expect(auth.current()).toBeUndefined()
  await expect(read()).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
  const stranger = createClient({ ...options, token })
  const request = { sql: 'select note from main.notes', params: [], method: 'all' } as const
  await expect(stranger.query(request)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(events).toEqual(['signed-in', 'signed-out'])
})

test('a wrong password is an EngineError and signs no user in', async () => {
  const { auth } = openTab()
  const email = newEmail()
  await auth.signUp({ email, password })
  await auth.signOut()
  const refusal = await auth.signIn({ email, password: 'wrong password' }).catch((error) => error)
  expect(refusal).toBeInstanceOf(EngineError)
  expect(refusal).toMatchObject({ code: 'INVALID_CREDENTIALS', status: 401 })
  expect(auth.current()).toBeUndefined()
  await auth.signIn({ email, password })
  expect(auth.current()?.user.email).toBe(email)
})

test('a token is renewed while it is good, once for all who ask', async () => {
  const { auth, read, events } = openTab()
  await auth.signUp({ email: newEmail(), password })
  const before = await auth.token()
  accounts.pass(0.7 * hourMs)
  asked = []
  await Promise.all([read(), read(), read()])
  await expect.poll(() => auth.current()?.token).not.toBe(before)
  expect(asked.filter((path) => path === 'GET /auth/session')).toHaveLength(1)
  expect(events).toEqual(['signed-in', 'renewed'])
  accounts.pass(0.7 * hourMs)
  expect(await read()).toEqual({ rows: [] })
})

test('a token in its last seconds is renewed before it is used', async () => {
  const { auth, read } = openTab()
  await auth.signUp({ email: newEmail(), password })
  accounts.pass(hourMs - 10_000)
  asked = []
  await Promise.all([read(), read()])
  expect(asked).toEqual(['GET /auth/session', 'POST /data', 'POST /data'])
})

test('an engine that does not renew a token yet is not asked again and again', async () => {
  const reluctant = await openAccounts({ session: { expiresIn: '1h', refreshWindow: '10m' } })
  onTestFinished(reluctant.close)
  const questions: number[] = []
  const begunMs = reluctant.now()
  let running: Promise<unknown> = Promise.resolve()
  const auth = createAuth({
    url: options.url,
    clock: reluctant.now,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (request.method === 'GET') questions.push(Math.round((reluctant.now() - begunMs) / 60_000))
      const answer = Promise.resolve(reluctant.gateway.app.fetch(request))
      running = answer
      return answer
    },
  })
  await auth.signUp({ email: newEmail(), password })
  const first = await auth.token()
  for (let minute = 1; minute <= 59; minute += 1) {
    reluctant.pass(60_000)
    await auth.token()
    // Work of the client after its answer ends before the next minute.
    await setImmediate()
    await running
    await setImmediate()
  }
  expect(await auth.token()).not.toBe(first)
  expect(questions.length).toBeLessThan(15)
  expect(questions[0]).toBeGreaterThanOrEqual(30)
})

test('after the token has expired the session is reported as ended', async () => {
  const { auth, read, events } = openTab()
  await auth.signUp({ email: newEmail(), password })
  accounts.pass(2 * hourMs)
  await expect(read()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(auth.current()).toBeUndefined()
  expect(events).toEqual(['signed-in', 'ended'])
})

test.for([-9 * hourMs, 9 * hourMs])(
  'a clock that is %d ms off changes nothing',
  async (wrongMs) => {
    const { auth, read, events } = openTab({ clock: () => accounts.now() + wrongMs })
    await auth.signUp({ email: newEmail(), password })
    asked = []
    await read()
    expect(asked).toEqual(['POST /data'])
    accounts.pass(0.9 * hourMs)
    await read()
    await expect.poll(() => events).toEqual(['signed-in', 'renewed'])
    accounts.pass(0.4 * hourMs)
    expect(await read()).toEqual({ rows: [] })
  },
)

test('tabs that share a storage sign in and out together', async () => {
  const storage = sharedStorage()
  const [first, second] = [openTab({ storage: storage() }), openTab({ storage: storage() })]
  const email = newEmail()
  await first.auth.signUp({ email, password })
  await expect.poll(() => second.auth.current()?.user.email).toBe(email)
  expect(await second.read()).toEqual({ rows: [] })
  await second.auth.signOut()
  await expect.poll(() => first.auth.current()).toBeUndefined()
  expect(first.events).toEqual(['signed-in', 'signed-out'])
  expect(second.events).toEqual(['signed-in', 'signed-out'])
})

test('of many tabs one renews the token for all', async () => {
  const storage = sharedStorage()
  const tabs = [1, 2, 3].map(() => openTab({ storage: storage() }))
  await tabs[0]?.auth.signUp({ email: newEmail(), password })
  accounts.pass(hourMs - 10_000)
  asked = []
  const tokens = await Promise.all(tabs.map(({ auth }) => auth.token()))
  expect(asked).toEqual(['GET /auth/session'])
  expect(new Set(tokens).size).toBe(1)
})

test('a closed tab gets no more events', async () => {
  const storage = sharedStorage()
  const [first, second] = [openTab({ storage: storage() }), openTab({ storage: storage() })]
  second.auth.close()
  await first.auth.signUp({ email: newEmail(), password })
  expect(second.auth.current()).toBeUndefined()
})

test('a page that is opened later finds the session', async () => {
  const storage = sharedStorage()
  const { auth } = openTab({ storage: storage() })
  const user = await auth.signUp({ email: newEmail(), password })
  const later = openTab({ storage: storage() })
  expect(later.auth.current()?.user).toEqual(user)
  expect((await later.auth.getSession())?.user).toEqual(user)
})

test('a storage that has to be waited for keeps a session as well', async () => {
  const kept = memoryStorage()
  const { auth } = openTab({ storage: slowStorage(kept) })
  const user = await auth.signUp({ email: newEmail(), password })
  const later = openTab({ storage: slowStorage(kept) })
  expect(later.auth.current()).toBeUndefined()
  expect(await later.read()).toEqual({ rows: [] })
  expect(later.auth.current()?.user).toEqual(user)
  await later.auth.signOut()
  expect(kept.read()).toBeUndefined()
})

test('a session that an administrator ended is over at the next request, here and in every tab', async () => {
  const storage = sharedStorage()
  const [first, second] = [openTab({ storage: storage() }), openTab({ storage: storage() })]
  const { id } = await first.auth.signUp({ email: newEmail(), password })
  await accounts.gateway.auth?.admin.endSessions({ userId: id })
  await expect(first.read()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(first.events).toEqual(['signed-in', 'ended'])
  expect(second.events).toEqual(['signed-in', 'signed-out'])
})

test('a request that another tab outran is sent again with the new token', async () => {
  const storage = sharedStorage()
  const deaf = { ...storage(), subscribe: () => () => undefined }
  const first = openTab({ storage: deaf })
  const email = newEmail()
  await first.auth.signUp({ email, password })
  const second = openTab({ storage: storage() })
  await second.auth.signOut()
  await second.auth.signIn({ email, password })
  expect(await first.auth.listSessions()).toHaveLength(1)
  expect(await first.read()).toEqual({ rows: [] })
})

test('an unavailable engine ends no session', async () => {
  let isAway = false
  const flaky: typeof fetch = async (input, init) => {
    if (isAway) throw new TypeError('fetch failed')
    return ask(input, init)
  }
  const { auth, events } = openTab({ fetch: flaky, retries: 0 })
  await auth.signUp({ email: newEmail(), password })
  isAway = true
  accounts.pass(hourMs - 10_000)
  expect(await auth.token()).toBeDefined()
  await expect(auth.getSession()).rejects.toMatchObject({ code: 'NETWORK_ERROR', status: 0 })
  expect(auth.current()).toBeDefined()
  await expect(auth.signOut()).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  expect(auth.current()).toBeUndefined()
  expect(events).toEqual(['signed-in', 'signed-out'])
})

test('who signs in while an older session is signed out stays signed in', async () => {
  const signedIn = Promise.withResolvers<void>()
  const slow: typeof fetch = async (input, init) => {
    if (String(input).endsWith('/auth/sign-out')) await signedIn.promise
    return ask(input, init)
  }
  const { auth, read, events } = openTab({ fetch: slow })
  const email = newEmail()
  await auth.signUp({ email, password })
  const signingOut = auth.signOut()
  await auth.signIn({ email, password })
  signedIn.resolve()
  await signingOut
  expect(await read()).toEqual({ rows: [] })
  expect(events).toEqual(['signed-in', 'signed-in'])
})

test('who signs out while a token is renewed stays signed out', async () => {
  const signedOut = Promise.withResolvers<void>()
  const slow: typeof fetch = async (input, init) => {
    const answer = await ask(input, init)
    if (String(input).endsWith('/auth/session')) await signedOut.promise
    return answer
  }
  const { auth, events } = openTab({ fetch: slow })
  await auth.signUp({ email: newEmail(), password })
  accounts.pass(0.9 * hourMs)
  const renewing = auth.getSession()
  await expect.poll(() => asked).toContain('GET /auth/session')
  await auth.signOut()
  signedOut.resolve()
  expect(await renewing).toBeUndefined()
  expect(auth.current()).toBeUndefined()
  expect(events).toEqual(['signed-in', 'signed-out'])
})

test.for(['', 'null', '{', '{"token":1}'])('what was kept as %j is nobody', async (text) => {
  const storage = memoryStorage()
  await storage.write(text)
  const { auth } = openTab({ storage })
  expect(auth.current()).toBeUndefined()
  expect(await auth.token()).toBeUndefined()
})

test('a forgotten password is replaced through the mail, which ends the session here too', async () => {
  const { auth, events } = openTab()
  const email = newEmail()
  await auth.signUp({ email, password })
  await auth.forgotPassword({ email })
  const token = await accounts.mailedToken(email, /reset/i)
  await auth.resetPassword({ token, password: 'an even better password' })
  expect(events).toEqual(['signed-in', 'ended'])
  await expect(auth.resetPassword({ token, password })).rejects.toMatchObject({
    code: 'INVALID_TOKEN',
  })
  await auth.signIn({ email, password: 'an even better password' })
})

test('a verified address is seen at once', async () => {
  const { auth } = openTab()
  const email = newEmail()
  await auth.signUp({ email, password })
  await auth.verifyEmail({ token: await accounts.mailedToken(email, /verify|confirm/i) })
  expect(auth.current()?.user.emailVerified).toBe(true)
})

test('sessions elsewhere are listed and ended; a wrong password ends none', async () => {
  const here = openTab()
  const there = openTab()
  const email = newEmail()
  await here.auth.signUp({ email, password })
  await there.auth.signIn({ email, password })
  const sessions = await here.auth.listSessions()
  expect(sessions.map(({ current }) => current).toSorted()).toEqual([false, true])
  const change = { currentPassword: 'wrong password', newPassword: 'an even better password' }
  await expect(here.auth.changePassword(change)).rejects.toMatchObject({
    code: 'INVALID_CREDENTIALS',
  })
  expect(here.auth.current()).toBeDefined()
  await here.auth.endSession('others')
  await expect(there.read()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await here.auth.changePassword({ ...change, currentPassword: password })
  expect(await here.read()).toEqual({ rows: [] })
  const [own] = await here.auth.listSessions()
  await here.auth.endSession(own?.id ?? '')
  expect(here.events).toEqual(['signed-in', 'ended'])
})

test('a call that is given up throws the reason of its signal', async () => {
  const { auth } = openTab()
  const reason = new Error('left the page')
  const signal = AbortSignal.abort(reason)
  await expect(auth.signIn({ email: newEmail(), password }, { signal })).rejects.toBe(reason)
})

test('no secret stands in an address', async () => {
  const { auth } = openTab()
  const email = newEmail()
  await auth.signUp({ email, password })
  await auth.getSession()
  await auth.signOut()
  expect(asked).toEqual(['POST /auth/sign-up', 'GET /auth/session', 'POST /auth/sign-out'])
})
