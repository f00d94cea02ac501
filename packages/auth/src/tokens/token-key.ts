import { createHash, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'

/** Supported signature algorithms. */
export const tokenAlgorithms = ['HS256', 'RS256', 'ES256', 'EdDSA'] as const

export type TokenAlgorithm = (typeof tokenAlgorithms)[number]

/** A key for one algorithm, fixed when it was read: the header of a token only selects the key. */
export interface TokenKey {
  /** undefined: the key has no name. */
  readonly id: string | undefined
  readonly algorithm: TokenAlgorithm
  readonly key: KeyObject
}

/** Maximum characters of a `kid`. */
export const maxKeyIdLength = 128

/** Its name is the first 8 hex digits of the SHA-256 of the secret. */
export function secretKey(secret: string): TokenKey & { readonly id: string } {
  const id = createHash('sha256').update(secret).digest('hex').slice(0, 8)
  return { id, algorithm: 'HS256', key: createSecretKey(secret, 'utf8') }
}

/** @throws {Error} when the PEM contains no public key, or one for another algorithm. */
export function pemKey(pem: string, algorithm: string): TokenKey {
  if (pem.includes('PRIVATE KEY')) throw new Error('expects a public key, not a private one')
  const key = createPublicKey(pem)
  const own = algorithmOf(key)
  if (own !== algorithm) throw new Error(`is no key for ${algorithm}`)
  return { id: undefined, algorithm: own, key }
}

/**
 * The public half of a key of a set.
 *
 * @throws {Error} when it is not for signatures, symmetric, too weak, or for an algorithm that is not supported.
 */
export function jwkKey(jwk: Readonly<Record<string, unknown>>): TokenKey {
  const { kid, alg, use, key_ops: operations } = jwk
  if (use !== undefined && use !== 'sig') throw new Error('is not for signatures')
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    throw new Error('is not for verifying')
  }
  if (kid !== undefined && (typeof kid !== 'string' || kid === '' || kid.length > maxKeyIdLength)) {
    throw new Error('has a kid that is no text of 1 to 128 characters')
  }
  if (jwk['kty'] === 'oct') throw new Error('is symmetric')
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const algorithm = algorithmOf(key)
  if (algorithm === undefined) throw new Error('is for no algorithm that is spoken')
  if (alg !== undefined && alg !== algorithm && !(algorithm === 'EdDSA' && alg === 'Ed25519')) {
    throw new Error(`is not for ${algorithm}`)
  }
  return { id: kid, algorithm, key }
}

/**
 * The algorithm of a public key; undefined where it is not supported, or the key is weak or too expensive to verify
 * with.
 */
function algorithmOf(key: KeyObject): TokenAlgorithm | undefined {
  const { namedCurve, modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return modulusLength >= 2_048 && modulusLength <= 8_192 && publicExponent < 2n ** 33n
        ? 'RS256'
        : undefined
    case 'ec':
      return namedCurve === 'prime256v1' ? 'ES256' : undefined
    case 'ed25519':
      return 'EdDSA'
    default:
      return undefined
  }
}
