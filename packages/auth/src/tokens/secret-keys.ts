import type { OwnKeys } from './own-keys.ts'
import { secretKey } from './token-key.ts'

/** Own keys that are secrets (HS256): the first signs, all verify. A token without `kid` may use any of them. */
export function secretKeys(secrets: readonly [string, ...string[]]): OwnKeys {
  const [signing, ...others] = [secretKey(secrets[0]), ...secrets.slice(1).map(secretKey)]
  const keys = [signing, ...others]
  const ids = new Set(keys.map(({ id }) => id))
  return {
    isOursAlone: false,
    has: (keyId) => ids.has(keyId),
    find: (keyId, algorithm) => {
      if (algorithm !== 'HS256') return []
      return keyId === undefined ? keys : keys.filter(({ id }) => id === keyId)
    },
    signingKey: () => signing,
    publicKeys: () => [],
  }
}
