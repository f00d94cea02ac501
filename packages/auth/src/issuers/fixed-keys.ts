import { type KeySource, pickKeys } from '../tokens/key-source.ts'
import type { TokenKey } from '../tokens/token-key.ts'

/** Keys in the configuration. A single key without a name fits every `kid`. */
export function fixedKeys(keys: readonly TokenKey[]): KeySource {
  const [only] = keys
  const isNameless = keys.length === 1 && only?.id === undefined
  return {
    find: (keyId, algorithm) => pickKeys(keys, isNameless ? undefined : keyId, algorithm),
  }
}
