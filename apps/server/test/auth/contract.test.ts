/** Interface specification 4.1 to 4.7 and 7.2: statuses, bodies and headers of `/auth`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Accounts,
  type CallAnswer,
  newEmail,
  openAccounts,
  password,
  readNotes,
  signIn,
  signUp,
} from '../support/accounts.ts'

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/
const correlationId = /^[\w.-]{1,128}$/

let accounts: Accounts

beforeAll(async () => {
  accounts = await openAccounts()
})
afterAll(() => accounts?.close())

function expectUserAndSession(body: CallAnswer['body'], email: string, name: string): void {
  expect(body).toEqual({
    user: {
      id: expect.any(String),
      email,
      name,
      emailVerified: false,
      createdAt: expect.stringMatching(isoTime),
    },
    session: {
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expiresAt: expect.stringMatching(isoTime),
    },
  })
}

function expectError(answer: CallAnswer, status: number, error: string): void {
  expect(answer).toMatchObject({ status, body: { error } })
  expect(Object.keys(answer.body).toSorted()).toEqual(['correlation_id', 'error', 'message'])
  expect(answer.body.message).toMatch(/\S/)
  expect(answer.body.correlation_id).toMatch(correlationId)
  expect(answer.headers.get('x-request-id')).toBe(answer.body.correlation_id)
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

describe('sign-up', () => {
  test('sign-up is 201 with the user and a session', async () => {
    const email = newEmail()
    const answer = await accounts.call('POST', '/auth/sign-up', {
      body: { email, password, name: 'Ada Lovelace' },
    })
    expect(answer.status).toBe(201)
    expectUserAndSession(answer.body, email, 'Ada Lovelace')
  })

  test('sign-up needs no name', async () => {
    const email = newEmail()
    const answer = await accounts.call('POST', '/auth/sign-up', { body: { email, password } })
    expectUserAndSession(answer.body, email, '')
  })

  test('sign-up gives a token that works at once', async () => {
    const { token } = await signUp(accounts)
    expect(await readNotes(accounts, token)).toMatchObject({ status: 200, body: { rows: [] } })
  })

  test('sign-up of a taken address is 409 EMAIL_EXISTS, however it is spelled', async () => {
    const { email } = await signUp(accounts)
    for (const same of [email, email.toUpperCase(), ` ${email} `]) {
      const body = { email: same, password: 'another good password' }
      expectError(await accounts.call('POST', '/auth/sign-up', { body }), 409, 'EMAIL_EXISTS')
    }
    expect(await signIn(accounts, email, 'another good password')).toMatchObject({ status: 401 })
  })

  test('sign-up at the same moment makes one account', async () => {
    const body = { email: newEmail(), password }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => accounts.call('POST', '/auth/sign-up', { body })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)])
  })

  test('sign-up with what is missing or too short is 400 VALIDATION_ERROR', async () => {
    const email = newEmail()
    for (const body of [
      {},
      { email },
      { password },
      { email, password: '' },
      { email, password: '1234567' },
      { email: '', password },
      { email: 'nobody', password },
    ])
      expectError(await accounts.call('POST', '/auth/sign-up', { body }), 400, 'VALIDATION_ERROR')
  })

  test('sign-up with eight characters is enough', async () => {
    const body = { email: newEmail(), password: 'q9#Zt4!w' }
    expect(await accounts.call('POST', '/auth/sign-up', { body })).toMatchObject({ status: 201 })
  })

  test('sets nothing that was not asked for', async () => {
    const email = newEmail()
    const answer = await accounts.call('POST', '/auth/sign-up', {
      body: {
        email,
        password,
        id: 'chosen',
        emailVerified: true,
        createdAt: '2001-01-01T00:00:00Z',
        roles: ['admin'],
        role: 'admin',
        disabled: false,
        user: { id: 'chosen' },
      },
    })
    expect(answer.status).toBe(201)
    expect(answer.body.user).toMatchObject({ emailVerified: false })
    expect(answer.body.user.id).not.toBe('chosen')
    expect(answer.body.user.createdAt).not.toContain('2001')
    expect(JSON.stringify(claimsOf(answer.body.session.token))).not.toContain('admin')
  })
})

describe('sign-in', () => {
  test('sign-in is 200 with the user and a new session', async () => {
    const { email, token, id } = await signUp(accounts, { name: 'Ada' })
    const answer = await signIn(accounts, email)
    expect(answer.status).toBe(200)
    expectUserAndSession(answer.body, email, 'Ada')
    expect(answer.body.user.id).toBe(id)
    expect(answer.body.session.token).not.toBe(token)
    expect(claimsOf(answer.body.session.token)['sid']).not.toBe(claimsOf(token)['sid'])
  })

  test('sign-in finds the account in whatever case the address is written', async () => {
    const { email } = await signUp(accounts)
    expect(await signIn(accounts, email.toUpperCase())).toMatchObject({
      status: 200,
      body: { user: { email } },
    })
  })

  test('sign-in with a wrong address or password is 401 INVALID_CREDENTIALS', async () => {
    const { email } = await signUp(accounts)
    const wrong = await signIn(accounts, email, `${password}x`)
    expectError(wrong, 401, 'INVALID_CREDENTIALS')
    expectError(await signIn(accounts, newEmail()), 401, 'INVALID_CREDENTIALS')
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('applies no rule of new passwords', async () => {
    const { email } = await signUp(accounts)
    expectError(await signIn(accounts, email, 'abc'), 401, 'INVALID_CREDENTIALS')
    expectError(await signIn(accounts, email, 'password'), 401, 'INVALID_CREDENTIALS')
  })

  test('compares passwords exactly', async () => {
    const { email } = await signUp(accounts)
    for (const other of [
      ` ${password}`,
      `${password} `,
      password.toUpperCase(),
      `${password}\0`,
      password.slice(0, -1),
    ])
      expect(await signIn(accounts, email, other)).toMatchObject({ status: 401 })
  })
})

describe('sign-out', () => {
  test('sign-out is 200 { success: true }, and the token is dead', async () => {
    const { token } = await signUp(accounts)
    const answer = await accounts.call('POST', '/auth/sign-out', { token })
    expect(answer).toMatchObject({ status: 200, text: '{"success":true}' })
    expectError(await readNotes(accounts, token), 401, 'UNAUTHORIZED')
    expectError(await accounts.call('GET', '/auth/session', { token }), 401, 'UNAUTHORIZED')
    expectError(await accounts.call('POST', '/auth/sign-out', { token }), 401, 'UNAUTHORIZED')
  })

  test('sign-out ends no other session', async () => {
    const { email, token } = await signUp(accounts)
    const other = (await signIn(accounts, email)).body.session.token
    await accounts.call('POST', '/auth/sign-out', { token })
    expect(await readNotes(accounts, other)).toMatchObject({ status: 200 })
  })

  test('looks at no body', async () => {
    for (const options of [
      { raw: '{' },
      { raw: 'x', headers: { 'content-type': 'text/plain' } },
      { body: {} },
    ]) {
      const { token } = await signUp(accounts)
      expect(await accounts.call('POST', '/auth/sign-out', { token, ...options })).toMatchObject({
        status: 200,
      })
    }
  })

  test('sign-out without a token is 401', async () => {
    const answer = await accounts.call('POST', '/auth/sign-out')
    expectError(answer, 401, 'UNAUTHORIZED')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('sign-out with a wrong token says so', async () => {
    const answer = await accounts.call('POST', '/auth/sign-out', { token: 'x.y.z' })
    expectError(answer, 401, 'UNAUTHORIZED')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  })
})

describe('session', () => {
  test('session is 200 with the user and the session', async () => {
    const { email, token, id } = await signUp(accounts, { name: 'Ada' })
    const answer = await accounts.call('GET', '/auth/session', { token })
    expect(answer.status).toBe(200)
    expectUserAndSession(answer.body, email, 'Ada')
    expect(answer.body.user.id).toBe(id)
    expect(answer.body.session.token).toBe(token)
  })

  test('session says when the token ends, as the token itself does', async () => {
    const { token } = await signUp(accounts)
    const { body } = await accounts.call('GET', '/auth/session', { token })
    expect(Date.parse(body.session.expiresAt)).toBe(Number(claimsOf(token)['exp']) * 1_000)
  })

  test('session without a valid token is 401', async () => {
    expectError(await accounts.call('GET', '/auth/session'), 401, 'UNAUTHORIZED')
    expectError(await accounts.call('GET', '/auth/session', { token: 'x' }), 401, 'UNAUTHORIZED')
  })

  test('session answers HEAD without a body', async () => {
    const { token } = await signUp(accounts)
    expect(await accounts.call('HEAD', '/auth/session', { token })).toMatchObject({
      status: 200,
      text: '',
    })
  })
})

describe('forgot-password', () => {
  test('forgot-password is 200 { success, message } whether or not there is an account', async () => {
    const { email } = await signUp(accounts)
    for (const given of [email, newEmail(), 'no address']) {
      const answer = await accounts.call('POST', '/auth/forgot-password', {
        body: { email: given },
      })
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({
        success: true,
        message: expect.stringMatching(/if an account exists.*reset link/i),
      })
    }
  })

  test('forgot-password without an e-mail is 400', async () => {
    expectError(
      await accounts.call('POST', '/auth/forgot-password', { body: {} }),
      400,
      'VALIDATION_ERROR',
    )
  })
})

describe('reset-password', () => {
  test('reset-password is 200 { success, message }, and the new password is the only one', async () => {
    const { email } = await signUp(accounts)
    await accounts.call('POST', '/auth/forgot-password', { body: { email } })
    const token = await accounts.mailedToken(email, /reset/i)
    const body = { token, password: 'a brand new password' }
    const answer = await accounts.call('POST', '/auth/reset-password', { body })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      message: expect.stringMatching(/sign in with the new password/i),
    })
    expect(await signIn(accounts, email)).toMatchObject({ status: 401 })
    expect(await signIn(accounts, email, 'a brand new password')).toMatchObject({ status: 200 })
  })

  test('reset-password with another token is 400 INVALID_TOKEN', async () => {
    for (const token of ['x', '', 'A'.repeat(43), 'é', 'x'.repeat(10_000)]) {
      const body = { token, password }
      expectError(
        await accounts.call('POST', '/auth/reset-password', { body }),
        400,
        token === ''
          ? expect.stringMatching(/^(?:INVALID_TOKEN|VALIDATION_ERROR)$/)
          : 'INVALID_TOKEN',
      )
    }
  })

  test('reset-password with a short password is 400 VALIDATION_ERROR', async () => {
    const body = { token: 'A'.repeat(43), password: '1234567' }
    expectError(
      await accounts.call('POST', '/auth/reset-password', { body }),
      400,
      'VALIDATION_ERROR',
    )
  })
})

describe('verify-email', () => {
  test('verify-email is 200 { success, message }, and the user is verified', async () => {
    const { email, token } = await signUp(accounts)
    const mailed = await accounts.mailedToken(email, /confirm/i)
    const answer = await accounts.call('POST', '/auth/verify-email', { body: { token: mailed } })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true, message: expect.stringMatching(/verified/i) })
    const session = await accounts.call('GET', '/auth/session', { token })
    expect(session.body.user.emailVerified).toBe(true)
    expect((await signIn(accounts, email)).body.user.emailVerified).toBe(true)
  })

  test('verify-email with another token is 400 INVALID_TOKEN', async () => {
    const body = { token: 'A'.repeat(43) }
    expectError(await accounts.call('POST', '/auth/verify-email', { body }), 400, 'INVALID_TOKEN')
  })
})

describe('change-password', () => {
  test('change-password is 200, keeps this session and ends the others', async () => {
    const { email, token } = await signUp(accounts)
    const other = (await signIn(accounts, email)).body.session.token
    const body = { currentPassword: password, newPassword: 'a brand new password' }
    const answer = await accounts.call('POST', '/auth/change-password', { token, body })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(await readNotes(accounts, token)).toMatchObject({ status: 200 })
    expect(await readNotes(accounts, other)).toMatchObject({ status: 401 })
    expect(await signIn(accounts, email)).toMatchObject({ status: 401 })
    expect(await signIn(accounts, email, 'a brand new password')).toMatchObject({ status: 200 })
  })

  test('change-password with a wrong password is 401 INVALID_CREDENTIALS; without a token 401 UNAUTHORIZED', async () => {
    const { token, email } = await signUp(accounts)
    const body = { currentPassword: 'wrong', newPassword: 'a brand new password' }
    expectError(
      await accounts.call('POST', '/auth/change-password', { token, body }),
      401,
      'INVALID_CREDENTIALS',
    )
    expectError(await accounts.call('POST', '/auth/change-password', { body }), 401, 'UNAUTHORIZED')
    expectError(
      await accounts.call('POST', '/auth/change-password', { raw: '{' }),
      401,
      'UNAUTHORIZED',
    )
    expect(await signIn(accounts, email)).toMatchObject({ status: 200 })
  })

  test('change-password to a bad password is 400', async () => {
    const { token } = await signUp(accounts)
    const body = { currentPassword: password, newPassword: 'short' }
    expectError(
      await accounts.call('POST', '/auth/change-password', { token, body }),
      400,
      'VALIDATION_ERROR',
    )
  })
})

describe('sessions', () => {
  test('sessions are listed to their user, with this one marked', async () => {
    const { email, token } = await signUp(accounts)
    await accounts.call('POST', '/auth/sign-in', {
      body: { email, password },
      headers: { 'user-agent': 'Phone/1.0' },
      ip: '203.0.113.7',
    })
    const answer = await accounts.call('GET', '/auth/sessions', { token })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual(['sessions'])
    expect(answer.body.sessions).toHaveLength(2)
    const sessions: { readonly current: boolean }[] = answer.body.sessions
    expect(sessions.find(({ current }) => !current)).toEqual({
      id: expect.any(String),
      current: false,
      createdAt: expect.stringMatching(isoTime),
      lastSeenAt: expect.stringMatching(isoTime),
      expiresAt: expect.stringMatching(isoTime),
      ip: '203.0.113.7',
      userAgent: 'Phone/1.0',
    })
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
  })

  test('sessions end one by one, or all but this', async () => {
    const { email, token } = await signUp(accounts)
    const [a, b, c] = await Promise.all(
      [0, 1, 2].map(async () => (await signIn(accounts, email)).body.session.token as string),
    )
    const idOf = async (of: string) => {
      const { body } = await accounts.call('GET', '/auth/sessions', { token: of })
      return body.sessions.find(({ current }: { readonly current: boolean }) => current).id
    }
    const one = await accounts.call('DELETE', `/auth/sessions/${await idOf(a ?? '')}`, { token })
    expect(one).toMatchObject({ status: 200, text: '{"success":true}' })
    expect(await readNotes(accounts, a ?? '')).toMatchObject({ status: 401 })
    expect(await readNotes(accounts, b ?? '')).toMatchObject({ status: 200 })

    const others = await accounts.call('DELETE', '/auth/sessions/others', { token })
    expect(others).toMatchObject({ status: 200, text: '{"success":true}' })
    for (const dead of [b, c])
      expect(await readNotes(accounts, dead ?? '')).toMatchObject({ status: 401 })
    expect(await readNotes(accounts, token)).toMatchObject({ status: 200 })
  })

  test('sessions of another user are not found', async () => {
    const ada = await signUp(accounts)
    const eve = await signUp(accounts)
    const { body } = await accounts.call('GET', '/auth/sessions', { token: ada.token })
    for (const id of [body.sessions[0].id, 'nothing', '%00', '..%2f', "' or 1=1 --"]) {
      const path = `/auth/sessions/${id.startsWith('%') ? id : encodeURIComponent(id)}`
      expectError(await accounts.call('DELETE', path, { token: eve.token }), 404, 'NOT_FOUND')
    }
    expect(await readNotes(accounts, ada.token)).toMatchObject({ status: 200 })
  })

  test('sessions need a token', async () => {
    for (const [method, path] of [
      ['GET', '/auth/sessions'],
      ['DELETE', '/auth/sessions/others'],
      ['DELETE', '/auth/sessions/x'],
    ] as const)
      expectError(await accounts.call(method, path), 401, 'UNAUTHORIZED')
  })
})

describe('every answer', () => {
  test('every answer is stored nowhere, and is JSON of one kind', async () => {
    const { email, token } = await signUp(accounts)
    const answers = await Promise.all([
      signIn(accounts, email),
      signIn(accounts, email, 'wrong'),
      accounts.call('GET', '/auth/session', { token }),
      accounts.call('GET', '/auth/session'),
      accounts.call('POST', '/auth/sign-up', { raw: '{' }),
      accounts.call('POST', '/auth/forgot-password', { body: { email } }),
      accounts.call('PUT', '/auth/sign-in'),
    ])
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('pragma')).toBe('no-cache')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-type')).toBe('application/json')
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  test('every answer to a wrong method is 405 and says the right one', async () => {
    for (const [path, allowed] of [
      ['/auth/sign-in', 'POST'],
      ['/auth/sign-up', 'POST'],
      ['/auth/sign-out', 'POST'],
      ['/auth/session', 'GET, HEAD'],
      ['/auth/forgot-password', 'POST'],
      ['/auth/reset-password', 'POST'],
      ['/auth/verify-email', 'POST'],
      ['/auth/resend-verification', 'POST'],
      ['/auth/invitation', 'POST'],
      ['/auth/accept-invitation', 'POST'],
      ['/auth/change-password', 'POST'],
      ['/auth/sessions', 'GET, HEAD'],
      ['/auth/sessions/others', 'DELETE'],
      ['/auth/.well-known/jwks.json', 'GET, HEAD'],
    ] as const) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (allowed.split(', ').includes(method)) continue
        const answer = await accounts.call(method, path)
        expectError(answer, 405, 'BAD_REQUEST')
        expect(answer.headers.get('allow')).toBe(allowed)
      }
    }
  })

  test('every answer to an unknown path is 404', async () => {
    for (const path of [
      '/auth',
      '/auth/',
      '/auth/nothing',
      '/auth/sign-in/',
      '/auth/sign-in/x',
      '/AUTH/sign-in',
    ])
      expectError(await accounts.call('POST', path, { body: {} }), 404, 'NOT_FOUND')
  })

  test('every answer has the id of the request', async () => {
    const headers = { 'x-request-id': 'my-request.1' }
    const answer = await accounts.call('GET', '/auth/session', { headers })
    expect(answer.body.correlation_id).toBe('my-request.1')
  })
})

test('the keys of tokens that are signed with a secret are not published', async () => {
  const answer = await accounts.call('GET', '/auth/.well-known/jwks.json')
  expect(answer).toMatchObject({ status: 200, body: { keys: [] } })
})

test('a token has the claims that it needs, and nothing personal', async () => {
  const { id, token } = await signUp(accounts, { name: 'Ada' })
  const claims = claimsOf(token)
  expect(claims).toMatchObject({
    sub: id,
    sid: expect.stringMatching(/^[\w-]{22}$/),
    jti: expect.any(String),
    iat: expect.any(Number),
    exp: expect.any(Number),
  })
  expect(JSON.stringify(claims)).not.toMatch(/Ada|@|argon|role/)
})

test('without an auth provider there is no /auth', async () => {
  const open = await openAccounts({}, { config: { auth: undefined } as never })
  for (const path of ['/auth/sign-in', '/auth/sign-up'])
    expectError(await open.call('POST', path, { body: {} }), 404, 'NOT_FOUND')
  await open.close()
})
