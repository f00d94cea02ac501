import { createTokenProvider } from '@engine/auth'
import { admin, anonymous } from '@engine/core'
import {
  type Authenticated,
  type AuthProvider,
  type ClientInfo,
  type Expected,
  type Settings,
  secretMatcher,
} from '@engine/core/server'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { bearerToken } from './bearer-token.ts'
import { unauthorized } from './unauthorized.ts'

/**
 * Returns the caller of a request.
 *
 * @throws {GatewayError} `unauthorized` (401); the provider's error.
 */
export type Authenticate = (
  request: Request,
  client: ClientInfo,
) => Authenticated | Promise<Authenticated>

/** Checks the master key first, then asks the provider. Without `auth`, callers are anonymous unless they have an API key. */
export function createAuthenticator(
  settings: Settings,
  provider: AuthProvider | undefined = settings.authProvider ?? createTokenProvider(settings),
): (
  request: Pick<IncomingRequest, 'headers'>,
  client: ClientInfo,
) => Authenticated | Promise<Authenticated> {
  const isMasterKey = secretMatcher(settings.masterKey)
  const needsCredential = settings.auth !== undefined || settings.authProvider !== undefined
  return (request, client) => {
    const token = bearerToken(request)
    if (token !== undefined && isMasterKey(token)) return withMasterKey
    if (provider === undefined) return withoutCredential
    if (token === undefined) {
      if (!needsCredential) return withoutCredential
      throw unauthorized('A bearer token is required.')
    }
    return provider.authenticate(token, client)
  }
}

/** Finds what the caller of a request was the last time. @returns undefined where `Authenticate` must be called. */
export type Expect = (
  request: Pick<IncomingRequest, 'headers'>,
  client: ClientInfo,
) => Expected | undefined

/** @returns undefined where the provider always knows at once. */
export function createExpect(
  { masterKey }: Pick<Settings, 'masterKey'>,
  provider: AuthProvider | undefined,
): Expect | undefined {
  if (provider?.expect === undefined) return undefined
  const expect = provider.expect.bind(provider)
  const isMasterKey = secretMatcher(masterKey)
  return (request, client) => {
    const token = bearerToken(request)
    return token === undefined || isMasterKey(token) ? undefined : expect(token, client)
  }
}

const withMasterKey: Authenticated = {
  caller: admin,
  credential: 'masterKey',
  credentialId: undefined,
  expiresAtMs: undefined,
}

const withoutCredential: Authenticated = {
  caller: anonymous,
  credential: 'none',
  credentialId: undefined,
  expiresAtMs: undefined,
}
