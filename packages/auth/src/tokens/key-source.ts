import type { TokenKey } from './token-key.ts'

/** The source of an issuer's keys. */
export interface KeySource {
  /**
   * Returns the keys that may have signed a token with this header; none where that is unknown. Never a key for another
   * algorithm.
   *
   * @throws {GatewayError} `unavailable` (503) when keys cannot be read.
   */
  find(
    keyId: string | undefined,
    algorithm: string,
  ): Promise<readonly TokenKey[]> | readonly TokenKey[]
}

/** Keys of this list that fit a header: those of that name; without a name, the only one for the algorithm. */
export function pickKeys(
  keys: readonly TokenKey[],
  keyId: string | undefined,
  algorithm: string,
): readonly TokenKey[] {
  const fitting = keys.filter((key) => key.algorithm === algorithm)
  if (keyId === undefined) return fitting.length === 1 ? fitting : []
  return fitting.filter(({ id }) => id === keyId)
}
