import { eachStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client, inParallel, type OpenAuth, openAuth, password } from '../support/open-auth.ts'

eachStore('accounts', (open) => {
  let stores: TestStore
  let auth: OpenAuth
  const person = { email: 'Ada@Example.com', password, name: 'Ada' }
  beforeEach(async () => {
    stores = await open()
    auth = await openAuth(stores.store)
  })
  afterEach(async () => {
    await auth.close()
    await stores.remove()
  })

  test('sign-up makes an account and a session, and nothing else of the body is kept', async () => {
    const body = { ...person, id: 'mine', emailVerified: true, roles: ['admin'], createdAt: '1970' }
    const { user, session } = await auth.signUp(body, client)
    expect(user).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'Ada@Example.com',
      name: 'Ada',
      emailVerified: false,
      createdAt: '2026-11-22T12:00:00.000Z',
    })
    expect(session).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expiresAt: '2026-11-23T12:00:00.000Z',
    })
    const { caller } = await auth.authenticate(session.token, client)
    expect(caller).toMatchObject({ kind: 'user', id: user.id, roles: ['user'] })
  })

  test('an address in another spelling is taken, and signs in', async () => {
    await auth.signUp(person, client)
    const again = auth.signUp({ ...person, email: ' ADA@EXAMPLE.COM' }, client)
    await expect(again).rejects.toMatchObject({ code: 'EMAIL_EXISTS', status: 409 })
    const { user } = await auth.signIn({ email: 'ada@example.com', password }, client)
    expect(user.email).toBe('Ada@Example.com')
  })

  test('of 8 sign-ups with one address at a time one makes an account', async () => {
    const { values, codes } = await inParallel(8, () => auth.signUp(person, client))
    expect(values).toHaveLength(1)
    expect(codes).toEqual(Array.from({ length: 7 }, () => 'EMAIL_EXISTS'))
    const users = await auth.admin.listUsers({ limit: 10, offset: 0 })
    expect(users).toHaveLength(1)
  })

  test('of 20 verifications with one token at a time one succeeds', async () => {
    const { session } = await auth.signUp(person, client)
    const token = await auth.mailedToken('Ada@Example.com', /./)
    const { values, codes } = await inParallel(20, () => auth.verifyEmail({ token }, client))
    expect(values).toHaveLength(1)
    expect(codes).toEqual(Array.from({ length: 19 }, () => 'INVALID_TOKEN'))
    expect((await auth.session(session.token, client)).user.emailVerified).toBe(true)
  })

  test('of 8 resets with one token at a time one succeeds, and its password is the one', async () => {
    await auth.signUp(person, client)
    await auth.forgotPassword({ email: 'ada@example.com' }, client)
    const token = await auth.mailedToken('Ada@Example.com', /reset/i)
    const attempt = (i: number) => ({ token, password: `a new password ${i}` })
    const { values, codes } = await inParallel(8, async (i) => {
      await auth.resetPassword(attempt(i), client)
      return attempt(i).password
    })
    expect(values).toHaveLength(1)
    expect(codes).toEqual(Array.from({ length: 7 }, () => 'INVALID_TOKEN'))
    const [winner = ''] = values
    await expect(
      auth.signIn({ email: person.email, password: winner }, client),
    ).resolves.toBeDefined()
    await expect(auth.signIn(person, client)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
  })

  test('a reset ends all sessions and all reset tokens, and verifies the address', async () => {
    const first = await auth.signUp(person, client)
    const second = await auth.signIn(person, client)
    await auth.forgotPassword({ email: person.email }, client)
    const older = await auth.mailedToken(person.email, /reset/i, 1)
    auth.pass(1_000)
    await auth.forgotPassword({ email: person.email }, client)
    const newer = await auth.mailedToken(person.email, /reset/i, 2)
    expect(newer).not.toBe(older)
    await auth.resetPassword({ token: older, password: 'another good one' }, client)
    for (const { session } of [first, second]) {
      await expect(auth.session(session.token, client)).rejects.toMatchObject({ status: 401 })
      await expect(auth.authenticate(session.token, client)).rejects.toMatchObject({ status: 401 })
    }
    const again = auth.resetPassword({ token: newer, password: 'yet another one' }, client)
    await expect(again).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
    const { user } = await auth.signIn({ ...person, password: 'another good one' }, client)
    expect(user.emailVerified).toBe(true)
    const told = async () =>
      (await auth.admin.outbox()).filter(({ subject }) => /changed/i.test(subject)).length
    await expect.poll(told, { interval: 5 }).toBe(1)
  })

  test('no session of the old password is left, also of a sign-in at the same time', async () => {
    await auth.signUp(person, client)
    await auth.forgotPassword({ email: person.email }, client)
    const token = await auth.mailedToken(person.email, /reset/i)
    const reset = auth.resetPassword({ token, password: 'another good one' }, client)
    const { values } = await inParallel(15, () => auth.signIn(person, client))
    await reset
    for (const { session } of values) {
      await expect(auth.session(session.token, client)).rejects.toMatchObject({ status: 401 })
    }
    const all = await auth.admin.listSessions({ limit: 100, offset: 0 })
    expect(all).toEqual([])
  })

  test('a password that is refused does not use the token up', async () => {
    await auth.signUp(person, client)
    await auth.forgotPassword({ email: person.email }, client)
    const token = await auth.mailedToken(person.email, /reset/i)
    for (const refused of ['short', 'password1', 'Ada@Example.com']) {
      const reset = auth.resetPassword({ token, password: refused }, client)
      await expect(reset).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 400 })
    }
    await auth.resetPassword({ token, password: 'another good one' }, client)
  })

  test('a token is good for its purpose, for an hour, and three of them live', async () => {
    await auth.signUp(person, client)
    const verify = await auth.mailedToken(person.email, /./)
    const wrong = auth.resetPassword({ token: verify, password: 'another good one' }, client)
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
    const tokens: string[] = []
    for (const count of [1, 2, 3, 4]) {
      auth.pass(1_000)
      await auth.forgotPassword({ email: person.email }, client)
      tokens.push(await auth.mailedToken(person.email, /reset/i, count))
    }
    const [first = '', , third = '', last = ''] = tokens
    await expect(
      auth.resetPassword({ token: first, password: 'another good one' }, client),
    ).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
    await expect(auth.verifyEmail({ token: third }, client)).rejects.toMatchObject({
      code: 'INVALID_TOKEN',
    })
    auth.pass(3_600_000)
    await expect(
      auth.resetPassword({ token: last, password: 'another good one' }, client),
    ).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
    await auth.verifyEmail({ token: verify }, client)
  })

  test('changing the password ends the other sessions and keeps this one', async () => {
    const { session: mine } = await auth.signUp(person, client)
    const { session: other } = await auth.signIn(person, client)
    const change = (currentPassword: string) =>
      auth.changePassword(mine.token, { currentPassword, newPassword: 'another good one' }, client)
    await expect(change('wrong')).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
    await change(password)
    await expect(auth.session(other.token, client)).rejects.toMatchObject({ status: 401 })
    await expect(auth.session(mine.token, client)).resolves.toBeDefined()
    await expect(auth.signIn(person, client)).rejects.toMatchObject({ status: 401 })
  })

  test('of 8 changes at a time one succeeds', async () => {
    const { session } = await auth.signUp(person, client)
    const { values } = await inParallel(8, (i) =>
      auth.changePassword(
        session.token,
        { currentPassword: password, newPassword: `a new password ${i}` },
        client,
      ),
    )
    expect(values).toHaveLength(1)
  })

  test('an administrator lists, changes and disables accounts', async () => {
    const { user, session } = await auth.signUp(person, client)
    auth.pass(1_000)
    await auth.signUp({ email: 'bob@example.com', password, name: '100%_!' }, client)
    const find = (search?: string) =>
      auth.admin.listUsers({ limit: 10, offset: 0, ...(search === undefined ? {} : { search }) })
    expect((await find()).map(({ email }) => email)).toEqual(['bob@example.com', 'Ada@Example.com'])
    expect((await find('ADA')).map(({ name }) => name)).toEqual(['Ada'])
    expect((await find('%_!')).map(({ email }) => email)).toEqual(['bob@example.com'])
    expect(await find('_____________________________')).toEqual([])
    expect(await auth.admin.updateUser(user.id, { roles: ['editor'] })).toBe(true)
    const { caller } = await auth.authenticate(session.token, client)
    expect(caller.roles).toEqual(['editor'])
    expect(await auth.admin.updateUser(user.id, { disabled: true })).toBe(true)
    await expect(auth.session(session.token, client)).rejects.toMatchObject({ status: 401 })
    await expect(auth.signIn(person, client)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
    expect(await auth.admin.updateUser(user.id, { disabled: false })).toBe(true)
    await expect(auth.session(session.token, client)).rejects.toMatchObject({ status: 401 })
    await expect(auth.signIn(person, client)).resolves.toBeDefined()
    expect(await auth.admin.updateUser('nobody', { disabled: true })).toBe(false)
    expect(await auth.admin.startReset('nobody')).toBe(false)
    expect(await auth.admin.startReset(user.id)).toBe(true)
    await auth.mailedToken(person.email, /reset/i)
  })
})

describe('with verification', () => {
  let stores: TestStore
  eachStore('accounts that must be verified', (open) => {
    let auth: OpenAuth
    beforeEach(async () => {
      stores = await open()
      auth = await openAuth(stores.store, { auth: { emailVerification: true } })
    })
    afterEach(async () => {
      await auth.close()
      await stores.remove()
    })

    test('only the right password learns that the address is not verified', async () => {
      const person = { email: 'ada@example.com', password }
      const { session } = await auth.signUp(person, client)
      await expect(auth.authenticate(session.token, client)).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      })
      await expect(auth.session(session.token, client)).resolves.toBeDefined()
      await expect(auth.signIn(person, client)).rejects.toMatchObject({
        code: 'EMAIL_NOT_VERIFIED',
        status: 403,
      })
      await expect(auth.signIn({ ...person, password: 'wrong' }, client)).rejects.toMatchObject({
        code: 'INVALID_CREDENTIALS',
      })
      await auth.resendVerification({ email: 'ada@example.com' }, client)
      const token = await auth.mailedToken('ada@example.com', /./, 2)
      await auth.verifyEmail({ token }, client)
      await expect(auth.signIn(person, client)).resolves.toBeDefined()
      await expect(auth.authenticate(session.token, client)).resolves.toBeDefined()
    })
  })
})
