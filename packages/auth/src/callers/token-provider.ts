import { type Engine, type Log, silentLog } from '@engine/core'
import type { Authenticated, AuthProvider, Settings } from '@engine/core/server'
import { trustedIssuers } from '../issuers/trusted-issuers.ts'
import { secretKeys } from '../tokens/secret-keys.ts'
import { createTokenVerifier, type VerifiedToken } from '../tokens/verify-token.ts'
import { unauthorized } from '../unauthorized.ts'
import { createMakeCaller, openUserRows } from './make-caller.ts'
import { createSameCaller } from './same-caller.ts'
import { tokenIdentity } from './token-identity.ts'

/** What the provider of tokens works with. */
export interface TokenProviderOptions {
  /** Required for `auth.userTable` and `auth.resolveSession`. */
  readonly engine?: Engine
  readonly log?: Log
  /** Milliseconds since 1970. */
  readonly clock?: () => number
  /** Aborts when the provider closes: keys of issuers are no longer fetched. */
  readonly signal?: AbortSignal
}

/**
 * Accepts tokens that were created elsewhere, with the configured secret or by a configured issuer; without a service
 * database, so there are no accounts, sessions, API keys and no signing out. Tokens of sessions are refused: it is not
 * known whether their session has ended.
 *
 * @returns undefined when there are no options for the built-in provider.
 * @throws {GatewayError} `invalidConfiguration`.
 */
export function createTokenProvider(
  { auth: settings, jwt }: Pick<Settings, 'auth' | 'jwt'>,
  options: TokenProviderOptions = {},
): AuthProvider | undefined {
  if (settings === undefined) return undefined
  const {
    engine,
    log = silentLog,
    clock = Date.now,
    signal = new AbortController().signal,
  } = options
  const { algorithms } = jwt
  const [secret, ...older] = settings.secrets
  const isSecretAllowed = algorithms?.includes('HS256') ?? true
  const verify = createTokenVerifier({
    ownKeys: secret !== undefined && isSecretAllowed ? secretKeys([secret, ...older]) : undefined,
    issuers: trustedIssuers({ issuers: settings.issuers, algorithms, log, clock, signal }),
    jwt,
    matchedClaim: settings.userTable && (settings.userTable.matchOn?.jwtField ?? 'sub'),
    clock,
  })
  const making = { settings, engine, log }
  const makeCaller = createMakeCaller(making, openUserRows(making))
  const sameCaller = createSameCaller()
  /** A caller that needs no look-up is created once for each verified token. */
  const known = new WeakMap<VerifiedToken, Authenticated>()
  const isFixed = settings.userTable === undefined && settings.resolveSession === undefined

  const accept = async (token: VerifiedToken): Promise<Authenticated> => {
    if (token.sessionId !== undefined) {
      throw unauthorized('Sessions are not known here: there is no service database.')
    }
    const made = await makeCaller(tokenIdentity(token, undefined, settings))
    const caller = sameCaller(token.fingerprint, made)
    const { expiresAtMs } = token
    const authenticated = {
      caller,
      credential: 'token',
      credentialId: undefined,
      expiresAtMs,
    } as const
    if (isFixed) known.set(token, authenticated)
    return authenticated
  }
  return {
    authenticate: (credential) => {
      const token = verify(credential)
      if (token instanceof Promise) return token.then(accept)
      return known.get(token) ?? accept(token)
    },
  }
}
