import { generateKeys, keyPair, type PairAlgorithm } from './key-pair.ts'
import { pickKeys } from './key-source.ts'
import type { OwnKeys } from './own-keys.ts'

/** A pair of keys that ends with this process, for development without any secret to seal one with. */
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
