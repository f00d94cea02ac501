import { createHash, createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { jwkKey, type TokenAlgorithm, type TokenKey } from './token-key.ts'

/** Algorithms of the key pairs that we generate, the best first. */
export type PairAlgorithm = Exclude<TokenAlgorithm, 'HS256'>

type Jwk = Readonly<Record<string, unknown>>

/** A key pair of this service: the public half verifies and is published, the private half signs. */
export interface KeyPair {
  readonly id: string
  readonly algorithm: PairAlgorithm
  readonly publicKey: TokenKey
  /** The published form: with `kid`, `alg` and `use`. */
  readonly publicJwk: Jwk
  readonly privateKey: KeyObject
}

const generate = promisify(generateKeyPair)

/** A new pair, as JWKs for storage. */
export async function generateKeys(
  algorithm: PairAlgorithm,
): Promise<{ readonly id: string; readonly publicJwk: Jwk; readonly privateJwk: Jwk }> {
  const { publicKey, privateKey } = await generateFor(algorithm)
  const bare = publicKey.export({ format: 'jwk' })
  const id = createHash('sha256').update(JSON.stringify(bare)).digest('base64url').slice(0, 16)
  return {
    id,
    publicJwk: { ...bare, kid: id, alg: algorithm, use: 'sig' },
    privateJwk: { ...privateKey.export({ format: 'jwk' }), kid: id },
  }
}

function generateFor(algorithm: PairAlgorithm) {
  switch (algorithm) {
    case 'ES256':
      return generate('ec', { namedCurve: 'P-256' })
    case 'RS256':
      return generate('rsa', { modulusLength: 2_048 })
    case 'EdDSA':
      return generate('ed25519')
  }
}

/** @throws {Error} when the halves are damaged or belong to different pairs. */
export function keyPair(algorithm: PairAlgorithm, publicJwk: Jwk, privateJwk: Jwk): KeyPair {
  const publicKey = jwkKey(publicJwk)
  const { id } = publicKey
  if (id === undefined || publicKey.algorithm !== algorithm || privateJwk['kid'] !== id) {
    throw new Error('the halves of a key pair do not belong together')
  }
  const privateKey = createPrivateKey({ key: privateJwk, format: 'jwk' })
  return { id, algorithm, publicKey, publicJwk, privateKey }
}
