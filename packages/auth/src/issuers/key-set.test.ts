import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readKeySet } from './key-set.ts'

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ecJwk = ec.publicKey.export({ format: 'jwk' })
const rsaJwk = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' })
const edJwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' })

test('each key is for the one algorithm that its kind is for', () => {
  const { keys, faults } = readKeySet({
    keys: [
      { ...ecJwk, kid: 'e', alg: 'ES256', use: 'sig' },
      { ...rsaJwk(2_048), kid: 'r' },
      { ...edJwk, kid: 'd', key_ops: ['verify'] },
    ],
  })
  expect(keys.map(({ id, algorithm }) => [id, algorithm])).toEqual([
    ['e', 'ES256'],
    ['r', 'RS256'],
    ['d', 'EdDSA'],
  ])
  expect(faults).toEqual([])
})

test('of a private key, the public half is taken', () => {
  const { keys } = readKeySet({ keys: [{ ...ec.privateKey.export({ format: 'jwk' }), kid: 'e' }] })
  expect(keys.map(({ key }) => key.type)).toEqual(['public'])
})

test.each<[string, unknown]>([
  ['for encrypting', { ...ecJwk, use: 'enc' }],
  ['for signing only', { ...ecJwk, key_ops: ['sign'] }],
  ['for another algorithm of its kind', { ...rsaJwk(2_048), alg: 'PS256' }],
  ['for an algorithm of another kind', { ...ecJwk, alg: 'HS256' }],
  ['on another curve', p384],
  ['too short', rsaJwk(1_024)],
  ['symmetric', { kty: 'oct', k: 'c2VjcmV0', alg: 'HS256' }],
  ['of an unknown kind', { kty: 'AKP', alg: 'ML-DSA-44' }],
  ['named by a number', { ...ecJwk, kid: 1 }],
  ['named at length', { ...ecJwk, kid: 'x'.repeat(129) }],
  ['off its curve', { ...ecJwk, x: ecJwk.y, y: ecJwk.x }],
  ['no object', 'key'],
  ['nothing', null],
])('a key that is %s is left out', (_, jwk) => {
  const { keys, faults } = readKeySet({ keys: [jwk, { ...edJwk, kid: 'd' }] })
  expect(keys.map(({ id }) => id)).toEqual(['d'])
  expect(faults).toEqual([expect.stringMatching(/^keys\.0 ./)])
})

test('of two keys with one name, the first counts', () => {
  const { keys, faults } = readKeySet({
    keys: [
      { ...edJwk, kid: 'd' },
      { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid: 'd' },
    ],
  })
  expect(keys).toHaveLength(1)
  expect(keys[0]?.key.export({ format: 'jwk' })).toEqual(edJwk)
  expect(faults).toEqual(['keys.1 has the kid of another'])
})

test('keys beyond the hundredth are left out', () => {
  const list = Array.from({ length: 101 }, (_, i) => ({ ...edJwk, kid: `k${i}` }))
  expect(readKeySet({ keys: list }).keys).toHaveLength(100)
})

test.each([undefined, null, [], 'x', 1, {}, { keys: {} }, { keys: 'x' }])(
  '%j is no set',
  (value) => {
    expect(() => readKeySet(value)).toThrow('is no JSON Web Key Set')
  },
)
