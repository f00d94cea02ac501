/** Tokens of e-mails: valid once, until their end, for one purpose, on every service database. */
import { eachStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Accounts,
  type CallAnswer,
  newEmail,
  openAccounts,
  readNotes,
  signIn,
  signUp,
} from '../support/accounts.ts'

const newPassword = 'a brand new password'
const hour = 3_600_000

let nodes: Accounts[] = []
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  nodes = []
})

async function open(...args: Parameters<typeof openAccounts>): Promise<Accounts> {
  const node = await openAccounts(...args)
  nodes.push(node)
  return node
}

async function resetToken(accounts: Accounts, email: string): Promise<string> {
  await accounts.call('POST', '/auth/forgot-password', { body: { email } })
  return accounts.mailedToken(email, /reset/i)
}

const reset = ({ call }: Accounts, token: string, password = newPassword): Promise<CallAnswer> =>
  call('POST', '/auth/reset-password', { body: { token, password } })

const verify = ({ call }: Accounts, token: string): Promise<CallAnswer> =>
  call('POST', '/auth/verify-email', { body: { token } })

const invalid = { status: 400, body: { error: 'INVALID_TOKEN' } }

eachStore('one-time tokens', (openStore) => {
  let database: TestStore
  beforeEach(async () => {
    database = await openStore()
  })
  afterEach(() => database.remove())

  test('of twenty resets at once with one token, on two nodes, one succeeds', async () => {
    const here = await open({}, { serviceDatabase: database.url })
    const there = await open({}, { serviceDatabase: database.url })
    const { email } = await signUp(here)
    const token = await resetToken(here, email)
    const secrets = Array.from({ length: 20 }, (_, i) => `${newPassword} ${i}`)
    const answers = await Promise.all(
      secrets.map((secret, i) => reset(i % 2 === 0 ? here : there, token, secret)),
    )
    const winners = secrets.filter((_, i) => answers[i]?.status === 200)
    expect(winners).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(invalid)
    expect(await signIn(there, email, winners[0])).toMatchObject({ status: 200 })
    const loser = secrets.find((secret) => secret !== winners[0])
    expect(await signIn(here, email, loser)).toMatchObject({ status: 401 })
  })

  test('of twenty verifications at once one succeeds', async () => {
    const accounts = await open({}, { serviceDatabase: database.url })
    const { email } = await signUp(accounts)
    const token = await accounts.mailedToken(email, /confirm/i)
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(accounts, token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('one-time tokens are not in the database as they are', async () => {
    const accounts = await open({}, { serviceDatabase: database.url })
    const { email } = await signUp(accounts)
    const tokens = [
      await accounts.mailedToken(email, /confirm/i),
      await resetToken(accounts, email),
    ]
    const { store } = accounts.gateway
    const tables = (await store?.database.introspection.getTables()) ?? []
    let seen = ''
    for (const { name } of tables) {
      if (!name.startsWith('engine_')) continue
      const rows = await store?.database.selectFrom(name).selectAll().execute()
      seen += JSON.stringify(rows, (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      )
    }
    expect(seen).toContain(email)
    for (const token of tokens) expect(seen).not.toContain(token)
    expect(seen).not.toContain('correct horse')
  })
})

describe('a reset token', () => {
  test('a reset token works once', async () => {
    const accounts = await open()
    const { email } = await signUp(accounts)
    const token = await resetToken(accounts, email)
    expect(await reset(accounts, token)).toMatchObject({ status: 200 })
    expect(await reset(accounts, token)).toMatchObject(invalid)
  })

  test('a reset token ends after an hour', async () => {
    const accounts = await open()
    const { email } = await signUp(accounts)
    const token = await resetToken(accounts, email)
    accounts.pass(hour + 1)
    expect(await reset(accounts, token)).toMatchObject(invalid)
    expect(await signIn(accounts, email)).toMatchObject({ status: 200 })
  })

  test('a reset token is not used up by a password that is refused', async () => {
    const accounts = await open()
    const { email } = await signUp(accounts)
    const token = await resetToken(accounts, email)
    for (const bad of ['short', '', 'password', '12345678', 'x'.repeat(1_025), '\ud800xxxxxxxx']) {
      expect(await reset(accounts, token, bad)).toMatchObject({
        status: 400,
        body: { error: 'VALIDATION_ERROR' },
      })
    }
    expect(await reset(accounts, token)).toMatchObject({ status: 200 })
  })

  test('a reset token ends when another has been used; of more than three the oldest ends', async () => {
    const accounts = await open()
    const { email } = await signUp(accounts)
    const tokens: string[] = []
    for (let i = 0; i < 4; i += 1) {
      accounts.pass(1_000)
      tokens.push(await newest(accounts, email, tokens))
    }
    const [first = '', second = '', third = '', fourth = ''] = tokens
    expect(await reset(accounts, first)).toMatchObject(invalid)
    expect(await reset(accounts, third)).toMatchObject({ status: 200 })
    for (const other of [second, fourth])
      expect(await reset(accounts, other)).toMatchObject(invalid)
  })

  test('verifies no address, and a verification token resets no password', async () => {
    const accounts = await open()
    const { email } = await signUp(accounts)
    const verifying = await accounts.mailedToken(email, /confirm/i)
    const resetting = await resetToken(accounts, email)
    expect(await verify(accounts, resetting)).toMatchObject(invalid)
    expect(await reset(accounts, verifying)).toMatchObject(invalid)
    expect(await reset(accounts, resetting)).toMatchObject({ status: 200 })
  })

  test('a reset token gives no session; its owner gets a mail, and the address is proved', async () => {
    const accounts = await open()
    const { email } = await signUp(accounts)
    const answer = await reset(accounts, await resetToken(accounts, email))
    expect(answer.text).not.toMatch(/token|session/i)
    const told = async () =>
      (await accounts.gateway.auth?.admin.outbox())?.filter(
        ({ to, subject }) => to === email && /was changed/.test(subject),
      )
    await expect.poll(told).toHaveLength(1)
    expect((await signIn(accounts, email, newPassword)).body.user.emailVerified).toBe(true)
  })

  test('unlocks an account that failures have locked', async () => {
    const accounts = await open({
      throttle: { signInFailuresPerAccount: [3, '1h'], forgotPasswordPerEmail: [50, '1m'] },
    })
    const { email } = await signUp(accounts)
    for (let i = 0; i < 4; i += 1) {
      await accounts.call('POST', '/auth/sign-in', {
        body: { email, password: 'wrong' },
        ip: `203.0.113.${i}`,
      })
    }
    expect(await signIn(accounts, email)).toMatchObject({ status: 429 })
    expect(await reset(accounts, await resetToken(accounts, email))).toMatchObject({ status: 200 })
    expect(await signIn(accounts, email, newPassword)).toMatchObject({ status: 200 })
  })
})

/** A reset token that does not exist. */
async function newest(
  accounts: Accounts,
  email: string,
  known: readonly string[],
): Promise<string> {
  await accounts.call('POST', '/auth/forgot-password', { body: { email } })
  let token = ''
  await expect
    .poll(async () => {
      token = await accounts.mailedToken(email, /reset/i)
      return known.includes(token)
    })
    .toBe(false)
  return token
}

describe('a verification token', () => {
  test('a verification token works once, for a day', async () => {
    const accounts = await open()
    const [ada, bob] = [await signUp(accounts), await signUp(accounts)]
    const token = await accounts.mailedToken(ada.email, /confirm/i)
    expect(await verify(accounts, token)).toMatchObject({ status: 200 })
    expect(await verify(accounts, token)).toMatchObject(invalid)
    const late = await accounts.mailedToken(bob.email, /confirm/i)
    accounts.pass(24 * hour + 1)
    expect(await verify(accounts, late)).toMatchObject(invalid)
  })
})

describe('with emailVerification', () => {
  const open_ = () => open({ emailVerification: true })

  test('an unverified user signs up and out, but does not sign in or read data', async () => {
    const accounts = await open_()
    const { email, token } = await signUp(accounts)
    expect(await signIn(accounts, email)).toMatchObject({
      status: 403,
      body: { error: 'EMAIL_NOT_VERIFIED' },
    })
    expect(await readNotes(accounts, token)).toMatchObject({
      status: 403,
      body: { error: 'PERMISSION_DENIED' },
    })
    expect(await accounts.call('GET', '/auth/session', { token })).toMatchObject({
      status: 200,
      body: { user: { emailVerified: false } },
    })
    expect(await accounts.call('POST', '/auth/sign-out', { token })).toMatchObject({ status: 200 })
    expect(await readNotes(accounts, token)).toMatchObject({ status: 401 })
  })

  test('only a client with the password learns that the address is not verified', async () => {
    const accounts = await open_()
    const { email } = await signUp(accounts)
    for (const wrong of [
      await signIn(accounts, email, 'wrong'),
      await signIn(accounts, newEmail()),
    ])
      expect(wrong).toMatchObject({ status: 401, body: { error: 'INVALID_CREDENTIALS' } })
  })

  test('the same token works as soon as the address is verified', async () => {
    const accounts = await open_()
    const { email, token } = await signUp(accounts)
    await verify(accounts, await accounts.mailedToken(email, /confirm/i))
    expect(await readNotes(accounts, token)).toMatchObject({ status: 200 })
    expect(await signIn(accounts, email)).toMatchObject({ status: 200 })
  })

  test('another mail can be had, and not once the address is verified', async () => {
    const accounts = await open_()
    const { email } = await signUp(accounts)
    const first = await accounts.mailedToken(email, /confirm/i)
    const mails = async () =>
      (await accounts.gateway.auth?.admin.outbox())?.filter(({ to }) => to === email) ?? []
    const resend = () => accounts.call('POST', '/auth/resend-verification', { body: { email } })
    expect(await resend()).toMatchObject({ status: 200 })
    await expect.poll(mails).toHaveLength(2)
    expect(await verify(accounts, first)).toMatchObject({ status: 200 })
    const before = await mails()
    expect(await resend()).toMatchObject({ status: 200 })
    await signUp(accounts)
    expect(await mails()).toHaveLength(before.length)
  })
})
