import { jwkKey, type TokenKey } from '../tokens/token-key.ts'

/** The usable keys of a JSON Web Key Set. */
export interface KeySet {
  readonly keys: readonly TokenKey[]
  /** Reasons why keys were left out, for the log. */
  readonly faults: readonly string[]
}

/** Maximum keys of one set; the others are left out. */
const maxKeys = 100

/**
 * Reads `{ keys: [...] }`. Keys that are not for verifying signatures are left out (RFC 7517, 5), and so are keys with
 * the name and algorithm of an earlier one.
 *
 * @throws {Error} when it is not a key set.
 */
export function readKeySet(value: unknown): KeySet {
  const list = isRecord(value) ? value['keys'] : undefined
  if (!Array.isArray(list)) throw new Error('is no JSON Web Key Set')
  const keys: TokenKey[] = []
  const faults: string[] = []
  if (list.length > maxKeys) faults.push(`keys after the first ${maxKeys} are left out`)
  for (const [i, jwk] of list.slice(0, maxKeys).entries()) {
    const fault = addKey(jwk, keys)
    if (fault !== undefined) faults.push(`keys.${i} ${fault}`)
  }
  return { keys, faults }
}

function addKey(jwk: unknown, keys: TokenKey[]): string | undefined {
  if (!isRecord(jwk)) return 'is no object'
  try {
    const key = jwkKey(jwk)
    const isTaken = keys.some(({ id, algorithm }) => id === key.id && algorithm === key.algorithm)
    if (isTaken && key.id !== undefined) return 'has the kid of another'
    keys.push(key)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be read'
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
