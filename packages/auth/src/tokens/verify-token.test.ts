import { createHash, generateKeyPairSync } from 'node:crypto'
import type { IssuerSettings, JwtSettings } from '@engine/core/server'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encoded, rawToken, type Signing, signature } from '../../test/support/raw-token.ts'
import { fixedKeys } from '../issuers/fixed-keys.ts'
import { secretKeys } from './secret-keys.ts'
import { pemKey, secretKey } from './token-key.ts'
import { createTokenVerifier, type VerifierOptions } from './verify-token.ts'

const secret = 'a secret of at least thirty-two bytes'
const older = 'an older secret of at least thirty-two'
const nowMs = 1_800_000_000_500
const now = Math.floor(nowMs / 1_000)

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const ed = generateKeyPairSync('ed25519')
const pemOf = ({ publicKey }: typeof rsa) =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString()

const jwt: JwtSettings = {
  algorithms: undefined,
  issuer: undefined,
  audience: undefined,
  clockSkewSeconds: 0,
}

function issuer(name: string, changes: Partial<IssuerSettings> = {}): IssuerSettings {
  return {
    issuer: name,
    audiences: [],
    keys: { from: 'secret', secret },
    algorithms: undefined,
    tokenTypes: ['jwt'],
    rolesClaim: ['roles'],
    defaultRoles: [],
    linkByEmail: false,
    ...changes,
  }
}

const issuers = [
  { settings: issuer('rsa'), keys: fixedKeys([{ ...pemKey(pemOf(rsa), 'RS256'), id: 'r1' }]) },
  { settings: issuer('ec'), keys: fixedKeys([pemKey(pemOf(ec), 'ES256')]) },
  { settings: issuer('ed'), keys: fixedKeys([pemKey(pemOf(ed), 'EdDSA')]) },
  {
    settings: issuer('shop', { audiences: ['shop', 'till'], tokenTypes: ['at+jwt'] }),
    keys: fixedKeys([pemKey(pemOf(ec), 'ES256')]),
  },
]

function verifier(changes: Partial<VerifierOptions> = {}) {
  return createTokenVerifier({
    ownKeys: secretKeys([secret, older]),
    issuers,
    jwt,
    matchedClaim: undefined,
    clock: () => nowMs,
    ...changes,
  })
}

const header = { alg: 'HS256', typ: 'JWT' }
const claims = { sub: 'ada', exp: now + 60 }
const own: Signing = { secret }
const rsaSigned: Signing = { algorithm: 'RS256', key: rsa.privateKey }
const ecSigned: Signing = { algorithm: 'ES256', key: ec.privateKey }

async function refusal(token: string, changes: Partial<VerifierOptions> = {}): Promise<unknown> {
  try {
    return await verifier(changes)(token)
  } catch (error) {
    return error
  }
}

const unauthorized = { code: 'UNAUTHORIZED', status: 401 }

describe('accepted', () => {
  test.each<[string, string]>([
    ['a token with our secret', rawToken(header, claims, own)],
    ['without a type', rawToken({ alg: 'HS256' }, claims, own)],
    ['as a media type', rawToken({ alg: 'HS256', typ: 'application/JWT' }, claims, own)],
    ['with the name of our key', rawToken({ ...header, kid: secretKey(secret).id }, claims, own)],
    ['with an older secret', rawToken(header, claims, { secret: older })],
    [
      'of an RS256 issuer',
      rawToken({ alg: 'RS256', kid: 'r1' }, { ...claims, iss: 'rsa' }, rsaSigned),
    ],
    ['of it, without a kid', rawToken({ alg: 'RS256' }, { ...claims, iss: 'rsa' }, rsaSigned)],
    [
      'of an ES256 issuer',
      rawToken({ alg: 'ES256', kid: 'any' }, { ...claims, iss: 'ec' }, ecSigned),
    ],
    [
      'of an EdDSA issuer',
      rawToken(
        { alg: 'EdDSA' },
        { ...claims, iss: 'ed' },
        { algorithm: 'EdDSA', key: ed.privateKey },
      ),
    ],
    [
      'an access token where those are configured',
      rawToken(
        { alg: 'ES256', typ: 'at+jwt' },
        { ...claims, iss: 'shop', aud: ['x', 'till'] },
        ecSigned,
      ),
    ],
    ['with an issuer that nobody knows', rawToken(header, { ...claims, iss: 'elsewhere' }, own)],
    ['with the date of now', rawToken(header, { ...claims, iat: now, nbf: now }, own)],
  ])('%s', async (_, token) => {
    expect(await refusal(token)).toMatchObject({ subject: 'ada', expiresAtMs: (now + 60) * 1_000 })
  })

  test('a session of ours, and no session of anybody else', async () => {
    const verify = verifier()
    const withSession = { ...claims, sid: 'abc' }
    expect(await verify(rawToken(header, withSession, own))).toMatchObject({ sessionId: 'abc' })
    const external = rawToken({ alg: 'ES256' }, { ...withSession, iss: 'ec' }, ecSigned)
    expect(await verify(external)).toMatchObject({
      sessionId: undefined,
      issuer: { issuer: 'ec' },
    })
  })

  test('our own token, where an issuer is named as we are', async () => {
    const named = [{ settings: issuer('engine'), keys: fixedKeys([pemKey(pemOf(ec), 'ES256')]) }]
    const token = rawToken(
      { ...header, kid: secretKey(secret).id },
      { ...claims, iss: 'engine', sid: 'abc' },
      own,
    )
    expect(await refusal(token, { issuers: named })).toMatchObject({ sessionId: 'abc' })
  })

  test('a session that another node began a moment later than it is here', async () => {
    const later = { ...claims, iat: now + 2 }
    expect(await refusal(rawToken(header, { ...later, sid: 'abc' }, own))).toMatchObject({
      sessionId: 'abc',
    })
    expect(await refusal(rawToken(header, later, own))).toMatchObject(unauthorized)
  })

  test('without a subject, where another claim names the user', async () => {
    const token = rawToken(header, { exp: now + 60, email: 'ada@example.com' }, own)
    expect(await refusal(token, { matchedClaim: 'email' })).toMatchObject({ subject: undefined })
    expect(await refusal(token)).toMatchObject(unauthorized)
  })

  test('with a number as its subject, where a user table says whose it is', async () => {
    const token = rawToken(header, { ...claims, sub: 7 }, own)
    for (const matchedClaim of ['sub', 'email']) {
      const accepted = { subject: '7', claims: { sub: '7' } }
      expect(await refusal(token, { matchedClaim })).toMatchObject(accepted)
      const broken = rawToken(header, { ...claims, sub: 7.5 }, own)
      expect(await refusal(broken, { matchedClaim })).toMatchObject(unauthorized)
    }
    expect(await refusal(token)).toMatchObject(unauthorized)
    const ofSession = rawToken(header, { ...claims, sub: 7, sid: 'abc' }, own)
    expect(await refusal(ofSession, { matchedClaim: 'sub' })).toMatchObject(unauthorized)
  })
})

describe('refused', () => {
  const pem = pemOf(rsa)
  const jwk = rsa.publicKey.export({ format: 'jwk' })
  const good = rawToken(header, claims, own)
  const [head = '', body = '', mac = ''] = good.split('.')
  const asRsa = (payload: object) => ({ ...payload, iss: 'rsa' })

  test.each<[string, string]>([
    ...['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg): [string, string][] => [
      [`alg "${alg}", unsigned`, rawToken({ alg }, claims, undefined)],
      [`alg "${alg}", with a signature`, rawToken({ alg }, claims, own)],
      [`alg "${alg}" as an issuer's`, rawToken({ alg }, asRsa(claims), undefined)],
    ]),
    ['alg none without its dot', `${encoded({ alg: 'none' })}.${encoded(claims)}`],
    ['alg that is no text', rawToken({ alg: ['HS256'] }, claims, own)],
    ['no alg', rawToken({ typ: 'JWT' }, claims, own)],
    ['HS384', rawToken({ alg: 'HS384' }, claims, own)],
    ['hs256 in small letters', rawToken({ alg: 'hs256' }, claims, own)],
    ['HS256 with the PEM of an RSA key', rawToken(header, asRsa(claims), { secret: pem })],
    ['the same, trimmed', rawToken(header, asRsa(claims), { secret: pem.trim() })],
    [
      'HS256 with the PEM and the name of the key',
      rawToken({ ...header, kid: 'r1' }, asRsa(claims), { secret: pem }),
    ],
    [
      'HS256 with the DER of an RSA key',
      rawToken(header, asRsa(claims), {
        secret: rsa.publicKey.export({ type: 'spki', format: 'der' }),
      }),
    ],
    ['HS256 with the modulus', rawToken(header, asRsa(claims), { secret: jwk.n ?? '' })],
    ['RS256 to a shared secret', rawToken({ alg: 'RS256' }, claims, rsaSigned)],
    [
      'ES256 of a curve that is not its own',
      rawToken(
        { alg: 'ES256' },
        { ...claims, iss: 'ec' },
        {
          algorithm: 'ES256',
          key: otherCurve.privateKey,
        },
      ),
    ],
    [
      'ES256 with the signature 0',
      `${encoded({ alg: 'ES256' })}.${encoded({ ...claims, iss: 'ec' })}.${Buffer.alloc(64).toString('base64url')}`,
    ],
    [
      'an issuer’s token, named as another’s',
      rawToken({ alg: 'ES256' }, { ...claims, iss: 'rsa' }, ecSigned),
    ],
    ['an issuer’s token without its name', rawToken({ alg: 'ES256' }, claims, ecSigned)],
    ['our secret, in the name of an issuer', rawToken(header, asRsa(claims), own)],
    [
      'a secret that was taken out',
      rawToken(header, claims, { secret: 'a secret that was taken out long ago' }),
    ],
    ['an empty secret', rawToken(header, claims, { secret: '' })],
    [
      'a kid of another key of ours',
      rawToken({ ...header, kid: secretKey(older).id }, claims, own),
    ],
    ...[
      '../../../../dev/null',
      'file:///etc/passwd',
      "' or '1'='1",
      "x' union select 'secret' --",
      '__proto__',
      'constructor',
      'x'.repeat(129),
      '',
      '0',
    ].flatMap((kid): [string, string][] => [
      [`kid "${kid.slice(0, 40)}"`, rawToken({ ...header, kid }, claims, own)],
      [
        `kid "${kid.slice(0, 40)}", empty key`,
        rawToken({ ...header, kid }, claims, { secret: '' }),
      ],
    ]),
    ['kid that is a number', rawToken({ ...header, kid: 1 }, claims, own)],
    ['kid that is null', rawToken({ ...header, kid: null }, claims, own)],
    ['a key of its own in jwk', rawToken({ alg: 'RS256', jwk }, claims, rsaSigned)],
    [
      'a key of its own in jwk, as an issuer’s',
      rawToken(
        { alg: 'ES256', jwk: ec.publicKey.export({ format: 'jwk' }) },
        { ...claims, iss: 'rsa' },
        ecSigned,
      ),
    ],
    ['jku', rawToken({ alg: 'RS256', jku: 'http://127.0.0.1:9/jwks' }, claims, rsaSigned)],
    ['x5u', rawToken({ alg: 'RS256', x5u: 'http://127.0.0.1:9/cert' }, claims, rsaSigned)],
    ['x5c', rawToken({ alg: 'RS256', x5c: ['MIIB'] }, claims, rsaSigned)],
    ['crit that nobody knows', rawToken({ ...header, crit: ['x'], x: 1 }, claims, own)],
    ['crit of a known extension', rawToken({ ...header, crit: ['b64'], b64: true }, claims, own)],
    ['an empty crit', rawToken({ ...header, crit: [] }, claims, own)],
    ['b64 without crit', rawToken({ ...header, b64: false }, claims, own)],
    ['typ at+jwt', rawToken({ ...header, typ: 'at+jwt' }, claims, own)],
    ['typ application/at+jwt', rawToken({ ...header, typ: 'application/at+jwt' }, claims, own)],
    ['typ logout+jwt', rawToken({ ...header, typ: 'logout+jwt' }, claims, own)],
    ['typ that is no text', rawToken({ ...header, typ: 1 }, claims, own)],
    [
      'JWT where access tokens are expected',
      rawToken({ alg: 'ES256' }, { ...claims, iss: 'shop', aud: 'shop' }, ecSigned),
    ],
    ['expired this second', rawToken(header, { ...claims, exp: now }, own)],
    ['long expired', rawToken(header, { ...claims, exp: 1 }, own)],
    ['no expiry', rawToken(header, { sub: 'ada' }, own)],
    ['exp null', rawToken(header, { ...claims, exp: null }, own)],
    ['exp as a text', rawToken(header, { ...claims, exp: String(now + 60) }, own)],
    ['exp as a date', rawToken(header, { ...claims, exp: '2099-01-01T00:00:00Z' }, own)],
    ['exp in a list', rawToken(header, { ...claims, exp: [now + 60] }, own)],
    ['exp 1e400', rawToken(header, `{"sub":"ada","exp":1e400}`, own)],
    ['exp beyond every date', rawToken(header, { ...claims, exp: 1e300 }, own)],
    ['exp as true', rawToken(header, { ...claims, exp: true }, own)],
    ['exp once good, then bad', rawToken(header, `{"sub":"ada","exp":${now + 60},"exp":1}`, own)],
    ['nbf in the future', rawToken(header, { ...claims, nbf: now + 1 }, own)],
    ['nbf as a text', rawToken(header, { ...claims, nbf: '0' }, own)],
    ['iat in the future', rawToken(header, { ...claims, iat: now + 1 }, own)],
    ['iat as a text', rawToken(header, { ...claims, iat: '0' }, own)],
    ['iat NaN', rawToken(header, `{"sub":"ada","exp":${now + 60},"iat":NaN}`, own)],
    ['no subject', rawToken(header, { exp: now + 60 }, own)],
    ...[null, '', 'a\0b', 7, true, ['ada'], { id: 'ada' }].map((sub): [string, string] => [
      `subject ${JSON.stringify(sub)}`,
      rawToken(header, { ...claims, sub }, own),
    ]),
    [
      'a subject that is no text in UTF-8',
      rawToken(header, `{"sub":"\\ud800","exp":${now + 60}}`, own),
    ],
    [
      'another audience',
      rawToken({ alg: 'ES256', typ: 'at+jwt' }, { ...claims, iss: 'shop', aud: 'bank' }, ecSigned),
    ],
    [
      'no audience',
      rawToken({ alg: 'ES256', typ: 'at+jwt' }, { ...claims, iss: 'shop' }, ecSigned),
    ],
    [
      'an audience in an object',
      rawToken(
        { alg: 'ES256', typ: 'at+jwt' },
        { ...claims, iss: 'shop', aud: { shop: 1 } },
        ecSigned,
      ),
    ],
    ['a session that is no id', rawToken(header, { ...claims, sid: '../x' }, own)],
    ['a session that is null', rawToken(header, { ...claims, sid: null }, own)],
    ['claims that are a list', rawToken(header, '[]', own)],
    ['claims that are a text', rawToken(header, '"ada"', own)],
    ['claims that are no JSON', rawToken(header, '{', own)],
    ['claims behind a byte order mark', rawToken(header, `\ufeff${JSON.stringify(claims)}`, own)],
    ['a header that is a list', rawToken('[]', claims, own)],
    ['five parts', `${good}.${mac}.${mac}`],
    ['four parts', `${good}.`],
    ['two parts', `${head}.${body}`],
    ['no signature', `${head}.${body}.`],
    ['a signature of something else', `${head}.${body}.${signature('x.y', own)}`],
    ['a signature cut short', good.slice(0, -2)],
    ['padding', `${good}=`],
    ['padding inside', `${head}=.${body}.${mac}`],
    ['base64 of another alphabet', `${head}.${body}.${mac.slice(0, -2)}+/`],
    ['a blank in front', ` ${good}`],
    ['a line feed behind', `${good}\n`],
    ['nothing', ''],
    ['dots', '..'],
    ['a JSON serialization', JSON.stringify({ payload: body, protected: head, signature: mac })],
    ['8 KiB and one', rawToken(header, { ...claims, x: 'x'.repeat(8_192) }, own)],
  ])('%s', async (_, token) => {
    expect(await refusal(token)).toMatchObject(unauthorized)
  })

  test('claims that are not UTF-8', async () => {
    const payload = Buffer.from(`{"sub":"ad\u00e4","exp":${now + 60}}`, 'latin1')
    const signed = `${encoded(header)}.${payload.toString('base64url')}`
    expect(await refusal(`${signed}.${signature(signed, own)}`)).toMatchObject(unauthorized)
  })

  test('bits left over in the last digit of a signature', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(good.at(-1) ?? '')
    const twins = [1, 2, 3].map((bits) => good.slice(0, -1) + alphabet[(last & ~3) | bits])
    const others = twins.filter((twin) => twin !== good)
    for (const twin of others) {
      expect(Buffer.from(twin.split('.')[2] ?? '', 'base64url')).toEqual(
        Buffer.from(mac, 'base64url'),
      )
      expect(await refusal(twin)).toMatchObject(unauthorized)
    }
    expect(others.length).toBeGreaterThan(1)
  })

  test('whatever is changed in a token, by one bit or cut off', async () => {
    const verify = verifier()
    await verify(good)
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 0, max: 6 }), async (at, bit) => {
        const bytes = Buffer.from(good)
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
        const changed = bytes.toString('latin1')
        await expect((async () => verify(changed))()).rejects.toMatchObject(unauthorized)
        await expect((async () => verify(good.slice(0, at)))()).rejects.toMatchObject(unauthorized)
      }),
    )
  })

  test('any text at all', async () => {
    const verify = verifier()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.json(), async (text, json) => {
        for (const token of [text, `${encoded(json)}.${encoded(text)}.${encoded(json)}`]) {
          await expect((async () => verify(token))()).rejects.toMatchObject(unauthorized)
        }
      }),
    )
  })

  test('an algorithm that the configuration leaves out', async () => {
    const token = rawToken(header, claims, own)
    expect(await refusal(token, { ownKeys: undefined })).toMatchObject(unauthorized)
  })

  test('a token without a session where only we have the key', async () => {
    const ownKeys = { ...secretKeys([secret]), isOursAlone: true }
    expect(await refusal(good, { ownKeys })).toMatchObject(unauthorized)
  })
})

describe('issuer and audience of ours', () => {
  const strict = { jwt: { ...jwt, issuer: 'us', audience: 'shop' } }

  test('are asked for where configured', async () => {
    const right = { ...claims, iss: 'us', aud: 'shop' }
    expect(await refusal(rawToken(header, right, own), strict)).toMatchObject({ subject: 'ada' })
    for (const wrong of [
      { iss: 'them' },
      { aud: 'bank' },
      { iss: undefined },
      { aud: undefined },
      { iss: ['us'] },
    ]) {
      const token = rawToken(header, { ...right, ...wrong }, own)
      expect(await refusal(token, strict)).toMatchObject(unauthorized)
    }
  })

  test('the audience is also required of issuers without their own', async () => {
    const token = (aud: string) =>
      rawToken({ alg: 'ES256' }, { ...claims, iss: 'ec', aud }, ecSigned)
    expect(await refusal(token('shop'), strict)).toMatchObject({ issuer: { issuer: 'ec' } })
    expect(await refusal(token('bank'), strict)).toMatchObject(unauthorized)
  })
})

test('the tolerance of clocks holds for every date', async () => {
  const tolerant = { jwt: { ...jwt, clockSkewSeconds: 30 } }
  for (const dates of [{ exp: now - 29 }, { nbf: now + 30 }, { iat: now + 30 }]) {
    const token = rawToken(header, { ...claims, ...dates }, own)
    expect(await refusal(token, tolerant)).toMatchObject({ subject: 'ada' })
  }
  for (const dates of [{ exp: now - 30 }, { nbf: now + 32 }, { iat: now + 32 }]) {
    const token = rawToken(header, { ...claims, ...dates }, own)
    expect(await refusal(token, tolerant)).toMatchObject(unauthorized)
  }
})

test('a remembered token is not good beyond its expiry', async () => {
  let timeMs = nowMs
  const verify = verifier({ clock: () => timeMs })
  const token = rawToken(header, { ...claims, exp: now + 10 }, own)
  const first = await verify(token)
  expect(await verify(token)).toBe(first)
  timeMs = (now + 10) * 1_000
  await expect((async () => verify(token))()).rejects.toMatchObject(unauthorized)
})

test('a remembered token is verified again after half a minute', async () => {
  let timeMs = nowMs
  const verify = verifier({ clock: () => timeMs })
  const token = rawToken(header, { ...claims, exp: now + 3_600 }, own)
  const first = await verify(token)
  timeMs += 29_999
  expect(await verify(token)).toBe(first)
  timeMs += 1
  const second = await verify(token)
  expect(second).toEqual(first)
  expect(second).not.toBe(first)
})

test('a token is named by what was signed, whatever its signature is', async () => {
  const verify = verifier()
  const payload = { ...claims, iss: 'ec' }
  const [first, second] = [1, 2].map(() => rawToken({ alg: 'ES256' }, payload, ecSigned))
  expect(first).not.toBe(second)
  const one = await verify(first ?? '')
  const other = await verify(second ?? '')
  expect(one.fingerprint).toBe(other.fingerprint)
  const signed = (first ?? '').slice(0, (first ?? '').lastIndexOf('.'))
  expect(one.fingerprint).toBe(createHash('sha256').update(signed).digest('base64url'))
})
