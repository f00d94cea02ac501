import { createHash, timingSafeEqual } from 'node:crypto'
import { admin, anonymous, type Caller, type Settings } from '@engine/core'
import { unauthorized } from './unauthorized.ts'
import { createTokenVerifier } from './verify-token.ts'

/**
 * From a request to its caller.
 *
 * @throws {GatewayError} `unauthorized` (401).
 */
export type Authenticate = (request: Request) => Caller | Promise<Caller>

/** Does what the configuration says: master key, tokens signed with the shared secret, or open mode. */
export function createAuthenticator({ masterKey, auth, jwt }: Settings): Authenticate {
  const isMasterKey = secretMatcher(masterKey)
  const verify = auth && createTokenVerifier(auth, jwt)
  return (request) => {
    const token = bearerToken(request)
    if (token !== undefined && isMasterKey(token)) return admin
    if (verify === undefined) return anonymous
    if (token === undefined) throw unauthorized('A bearer token is required.')
    return verify(token)
  }
}

function bearerToken(request: Request): string | undefined {
  const header = request.headers.get('authorization')
  const match = header === null ? null : /^bearer +(\S(?:.*\S)?)\s*$/i.exec(header)
  return match?.[1]
}

/** Compares digests, so that neither length nor content of the secret shows in the time taken. */
function secretMatcher(secret: string | undefined): (candidate: string) => boolean {
  if (secret === undefined) return () => false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = digest(secret)
  return (candidate) => timingSafeEqual(digest(candidate), expected)
}
