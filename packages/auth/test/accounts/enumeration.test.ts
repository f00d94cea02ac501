import { openSqliteStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client, type OpenAuth, openAuth, password } from '../support/open-auth.ts'

/** The complete answer to a client. */
function told(error: unknown) {
  const { code, status, message, publicMessage, details, rate } = error as Record<string, unknown>
  return { code, status, message, publicMessage, details, rate }
}

describe('no answer reveals who has an account', () => {
  let stores: TestStore
  let auth: OpenAuth
  beforeEach(async () => {
    stores = await openSqliteStore()
    auth = await openAuth(stores.store)
    await auth.signUp({ email: 'ada@example.com', password }, client)
    const { user } = await auth.signUp({ email: 'disabled@example.com', password }, client)
    await auth.admin.updateUser(user.id, { disabled: true })
  })
  afterEach(async () => {
    await auth.close()
    await stores.remove()
  })

  test('sign-in fails in one way', async () => {
    const attempts = [
      { email: 'ada@example.com', password: 'wrong' },
      { email: 'nobody@example.com', password },
      { email: 'disabled@example.com', password },
      { email: 'disabled@example.com', password: 'wrong' },
      { email: 'no address', password },
      { email: '', password },
      { email: `${'a'.repeat(10_000)}@example.com`, password },
    ]
    const outcomes = await Promise.all(
      attempts.map((body) => auth.signIn(body, client).then(() => 'signed in', told)),
    )
    const [first] = outcomes
    expect(first).toMatchObject({ code: 'INVALID_CREDENTIALS', status: 401 })
    for (const outcome of outcomes) expect(outcome).toEqual(first)
  })

  test('forgotten passwords and verification mails are answered before anything is looked up', async () => {
    for (const email of ['ada@example.com', 'nobody@example.com', 'no address', '']) {
      await expect(auth.forgotPassword({ email }, client)).resolves.toBeUndefined()
      await expect(auth.resendVerification({ email }, client)).resolves.toBeUndefined()
    }
    await auth.mailedToken('ada@example.com', /reset/i)
    const mails = await auth.admin.outbox()
    expect(mails.map(({ to }) => to).filter((to) => !/^(ada|disabled)@/.test(to))).toEqual([])
  })

  test('a disabled account gets no mails and uses no tokens', async () => {
    const before = (await auth.admin.outbox()).length
    await auth.forgotPassword({ email: 'disabled@example.com' }, client)
    await auth.resendVerification({ email: 'disabled@example.com' }, client)
    // Queued after both of them.
    await auth.forgotPassword({ email: 'ada@example.com' }, client)
    await auth.mailedToken('ada@example.com', /reset/i)
    expect(await auth.admin.outbox()).toHaveLength(before + 1)
  })

  test('tokens fail in one way', async () => {
    const used = await auth.mailedToken('ada@example.com', /./)
    await auth.verifyEmail({ token: used }, client)
    const tokens = [used, '', 'x', 'A'.repeat(43), 'A'.repeat(10_000), "' or 1=1 --"]
    const outcomes = await Promise.all(
      tokens.flatMap((token) => [
        auth.verifyEmail({ token }, client).then(() => 'verified', told),
        auth
          .resetPassword({ token, password: 'another good one' }, client)
          .then(() => 'reset', told),
      ]),
    )
    const [first] = outcomes
    expect(first).toMatchObject({ code: 'INVALID_TOKEN', status: 400 })
    for (const outcome of outcomes) expect(outcome).toEqual(first)
  })
})

describe('where taken addresses are concealed', () => {
  let stores: TestStore
  let auth: OpenAuth
  beforeEach(async () => {
    stores = await openSqliteStore()
    auth = await openAuth(stores.store, {
      auth: { emailVerification: true, signUp: { concealExisting: true } },
    })
  })
  afterEach(async () => {
    await auth.close()
    await stores.remove()
  })

  test('a second sign-up looks like the first, whose token is of no use either', async () => {
    const body = { email: 'ada@example.com', password, name: 'Ada' }
    const first = await auth.signUp(body, client)
    const token = await auth.mailedToken('ada@example.com', /verif|confirm/i)
    const second = await auth.signUp({ ...body, name: 'Eve' }, client)
    expect(Object.keys(second.user)).toEqual(Object.keys(first.user))
    expect(second.user).toMatchObject({
      email: 'ada@example.com',
      name: 'Eve',
      emailVerified: false,
    })
    expect(second.session.token).toHaveLength(first.session.token.length)
    expect(second.session.expiresAt).toBe(first.session.expiresAt)
    for (const { session } of [first, second]) {
      await expect(auth.session(session.token, client)).rejects.toMatchObject({ status: 401 })
    }
    await auth.verifyEmail({ token }, client)
    expect((await auth.signIn(body, client)).user.name).toBe('Ada')
    const subjects = async () => (await auth.admin.outbox()).map(({ subject }) => subject)
    await expect.poll(async () => (await subjects()).length, { interval: 5 }).toBe(2)
  })

  test('sign-ins before the address is verified do not lock its owner out', async () => {
    const limited = await openAuth(stores.store, {
      auth: {
        emailVerification: true,
        signUp: { concealExisting: true },
        throttle: { signInFailuresPerAccount: [2, '1h'] },
      },
    })
    const body = { email: 'ada@example.com', password }
    await limited.signUp(body, client)
    const token = await limited.mailedToken('ada@example.com', /./)
    for (const status of [401, 401, 429]) {
      await expect(limited.signIn(body, client)).rejects.toMatchObject({ status })
    }
    await limited.verifyEmail({ token }, client)
    expect(await limited.signIn(body, client)).toMatchObject({ user: { emailVerified: true } })
    await limited.close()
  })

  test('the password of a sign-up is a wrong one until the address is verified', async () => {
    const limited = await openAuth(stores.store, {
      auth: {
        emailVerification: true,
        signUp: { concealExisting: true },
        throttle: { signInFailuresPerAccountAndIp: [3, '15m'] },
      },
    })
    await limited.admin.createUser({ email: 'ada@example.com', password, verified: true })
    const outcomes = async (email: string) => {
      const body = { email, password: 'another good password' }
      await limited.signUp(body, client)
      const mailed = async () => (await limited.admin.outbox()).filter(({ to }) => to === email)
      await expect.poll(async () => (await mailed()).length, { interval: 5 }).toBe(1)
      const found = []
      for (let i = 0; i < 5; i += 1) {
        found.push(await limited.signIn(body, client).then(() => 'signed in', told))
      }
      return found
    }
    const known = await outcomes('ada@example.com')
    expect(known.map((outcome) => Reflect.get(Object(outcome), 'status'))).toEqual([
      401, 401, 401, 429, 429,
    ])
    expect(await outcomes('eve@example.com')).toEqual(known)
    await limited.close()
  })
})
