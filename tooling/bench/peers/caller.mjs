/** @module The caller of a request: the same check of the token for each peer. */
import { jwtVerify } from 'jose'

/**
 * Creates the check of HS256 tokens.
 *
 * @param {string} secret
 * @returns {(authorization: string | undefined) => Promise<string | undefined>} the name of the caller, undefined without
 *   a valid token.
 */
export function createCallers(secret) {
  const key = new TextEncoder().encode(secret)
  return async (authorization) => {
    if (!authorization?.startsWith('Bearer ')) return undefined
    try {
      const { payload } = await jwtVerify(authorization.slice(7), key, { algorithms: ['HS256'] })
      return typeof payload['name'] === 'string' ? payload['name'] : undefined
    } catch {
      return undefined
    }
  }
}
