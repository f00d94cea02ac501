import { openSqliteStore, type TestStore } from '@engine/test-stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client, type OpenAuth, openAuth, password } from '../support/open-auth.ts'

let stores: TestStore
let auth: OpenAuth
let token: string

beforeAll(async () => {
  stores = await openSqliteStore()
  auth = await openAuth(stores.store)
  const { session } = await auth.signUp({ email: 'owner@example.com', password }, client)
  token = session.token
})

afterAll(async () => {
  await auth.close()
  await stores.remove()
})

type Route = (body: unknown) => Promise<unknown>

/** Each with a valid body, except for the fields that a test changes. */
const routes: readonly (readonly [string, Route, Readonly<Record<string, string>>])[] = [
  [
    'signUp',
    (body) => auth.signUp(body, client),
    { email: 'new@example.com', password, name: 'x' },
  ],
  ['signIn', (body) => auth.signIn(body, client), { email: 'owner@example.com', password }],
  ['forgotPassword', (body) => auth.forgotPassword(body, client), { email: 'owner@example.com' }],
  [
    'resendVerification',
    (body) => auth.resendVerification(body, client),
    { email: 'owner@example.com' },
  ],
  [
    'resetPassword',
    (body) => auth.resetPassword(body, client),
    { token: 'A'.repeat(43), password: 'another good one' },
  ],
  ['verifyEmail', (body) => auth.verifyEmail(body, client), { token: 'A'.repeat(43) }],
  [
    'changePassword',
    (body) => auth.changePassword(token, body, client),
    { currentPassword: 'wrong', newPassword: 'another good one' },
  ],
]

const noText: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a number', 12_345_678],
  ['true', true],
  ['a list', ['owner@example.com']],
  ['an object', { $ne: '' }],
  ['half a surrogate pair', 'owner\ud800@example.com'],
]

describe.each(routes)('%s', (_name, call, right) => {
  test.each([undefined, null, 0, 'text', true, [], [right]])(
    'refuses %j as a body',
    async (body) => {
      await expect(call(body)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 400 })
    },
  )

  describe.each(Object.keys(right))('with %s', (field) => {
    test.each(noText)('being %s is refused with the name of the field', async (_kind, value) => {
      await expect(call({ ...right, [field]: value })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        status: 400,
        message: expect.stringContaining(field),
      })
    })

    test('inherited is missing it', async () => {
      if (field === 'name') return expect(call({ ...right, name: '\0' })).rejects.toBeDefined()
      const { [field]: value, ...others } = right
      const body: unknown = JSON.parse(
        `${JSON.stringify(others).slice(0, -1)}${Object.keys(others).length > 0 ? ',' : ''}"__proto__":${JSON.stringify({ [field]: value })}}`,
      )
      await expect(call(body)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: `${field} is required.`,
      })
    })
  })
})

describe('sign-up refuses', () => {
  test.each([
    ['email', ''],
    ['email', 'nobody'],
    ['email', 'a@b@c.de'],
    ['email', 'a\0@example.com'],
    ['email', 'a@example.com\r\nBcc: eve@example.com'],
    ['email', `${'a'.repeat(65)}@example.com`],
    ['email', '\u212Aelvin@example.com'],
    ['password', ''],
    ['password', '1234567'],
    ['password', 'o\u0308o\u0308o\u0308o\u0308'],
    ['password', 'password'],
    ['password', 'new@example.com'],
    ['password', 'x'.repeat(1_025)],
    ['name', 'a\0b'],
    ['name', 'a\nb'],
    ['name', 'x'.repeat(201)],
  ])('%s %j', async (field, value) => {
    const body = { email: 'new@example.com', password, name: 'x', [field]: value }
    await expect(auth.signUp(body, client)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
      message: expect.stringContaining(field),
    })
  })
})

describe('sign-up keeps as given', () => {
  test.each([
    ['👩‍👩‍👧', '👩👩👩👩👩👩👩👩'],
    ['<script>alert(1)</script>', '        '],
    ["Robert'); drop table engine_users;--", "' or ''='' --"],
    ['محمد', 'password\0with more'],
    ['', 'パスワードは長い'],
  ])('the name %j and the password %j', async (name, text) => {
    const email = `user${Math.abs(hashOf(name + text))}@example.com`
    const { user } = await auth.signUp({ email, password: text, name }, client)
    expect(user.name).toBe(name)
    await expect(auth.signIn({ email, password: text }, client)).resolves.toMatchObject({ user })
    const nearly = auth.signIn({ email, password: `${text} ` }, client)
    await expect(nearly).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
  })
})

function hashOf(text: string): number {
  return [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) | 0, 7)
}

test('another keyboard’s spelling of a password is the same password', async () => {
  const email = 'umlaut@example.com'
  await auth.signUp({ email, password: 'Schlüsselwörter' }, client)
  const decomposed = 'Schlüsselwörter'.normalize('NFD')
  await expect(auth.signIn({ email, password: decomposed }, client)).resolves.toBeDefined()
})

test('sign-in applies no policy', async () => {
  const short = auth.signIn({ email: 'owner@example.com', password: 'abc' }, client)
  await expect(short).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS', status: 401 })
})

test('neither passwords nor tokens are logged or written down', async () => {
  await auth.forgotPassword({ email: 'owner@example.com' }, client)
  const reset = await auth.mailedToken('owner@example.com', /reset/i)
  const secret = 'a password that nobody else has'
  await auth.resetPassword({ token: reset, password: secret }, client)
  const { session } = await auth.signIn({ email: 'owner@example.com', password: secret }, client)
  await auth.signOut(session.token, client)
  const written = JSON.stringify([auth.events(), auth.logged])
  for (const word of [secret, reset, session.token, password]) expect(written).not.toContain(word)
  expect(auth.events().map(({ action }) => action)).toEqual(
    expect.arrayContaining([
      'sign-up',
      'sign-in',
      'sign-in-failed',
      'sign-out',
      'password-reset',
      'password-reset-requested',
    ]),
  )
  expect(auth.events('sign-out')[0]).toMatchObject({
    via: 'http',
    ip: '192.0.2.1',
    correlationId: 'test',
    caller: expect.any(String),
    credentialId: expect.stringMatching(/^[\w-]{22}$/),
    facts: { email: 'owner@example.com' },
  })
})
