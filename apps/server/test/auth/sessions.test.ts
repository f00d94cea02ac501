/** Start and end of sessions. The gateway has its own clock. */
import { afterEach, describe, expect, test } from 'vitest'
import {
  type Accounts,
  openAccounts,
  password,
  readNotes,
  signIn,
  signUp,
} from '../support/accounts.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let accounts: Accounts | undefined
afterEach(() => accounts?.close())

async function open(...args: Parameters<typeof openAccounts>): Promise<Accounts> {
  accounts = await openAccounts(...args)
  return accounts
}

const session = ({ call }: Accounts, token: string) => call('GET', '/auth/session', { token })

describe('by default', () => {
  test('a token lasts a day', async () => {
    const opened = await open()
    const { token } = await signUp(opened)
    opened.pass(day - minute)
    expect(await readNotes(opened, token)).toMatchObject({ status: 200 })
    opened.pass(minute + 1_000)
    expect(await readNotes(opened, token)).toMatchObject({ status: 401 })
    expect(await session(opened, token)).toMatchObject({ status: 401 })
    expect(await opened.call('POST', '/auth/sign-out', { token })).toMatchObject({ status: 401 })
  })

  test('GET /auth/session gives a new token when less than half a day is left', async () => {
    const opened = await open()
    const { token } = await signUp(opened)
    const first = await session(opened, token)
    expect(first.body.session.token).toBe(token)

    opened.pass(12 * hour + minute)
    const askedMs = opened.now()
    const second = await session(opened, token)
    const answeredMs = opened.now()
    const refreshed: string = second.body.session.token
    expect(refreshed).not.toBe(token)
    const expiresAtMs = Date.parse(second.body.session.expiresAt)
    expect(expiresAtMs).toBeGreaterThan(askedMs + 24 * hour - 1_000)
    expect(expiresAtMs).toBeLessThanOrEqual(answeredMs + 24 * hour)
    expect(second.body.user).toEqual(first.body.user)
    for (const valid of [token, refreshed]) {
      expect(await readNotes(opened, valid)).toMatchObject({ status: 200 })
    }

    opened.pass(12 * hour)
    expect(await readNotes(opened, token)).toMatchObject({ status: 401 })
    expect(await readNotes(opened, refreshed)).toMatchObject({ status: 200 })
  })

  test('refreshing ends 30 days after sign-in', async () => {
    const opened = await open()
    let { token } = await signUp(opened)
    const began = opened.now()
    for (let passed = 0; passed < 29.5 * day; passed += 13 * hour) {
      opened.pass(13 * hour)
      const answer = await session(opened, token)
      expect(answer.status).toBe(200)
      expect(Date.parse(answer.body.session.expiresAt)).toBeLessThanOrEqual(
        began + 30 * day + 1_000,
      )
      token = answer.body.session.token
    }
    opened.pass(day)
    expect(await session(opened, token)).toMatchObject({ status: 401 })
  })
})

test('expiresIn and refreshWindow are what the configuration says', async () => {
  const opened = await open({ session: { expiresIn: '10m', refreshWindow: '10m' } })
  const { token } = await signUp(opened)
  opened.pass(1_000)
  const { body } = await session(opened, token)
  expect(body.session.token).not.toBe(token)
  expect(Date.parse(body.session.expiresAt) - opened.now()).toBeGreaterThan(9.9 * minute)
  opened.pass(10 * minute)
  expect(await session(opened, body.session.token)).toMatchObject({ status: 401 })
})

test('a window as long as the lifetime refreshes every time, up to the absolute end', async () => {
  const session = { expiresIn: '10m', refreshWindow: '10m', maxAge: '15m' }
  const opened = await open({ session })
  const { token } = await signUp(opened)
  const ask = (with_: string) => opened.call('GET', '/auth/session', { token: with_ })
  const first = (await ask(token)).body.session
  expect(first.token).not.toBe(token)
  opened.pass(8 * minute)
  const last = (await ask(first.token)).body.session
  expect(Date.parse(last.expiresAt) - opened.now()).toBeLessThanOrEqual(7 * minute)
  expect((await ask(last.token)).body.session).toEqual(last)
})

test('without a refresh window a token stays the one it was', async () => {
  const opened = await open({ session: { expiresIn: '10m', refreshWindow: '0s' } })
  const { token } = await signUp(opened)
  opened.pass(9 * minute)
  expect((await session(opened, token)).body.session.token).toBe(token)
})

test('signing out ends the refreshed tokens of a session too', async () => {
  const opened = await open({ session: { refreshWindow: '24h' } })
  const { token } = await signUp(opened)
  opened.pass(1_000)
  const refreshed: string = (await session(opened, token)).body.session.token
  await opened.call('POST', '/auth/sign-out', { token })
  for (const dead of [token, refreshed]) {
    expect(await readNotes(opened, dead)).toMatchObject({ status: 401 })
    expect(await session(opened, dead)).toMatchObject({ status: 401 })
  }
})

test('refreshing at the same moment gives tokens of one session', async () => {
  const opened = await open({ session: { refreshWindow: '24h' } })
  const { token } = await signUp(opened)
  opened.pass(1_000)
  const answers = await Promise.all(Array.from({ length: 10 }, () => session(opened, token)))
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(await readNotes(opened, body.session.token)).toMatchObject({ status: 200 })
  }
  const { body } = await opened.call('GET', '/auth/sessions', { token })
  expect(body.sessions).toHaveLength(1)
})

test('of more sessions than allowed, the oldest end', async () => {
  const opened = await open({ session: { maxPerUser: 3 } })
  const { email, token } = await signUp(opened)
  const tokens = [token]
  for (let i = 0; i < 4; i += 1) {
    opened.pass(1_000)
    tokens.push((await signIn(opened, email)).body.session.token)
  }
  const states = await Promise.all(
    tokens.map(async (each) => (await readNotes(opened, each)).status),
  )
  expect(states).toEqual([401, 401, 200, 200, 200])
})

test('a reset of the password ends all sessions', async () => {
  const opened = await open()
  const { email, token } = await signUp(opened)
  const other = (await signIn(opened, email)).body.session.token
  await opened.call('POST', '/auth/forgot-password', { body: { email } })
  const mailed = await opened.mailedToken(email, /reset/i)
  for (const alive of [token, other])
    expect(await readNotes(opened, alive)).toMatchObject({ status: 200 })
  const body = { token: mailed, password: 'a brand new password' }
  expect(await opened.call('POST', '/auth/reset-password', { body })).toMatchObject({ status: 200 })
  for (const dead of [token, other]) {
    expect(await readNotes(opened, dead)).toMatchObject({ status: 401 })
    expect(await session(opened, dead)).toMatchObject({ status: 401 })
  }
})

test('a sign-in that races with a reset does not survive it', async () => {
  const opened = await open()
  const { email } = await signUp(opened)
  await opened.call('POST', '/auth/forgot-password', { body: { email } })
  const mailed = await opened.mailedToken(email, /reset/i)
  const [reset, ...signIns] = await Promise.all([
    opened.call('POST', '/auth/reset-password', {
      body: { token: mailed, password: 'a brand new password' },
    }),
    ...Array.from({ length: 6 }, () => signIn(opened, email, password)),
  ])
  expect(reset).toMatchObject({ status: 200 })
  for (const { status, body } of signIns) {
    if (status !== 200) continue
    expect(await readNotes(opened, body.session.token)).toMatchObject({ status: 401 })
  }
})

test('a disabled user has no sessions, and does not sign in', async () => {
  const opened = await open()
  const { email, id, token } = await signUp(opened)
  await opened.gateway.auth?.admin.updateUser(id, { disabled: true })
  expect(await readNotes(opened, token)).toMatchObject({ status: 401 })
  expect(await session(opened, token)).toMatchObject({ status: 401 })
  expect(await signIn(opened, email)).toMatchObject({
    status: 401,
    body: { error: 'INVALID_CREDENTIALS' },
  })
})

test('a changed role counts from the next request', async () => {
  const opened = await open()
  const { id, token } = await signUp(opened)
  expect(await readNotes(opened, token)).toMatchObject({ status: 200 })
  await opened.gateway.auth?.admin.updateUser(id, { roles: ['guest'] })
  expect(await readNotes(opened, token)).toMatchObject({
    status: 403,
    body: { error: 'PERMISSION_DENIED' },
  })
  await opened.gateway.auth?.admin.updateUser(id, { roles: ['user'] })
  expect(await readNotes(opened, token)).toMatchObject({ status: 200 })
})

test('an administrator ends sessions: one, a user’s, everyone’s', async () => {
  const opened = await open()
  const [ada, bob] = [await signUp(opened), await signUp(opened)]
  const { admin } = opened.gateway.auth ?? expect.unreachable('there is auth')
  const second = (await signIn(opened, ada.email)).body.session.token
  const listed = await admin.listSessions({ userId: ada.id, limit: 10, offset: 0 })
  expect(listed).toHaveLength(2)
  expect(await admin.endSessions({ userId: ada.id })).toBe(2)
  for (const dead of [ada.token, second])
    expect(await readNotes(opened, dead)).toMatchObject({ status: 401 })
  expect(await readNotes(opened, bob.token)).toMatchObject({ status: 200 })
  expect(await admin.endSessions({})).toBe(1)
  expect(await readNotes(opened, bob.token)).toMatchObject({ status: 401 })
})

test('$user.id is the account’s', async () => {
  const opened = await open()
  const { id, token } = await signUp(opened)
  const insert = "insert into main.notes (owner, note) values ($1, 'mine'), ('other', 'not mine')"
  await opened.call('POST', '/data', {
    body: { sql: insert, params: [id], method: 'run' },
    token: 'a master key of at least thirty-two bytes',
  })
  expect(await readNotes(opened, token)).toMatchObject({ status: 200, body: { rows: [['mine']] } })
})
