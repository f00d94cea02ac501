import { generateKeys, keyPair, type PairAlgorithm } from './key-pair.ts'
import { pickKeys } from './key-source.ts'
import type { OwnKeys } from './own-keys.ts'

/** A key pair that exists only in this process, for development without a secret that could seal it. */
export async function processKeys(algorithm: PairAlgorithm): Promise<OwnKeys> {
  const { publicJwk, privateJwk } = await generateKeys(algorithm)
  const { id, publicKey, privateKey } = keyPair(algorithm, publicJwk, privateJwk)
  return {
    isOursAlone: true,
    has: (keyId) => keyId === id,
    find: (keyId, wanted) => (keyId === undefined ? [] : pickKeys([publicKey], keyId, wanted)),
    signingKey: () => ({ id, algorithm, key: privateKey }),
    publicKeys: () => [publicJwk],
  }
}
