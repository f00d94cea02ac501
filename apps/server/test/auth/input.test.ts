/** Any input to `/auth` is refused with 400, 413 or 415, never with 500, and never accepted as something else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Accounts,
  newEmail,
  openAccounts,
  password,
  readNotes,
  signIn,
  signUp,
} from '../support/accounts.ts'

let accounts: Accounts

beforeAll(async () => {
  accounts = await openAccounts()
})
afterAll(() => accounts?.close())

const good: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/auth/sign-up': { email: 'table@shop.test', password, name: 'Ada' },
  '/auth/sign-in': { email: 'table@shop.test', password },
  '/auth/forgot-password': { email: 'table@shop.test' },
  '/auth/reset-password': { token: 'A'.repeat(43), password },
  '/auth/verify-email': { token: 'A'.repeat(43) },
  '/auth/resend-verification': { email: 'table@shop.test' },
  '/auth/invitation': { token: 'A'.repeat(43) },
  '/auth/accept-invitation': { token: 'A'.repeat(43), password, name: 'Ada' },
}
const fields = Object.entries(good).flatMap(([path, body]) =>
  Object.keys(body).map((field) => [path, field] as const),
)

/** JSON values that are not texts. */
const noTexts = [
  'null',
  '0',
  '1',
  '-1.5',
  '1e999',
  '12345678901234567890123',
  'true',
  'false',
  '[]',
  '["table@shop.test"]',
  '{}',
  '{"$ne":null}',
  '{"toString":"x"}',
  '{"length":8}',
]

function withField(path: string, field: string, json: string): string {
  const { [field]: _, ...others } = good[path] ?? {}
  const rest = Object.entries(others).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  return `{${[`${JSON.stringify(field)}:${json}`, ...rest].join(',')}}`
}

describe.each(fields)('%s %s', (path, field) => {
  test('must be a text', async () => {
    for (const json of noTexts) {
      const answer = await accounts.call('POST', path, { raw: withField(path, field, json) })
      expect(answer, json).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
    }
  })

  test('must be whole characters', async () => {
    for (const json of ['"\\ud800"', '"a\\udc00@shop.test"', '"\\ud800\\ud800xxxxxxxx"']) {
      const answer = await accounts.call('POST', path, { raw: withField(path, field, json) })
      expect(answer, json).toMatchObject({ status: 400 })
    }
  })

  test('is never read from a prototype, a second value or another case', async () => {
    const { [field]: value, ...others } = good[path] ?? {}
    const isNeeded = field !== 'name'
    const inherited =
      `{"__proto__":${JSON.stringify({ [field]: value })},${JSON.stringify(others).slice(1)}`.replace(
        /,}$/,
        '}',
      )
    const answer = await accounts.call('POST', path, { raw: inherited })
    if (isNeeded) expect(answer).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
    const twice = `{${JSON.stringify(field)}:${JSON.stringify(value)},${JSON.stringify({ ...good[path] }).slice(1)}`
    expect(await accounts.call('POST', path, { raw: twice })).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR' },
    })
    const shouted = JSON.stringify({ ...others, [field.toUpperCase()]: value })
    if (isNeeded) {
      expect(await accounts.call('POST', path, { raw: shouted })).toMatchObject({ status: 400 })
    }
  })

  test('breaks nothing, whatever text it is', async () => {
    const texts = [
      '',
      ' ',
      '\t\r\n',
      '\0',
      `x\0@shop.test`,
      'x'.repeat(60_000),
      '💣'.repeat(10_000),
      "' or 1=1 --",
      '$1',
      '%s%n{{7*7}}',
      '../../etc/passwd',
      '\u202Etxet',
      '\u0000\u0001\u001f\u007f\u0085',
      'a\r\nBcc: eve@evil.test',
      '__proto__',
      'constructor',
    ]
    for (const text of texts) {
      const raw = withField(path, field, JSON.stringify(text))
      const { status, body } = await accounts.call('POST', path, { raw })
      expect(
        [200, 201, 400, 401, 409],
        `${status} for ${JSON.stringify(text.slice(0, 30))}`,
      ).toContain(status)
      if (status === 400) expect(body.error).toMatch(/^(?:VALIDATION_ERROR|INVALID_TOKEN)$/)
    }
  })
})

describe.each(Object.keys(good))('%s', (path) => {
  test('needs its fields', async () => {
    for (const field of Object.keys(good[path] ?? {})) {
      if (field === 'name') continue
      const { [field]: _, ...body } = good[path] ?? {}
      const answer = await accounts.call('POST', path, { body })
      expect(answer, field).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
    }
  })

  test('takes a JSON object and nothing else', async () => {
    const bodies = [
      '',
      ' ',
      'null',
      'true',
      '1',
      '"text"',
      '[]',
      '[{}]',
      '{',
      '{}x',
      "{'a':1}",
      '{"email":"a@b.test",}',
      'email=a@b.test',
      '\ufeff{}',
      new Uint8Array([0x7b, 0xff, 0x7d]),
      new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
      `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
      `{"a":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`,
    ]
    for (const raw of bodies) {
      const answer = await accounts.call('POST', path, {
        raw,
        headers: { 'content-type': 'application/json' },
      })
      expect(answer, String(raw).slice(0, 40)).toMatchObject({
        status: 400,
        body: { error: 'VALIDATION_ERROR' },
      })
    }
  })

  test('takes application/json in UTF-8 and nothing else', async () => {
    const raw = JSON.stringify({})
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application/json; charset=utf-16',
      'application/json, text/plain',
      'text/json',
      '',
    ]) {
      const answer = await accounts.call('POST', path, { raw, headers: { 'content-type': type } })
      expect(answer, type).toMatchObject({ status: 415, body: { error: 'BAD_REQUEST' } })
    }
    for (const type of [
      'application/json',
      'APPLICATION/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
    ]) {
      const answer = await accounts.call('POST', path, { raw, headers: { 'content-type': type } })
      expect(answer, type).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
    }
  })

  test('takes 64 KiB at most', async () => {
    const padded = (length: number) => {
      const body = JSON.stringify({ ...good[path], padding: '' })
      return body.replace('""', `"${'x'.repeat(length - body.length)}"`)
    }
    expect((await accounts.call('POST', path, { raw: padded(65_536) })).status).not.toBe(413)
    for (const length of [65_537, 1_000_000, 5_000_000]) {
      expect(await accounts.call('POST', path, { raw: padded(length) })).toMatchObject({
        status: 413,
        body: { error: 'PAYLOAD_TOO_LARGE' },
      })
    }
  })

  test('ignores fields that it does not know', async () => {
    const body = {
      ...good[path],
      email: newEmail(),
      isAdmin: true,
      roles: ['admin'],
      constructor: 1,
    }
    const plain = await accounts.call('POST', path, { body: { ...good[path], email: newEmail() } })
    expect(await accounts.call('POST', path, { body })).toMatchObject({ status: plain.status })
  })
})

describe('an e-mail address', () => {
  const refused = [
    'plain',
    '@shop.test',
    'ada@',
    'ada@@shop.test',
    'ada@shop@test',
    'ada@ shop.test',
    'a da@shop.test',
    'ada@shop.test\n',
    'ada@shop.test\r\nBcc: eve@evil.test',
    'ada\0@shop.test',
    'ada@shop.test\0',
    'ada@shop..test',
    'ada@.shop.test',
    '.ada@shop.test',
    'ada.@shop.test',
    'a..da@shop.test',
    `${'x'.repeat(65)}@shop.test`,
    `ada@${'x'.repeat(64)}.test`,
    `ada@${'xxxxxxxxx.'.repeat(25)}test`,
    'ad\u212Aa@shop.test',
    'аda@shop.test',
    'ada@shop.test, eve@evil.test',
    'Ada <ada@shop.test>',
    '<ada@shop.test>',
    'ada@shop.test;eve@evil.test',
    'ada\u200B@shop.test',
  ]
  test.each(refused)('%j is none', async (email) => {
    const answer = await accounts.call('POST', '/auth/sign-up', { body: { email, password } })
    // Line breaks at the ends count as blanks.
    if (answer.status === 201) expect(answer.body.user.email).toBe('ada@shop.test')
    else expect(answer).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
  })

  test.each([
    "o'brien+tag.x-y_z@shop.test",
    'a@b.test',
    `${'x'.repeat(64)}@shop.test`,
    'ADA.Byron@Shop.Test',
  ])('%s is one', async (email) => {
    const answer = await accounts.call('POST', '/auth/sign-up', { body: { email, password } })
    expect(answer).toMatchObject({ status: 201 })
    expect(await signIn(accounts, email.toLowerCase())).toMatchObject({ status: 200 })
  })

  test('an e-mail address with an international domain is the same in both spellings', async () => {
    const answer = await accounts.call('POST', '/auth/sign-up', {
      body: { email: 'ada@bücher.test', password },
    })
    expect(answer).toMatchObject({ status: 201 })
    expect(await signIn(accounts, 'ada@xn--bcher-kva.test')).toMatchObject({ status: 200 })
    expect(await signIn(accounts, 'ada@BÜCHER.test')).toMatchObject({ status: 200 })
  })

  test('an e-mail address with dots and tags is one of its own', async () => {
    await signUp(accounts, { email: 'dots.and@shop.test' })
    await signUp(accounts, { email: 'dotsand@shop.test' })
    await signUp(accounts, { email: 'dotsand+tag@shop.test' })
  })
})

describe('a password', () => {
  const change = async (secret: string) => {
    const email = newEmail()
    const answer = await accounts.call('POST', '/auth/sign-up', {
      body: { email, password: secret },
    })
    return { email, answer }
  }

  test('a password may have any characters, at the ends too', async () => {
    for (const secret of [
      '  spaces at both ends  ',
      'пароль пароль',
      '密码密码密码密码',
      '🔑🔑🔑🔑🔑🔑🔑🔑',
      'with\0inside it',
      'tab\tnew\nline',
      'x'.repeat(1_024),
    ]) {
      const { email, answer } = await change(secret)
      expect(answer, secret.slice(0, 20)).toMatchObject({ status: 201 })
      expect(await signIn(accounts, email, secret)).toMatchObject({ status: 200 })
      const trimmed = secret.trim()
      if (trimmed !== secret) {
        expect(await signIn(accounts, email, trimmed)).toMatchObject({ status: 401 })
      }
    }
  })

  test('a password is the same however its accents are composed', async () => {
    const { email } = await change('Ångström café'.normalize('NFC'))
    expect(await signIn(accounts, email, 'Ångström café'.normalize('NFD'))).toMatchObject({
      status: 200,
    })
  })

  test('a password is not cut at a NUL or at a length', async () => {
    const { email } = await change('with\0inside it')
    expect(await signIn(accounts, email, 'with\0inside xx')).toMatchObject({ status: 401 })
    const long = 'x'.repeat(1_024)
    const other = await change(long)
    expect(await signIn(accounts, other.email, `${long.slice(0, -1)}y`)).toMatchObject({
      status: 401,
    })
    expect(await signIn(accounts, other.email, long.slice(0, 72))).toMatchObject({ status: 401 })
  })

  test('a password is counted in characters, not in bytes or halves of them', async () => {
    expect((await change('🔑🔑🔑🔑')).answer).toMatchObject({ status: 400 })
    expect((await change('é'.repeat(7))).answer).toMatchObject({ status: 400 })
    expect((await change('e\u0301'.repeat(7))).answer).toMatchObject({ status: 400 })
  })

  test('of more than 1024 bytes is refused, not cut', async () => {
    expect((await change('x'.repeat(1_025))).answer).toMatchObject({ status: 400 })
    expect((await change('é'.repeat(513))).answer).toMatchObject({ status: 400 })
    expect(await signIn(accounts, newEmail(), 'x'.repeat(1_025))).toMatchObject({ status: 400 })
  })

  test('a password that everybody uses, or that is the address or name, is refused', async () => {
    for (const secret of ['password', 'PASSWORD', '12345678', 'qwertyuiop', 'password123']) {
      expect((await change(secret)).answer, secret).toMatchObject({
        status: 400,
        body: { error: 'VALIDATION_ERROR' },
      })
    }
    const body = { email: 'adalovelace@shop.test', password: 'AdaLovelace', name: 'x' }
    expect(await accounts.call('POST', '/auth/sign-up', { body })).toMatchObject({ status: 400 })
  })

  test('a password is in no answer and in no log', async () => {
    const secret = 'unmistakable secret words'
    const { email, answer } = await change(secret)
    const wrong = await signIn(accounts, email, `${secret}!`)
    const right = await signIn(accounts, email, secret)
    for (const { text } of [answer, wrong, right]) expect(text).not.toContain('unmistakable')
    expect(accounts.log.join('\n')).not.toContain('unmistakable')
  })
})

describe('a name', () => {
  const named = (name: string) =>
    accounts.call('POST', '/auth/sign-up', { body: { email: newEmail(), password, name } })

  test('a name is kept as it is', async () => {
    for (const name of ['Zoë', '李小龍', "D'Arcy <b>&", '🙂'.repeat(200), 'x'.repeat(200)]) {
      expect(await named(name)).toMatchObject({ status: 201, body: { user: { name } } })
    }
  })

  test('a name has 200 characters at most, and no control characters', async () => {
    for (const name of ['x'.repeat(201), '🙂'.repeat(201), 'a\0b', 'a\nb', 'a\u0007b', 'a\u0085b'])
      expect(await named(name)).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
  })
})

describe('a token', () => {
  test('a token is taken from the Authorization header alone', async () => {
    const { token } = await signUp(accounts)
    const nowhere = [
      accounts.call('GET', `/auth/session?token=${token}`),
      accounts.call('GET', `/auth/session?access_token=${token}`),
      accounts.call('GET', '/auth/session', {
        headers: { cookie: `token=${token}; session=${token}` },
      }),
      accounts.call('GET', '/auth/session', { headers: { 'x-access-token': token } }),
      accounts.call('GET', '/auth/session', { headers: { authorization: token } }),
      accounts.call('GET', '/auth/session', { headers: { authorization: `Basic ${token}` } }),
      accounts.call('GET', '/auth/session', { headers: { authorization: `Bearer${token}` } }),
      accounts.call('GET', '/auth/session', {
        headers: { authorization: `Bearer ${token}, Bearer ${token}` },
      }),
      accounts.call('GET', '/auth/session', { headers: { authorization: `Bearer ${token} x` } }),
      accounts.call('GET', '/auth/session', { headers: { authorization: `Bearer "${token}"` } }),
    ]
    for (const answer of await Promise.all(nowhere)) expect(answer).toMatchObject({ status: 401 })
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${token}` }
      expect(await accounts.call('GET', '/auth/session', { headers })).toMatchObject({
        status: 200,
      })
    }
    expect(await readNotes(accounts, token)).toMatchObject({ status: 200 })
  })
})
