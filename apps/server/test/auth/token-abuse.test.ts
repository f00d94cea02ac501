/** Tokens that must not be accepted, on every route that takes one. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Accounts,
  authSecret,
  masterKey,
  openAccounts,
  readNotes,
  signIn,
  signUp,
} from '../support/accounts.ts'

type Json = Readonly<Record<string, unknown>>

const encode = (part: Json | string): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')

function hs256(
  header: Json | string,
  claims: Json | string,
  key: string | Buffer = authSecret,
): string {
  const content = `${encode(header)}.${encode(claims)}`
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
}

function decode(token: string, part: 0 | 1): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString())
}

let accounts: Accounts
let token: string
let claims: Record<string, unknown>
let header: Record<string, unknown>

beforeAll(async () => {
  accounts = await openAccounts()
  token = (await signUp(accounts)).token
  claims = decode(token, 1)
  header = decode(token, 0)
})
afterAll(() => accounts?.close())

async function expectRefused(forged: string, of: Accounts = accounts): Promise<void> {
  const answers = await Promise.all([
    readNotes(of, forged),
    of.call('GET', '/auth/session', { token: forged }),
    of.call('POST', '/auth/sign-out', { token: forged }),
    of.call('GET', '/auth/sessions', { token: forged }),
    of.call('DELETE', '/auth/sessions/others', { token: forged }),
  ])
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } })
    const challenge = answer.headers.get('www-authenticate')
    expect(challenge).toBe(forged === '' ? 'Bearer' : 'Bearer error="invalid_token"')
    expect(Object.keys(answer.body)).not.toContain('details')
  }
}

test('a token with these claims and headers is one', async () => {
  expect(await readNotes(accounts, hs256(header, claims))).toMatchObject({ status: 200 })
})

describe('a token is refused', () => {
  test('a token is refused when its signature is missing, cut, long, or of something else', async () => {
    const [head = '', body = '', signature = ''] = token.split('.')
    const flipped = Buffer.from(signature, 'base64url')
    flipped[0] = (flipped[0] ?? 0) ^ 1
    for (const forged of [
      `${head}.${body}.`,
      `${head}.${body}`,
      `${head}.${body}.${signature.slice(0, -2)}`,
      `${head}.${body}.${signature}AA`,
      `${head}.${body}.${signature}.`,
      `${head}.${body}.${flipped.toString('base64url')}`,
      `${head}.${encode({ ...claims, sub: 'somebody else' })}.${signature}`,
      `${head} .${body}.${signature}`,
    ])
      await expectRefused(forged)
  })

  test('a token is refused when it names no algorithm, or another', async () => {
    for (const alg of [
      'none',
      'None',
      'NONE',
      'nOnE',
      '',
      null,
      undefined,
      0,
      [],
      ['HS256'],
      {},
      'HS1',
    ]) {
      const content = `${encode({ ...header, alg })}.${encode(claims)}`
      await expectRefused(`${content}.`)
      await expectRefused(hs256({ ...header, alg }, claims))
    }
    for (const [alg, name] of [
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
    ] as const) {
      const content = `${encode({ ...header, alg })}.${encode(claims)}`
      await expectRefused(
        `${content}.${createHmac(name, authSecret).update(content).digest('base64url')}`,
      )
    }
  })

  test('a token is refused when another key has signed it', async () => {
    for (const key of [
      '',
      'secret',
      'x'.repeat(32),
      `${authSecret} `,
      authSecret.slice(1),
      Buffer.alloc(32),
    ])
      await expectRefused(hs256(header, claims, key))
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const content = `${encode({ ...header, alg: 'RS256' })}.${encode(claims)}`
    await expectRefused(
      `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`,
    )
  })

  test('a token is refused when its header brings a key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const jwk = publicKey.export({ format: 'jwk' }) as Json
    for (const more of [
      { jwk },
      { jku: 'http://127.0.0.1:9/jwks.json' },
      { x5u: 'http://127.0.0.1:9/' },
    ]) {
      const content = `${encode({ ...header, alg: 'RS256', ...more })}.${encode(claims)}`
      const signature = sign('sha256', Buffer.from(content), privateKey).toString('base64url')
      await expectRefused(`${content}.${signature}`)
    }
    await expectRefused(hs256({ ...header, jwk: { kty: 'oct', k: encode('k') } }, claims, 'k'))
  })

  test('a token is refused when its key id is a path, a statement or long', async () => {
    for (const kid of [
      '/dev/null',
      '../../dev/null',
      "' union select 'k",
      'x'.repeat(129),
      '',
      0,
      {},
      '\0',
      '__proto__',
      'constructor',
    ]) {
      for (const key of ['', 'k', Buffer.alloc(32)])
        await expectRefused(hs256({ ...header, kid }, claims, key))
    }
  })

  test('a token is refused when its header demands what is not understood', async () => {
    for (const more of [
      { crit: ['exp'] },
      { crit: ['b64'], b64: false },
      { crit: [] },
      { crit: ['x'], x: 1 },
      { typ: 'logout+jwt' },
      { typ: 'at+jwt' },
      { typ: 'application/dpop+jwt' },
    ])
      await expectRefused(hs256({ ...header, ...more }, claims))
  })

  test('a token is refused when it has ended, has not begun, or was made in the future', async () => {
    const now = Math.floor(accounts.now() / 1_000)
    for (const more of [
      { exp: now - 1 },
      { exp: now },
      { exp: 0 },
      { exp: -1 },
      { nbf: now + 60 },
      { iat: now + 60 },
    ])
      await expectRefused(hs256(header, { ...claims, ...more }))
  })

  test('a token is refused when its times are no numbers', async () => {
    for (const value of [null, '9999999999', true, [9_999_999_999], {}, 'never']) {
      await expectRefused(hs256(header, { ...claims, exp: value }))
      await expectRefused(hs256(header, { ...claims, iat: value }))
      await expectRefused(hs256(header, { ...claims, nbf: value }))
    }
    for (const exp of ['1e400', '-1e400']) {
      const text = JSON.stringify({ ...claims, exp: 0 }).replace('"exp":0', `"exp":${exp}`)
      await expectRefused(hs256(header, text))
    }
    const { exp: _, ...endless } = claims
    await expectRefused(hs256(header, endless))
  })

  test('a token is refused when no user has it, or several', async () => {
    const { sub: _, ...nobody } = claims
    await expectRefused(hs256(header, nobody))
    for (const sub of ['', '\0', null, 0, 1, true, [], [claims['sub']], {}, { $ne: null }])
      await expectRefused(hs256(header, { ...claims, sub }))
  })

  test('a token is refused when its session is another’s, is unknown, or is no text', async () => {
    const other = await signUp(accounts)
    await expectRefused(hs256(header, { ...claims, sub: other.id }))
    await expectRefused(hs256(header, { ...claims, sid: decode(other.token, 1)['sid'] }))
    for (const sid of [
      '',
      'A'.repeat(22),
      null,
      0,
      true,
      [],
      [claims['sid']],
      {},
      "' or 1=1 --",
      'x'.repeat(5_000),
    ])
      await expectRefused(hs256(header, { ...claims, sid }))
  })

  test('a token is refused when it is encrypted, has other parts, or is huge', async () => {
    const [head = '', body = '', signature = ''] = token.split('.')
    for (const forged of [
      `${head}.${body}.${signature}.x.y`,
      `${encode({ alg: 'dir', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`,
      '..',
      '.',
      'a.b.c',
      `${encode('null')}.${body}.${signature}`,
      `${encode('[]')}.${body}.${signature}`,
      hs256(header, 'null'),
      hs256(header, '[]'),
      hs256(header, '"text"'),
      hs256(header, '{'),
      hs256(header, { ...claims, padding: 'x'.repeat(9_000) }),
    ])
      await expectRefused(forged)
  })

  test('a token is refused when it is base64 of another alphabet, or padded', async () => {
    const [head = '', body = '', signature = ''] = token.split('.')
    await expectRefused(`${head}.${body}.${signature}=`)
    await expectRefused(`${head}=.${body}.${signature}`)
    await expectRefused(`${head}.${body}.${Buffer.from(signature, 'base64url').toString('base64')}`)
  })
})

test('the master key is no session', async () => {
  for (const [method, path] of [
    ['GET', '/auth/session'],
    ['POST', '/auth/sign-out'],
    ['GET', '/auth/sessions'],
  ] as const)
    expect(await accounts.call(method, path, { token: masterKey })).toMatchObject({ status: 401 })
})

describe('with an issuer and an audience', () => {
  let strict: Accounts | undefined
  afterEach(() => strict?.close())

  test('tokens of others are refused', async () => {
    strict = await openAccounts(
      {},
      { config: { jwt: { issuer: 'https://shop.test', audience: 'shop' } } },
    )
    const member = await signUp(strict)
    const own = decode(member.token, 1)
    expect(own).toMatchObject({ iss: 'https://shop.test', aud: 'shop' })
    const own0 = decode(member.token, 0)
    expect(await readNotes(strict, hs256(own0, own))).toMatchObject({ status: 200 })
    for (const more of [
      { iss: 'https://evil.test' },
      { iss: undefined },
      { iss: ['https://shop.test'] },
      { iss: 'https://shop.test/' },
      { aud: 'other' },
      { aud: undefined },
      { aud: [] },
      { aud: ['other'] },
      { aud: 'SHOP' },
    ])
      await expectRefused(hs256(own0, { ...own, ...more }), strict)
  })
})

describe('with a clock skew', () => {
  test('a token lives that much longer', async () => {
    const lenient = await openAccounts({}, { config: { jwt: { clockSkewSeconds: 30 } } })
    const { token: own } = await signUp(lenient)
    const [head, body] = [decode(own, 0), decode(own, 1)]
    const now = Math.floor(lenient.now() / 1_000)
    expect(await readNotes(lenient, hs256(head, { ...body, exp: now - 10 }))).toMatchObject({
      status: 200,
    })
    expect(await readNotes(lenient, hs256(head, { ...body, exp: now - 31 }))).toMatchObject({
      status: 401,
    })
    expect(await readNotes(lenient, hs256(head, { ...body, iat: now + 40 }))).toMatchObject({
      status: 401,
    })
    await lenient.close()
  })
})

describe('with a key pair of its own', () => {
  test('tokens verify by the published key, which as a secret signs nothing', async () => {
    const own = await openAccounts({}, { config: { jwt: { algorithms: ['ES256'] } } })
    const member = await signUp(own)
    expect(decode(member.token, 0)).toMatchObject({ alg: 'ES256' })
    expect(await readNotes(own, member.token)).toMatchObject({ status: 200 })
    const { body } = await own.call('GET', '/auth/.well-known/jwks.json')
    expect(body.keys).toHaveLength(1)
    expect(Object.keys(body.keys[0])).not.toContain('d')
    const own0 = decode(member.token, 0)
    const stolen = decode(member.token, 1)
    for (const key of [JSON.stringify(body.keys[0]), body.keys[0].x, authSecret]) {
      await expectRefused(hs256({ ...own0, alg: 'HS256' }, stolen, key), own)
      await expectRefused(hs256(own0, stolen, key), own)
    }
    await own.close()
  })
})

describe('a secret that was replaced', () => {
  test('still verifies, and signs nothing new', async () => {
    const [old, fresh] = [authSecret, 'another secret of at least thirty-two']
    const rotated = await openAccounts({ secret: [fresh, old] })
    const { email, token: own } = await signUp(rotated)
    const [head, body] = [decode(own, 0), decode(own, 1)]
    const { kid: _, ...plain } = head
    expect(await readNotes(rotated, hs256(plain, body, old))).toMatchObject({ status: 200 })
    expect(decode((await signIn(rotated, email)).body.session.token, 0)['kid']).toBe(head['kid'])
    expect(hs256(head, body, fresh)).toBe(own)
    await rotated.close()
  })
})

describe('a token that another has issued with the same secret', () => {
  test('a token that another has issued with the same secret is a caller; sign-out refuses it from then on, here and on /data', async () => {
    const now = Math.floor(accounts.now() / 1_000)
    const foreign = hs256(
      { alg: 'HS256', typ: 'JWT' },
      { sub: 'partner-7', exp: now + 600, roles: ['user'] },
    )
    expect(await readNotes(accounts, foreign)).toMatchObject({ status: 200 })
    const out = await accounts.call('POST', '/auth/sign-out', { token: foreign })
    expect(out).toMatchObject({ status: 200, text: '{"success":true}' })
    await expectRefused(foreign)
    const next = hs256(
      { alg: 'HS256', typ: 'JWT' },
      { sub: 'partner-7', exp: now + 601, roles: ['user'] },
    )
    expect(await readNotes(accounts, next)).toMatchObject({ status: 200 })
  })
})
