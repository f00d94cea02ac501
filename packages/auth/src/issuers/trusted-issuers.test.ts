import { generateKeyPairSync } from 'node:crypto'
import { type AuthConfig, silentLog } from '@engine/core'
import { parseConfig } from '@engine/core/server'
import { expect, test } from 'vitest'
import { trustedIssuers } from './trusted-issuers.ts'

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
const pem = ec.export({ type: 'spki', format: 'pem' }).toString()
const jwk = { ...ec.export({ format: 'jwk' }) }
const secret = 'a secret of at least thirty-two bytes'

function open(issuers: NonNullable<AuthConfig['issuers']>, algorithms?: readonly string[]) {
  const { auth } = parseConfig({ connections: { main: 'x.db' }, auth: { secret, issuers } })
  return trustedIssuers({
    issuers: auth?.issuers ?? [],
    algorithms,
    log: silentLog,
    clock: () => 0,
    signal: new AbortController().signal,
  })
}

function faults(...args: Parameters<typeof open>): unknown {
  try {
    return open(...args)
  } catch (error) {
    return (error as { details: { faults: unknown } }).details.faults
  }
}

test('keys are found for their own algorithm only', async () => {
  const [byPem, bySet, bySecret] = open([
    { issuer: 'a', publicKey: pem, algorithms: ['ES256'] },
    { issuer: 'b', jwks: { keys: [{ ...jwk, kid: 'k' }] } },
    { issuer: 'c', secret },
  ])
  expect(await byPem?.keys.find('any', 'ES256')).toHaveLength(1)
  expect(await byPem?.keys.find('any', 'HS256')).toEqual([])
  expect(await bySet?.keys.find('k', 'ES256')).toHaveLength(1)
  expect(await bySet?.keys.find('other', 'ES256')).toEqual([])
  expect(await bySecret?.keys.find('any', 'HS256')).toHaveLength(1)
  expect(await bySecret?.keys.find('any', 'ES256')).toEqual([])
})

test('jwt.algorithms and the list of the issuer both have to allow an algorithm', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey
  const keys = [
    { ...jwk, kid: 'e' },
    { ...rsa.export({ format: 'jwk' }), kid: 'r' },
  ]
  const [issuer] = open(
    [{ issuer: 'a', jwks: { keys }, algorithms: ['RS256', 'ES256'] }],
    ['ES256'],
  )
  expect(await issuer?.keys.find('e', 'ES256')).toHaveLength(1)
  expect(await issuer?.keys.find('r', 'RS256')).toEqual([])
})

test.each<[string, Parameters<typeof open>, string, RegExp]>([
  [
    'no algorithm that is left',
    [[{ issuer: 'a', secret }], ['ES256']],
    'auth.issuers.0',
    /allows none/,
  ],
  [
    'a name that comes twice',
    [
      [
        { issuer: 'a', secret },
        { issuer: 'a', secret },
      ],
    ],
    'auth.issuers.1.issuer',
    /twice/,
  ],
  [
    'a PEM that is none',
    [[{ issuer: 'a', publicKey: '-----BEGIN PUBLIC KEY-----\nx', algorithms: ['ES256'] }]],
    'auth.issuers.0',
    /./,
  ],
  [
    'a PEM for another algorithm',
    [[{ issuer: 'a', publicKey: pem, algorithms: ['RS256'] }]],
    'auth.issuers.0',
    /no key for RS256/,
  ],
  [
    'a private key',
    [
      [
        {
          issuer: 'a',
          publicKey: generateKeyPairSync('ed25519')
            .privateKey.export({ type: 'pkcs8', format: 'pem' })
            .toString(),
          algorithms: ['EdDSA'],
        },
      ],
    ],
    'auth.issuers.0',
    /not a private one/,
  ],
  [
    'a symmetric key in a set',
    [[{ issuer: 'a', jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }]],
    'auth.issuers.0',
    /jwks\.keys\.0 is symmetric/,
  ],
])('%s keeps it from starting', (_, args, path, message) => {
  expect(faults(...args)).toEqual([{ path, message: expect.stringMatching(message) }])
})
