/** @module Authenticates the password of a password message, by the strategies of the configuration. */

import { admin, anonymous, GatewayError } from '@engine/core'
import {
  type Authenticated,
  type AuthProvider,
  type ClientInfo,
  type PgWireSettings,
  secretMatcher,
} from '@engine/core/server'

/** An authenticated client, and how to check its credential again later. */
export interface Login {
  readonly authenticated: Authenticated
  /** Undefined: the credential never expires. Throws like `AuthProvider.authenticate`. */
  readonly renew: (() => Promise<Authenticated> | Authenticated) | undefined
}

export interface Credentials {
  /** Every client is `anonymous`, and no password is requested. */
  readonly isTrusting: boolean
  /** Accepts `anonymous`. */
  trust(): Login
  /**
   * Tries the password as each kind of credential of the strategies, in their order.
   *
   * @throws {GatewayError} when none of them accepts it: the refusal of the strategy that its form belongs to; otherwise the
   *   provider's error.
   */
  check(user: string, password: string, client: ClientInfo): Promise<Login>
}

type Strategy = Exclude<PgWireSettings['strategies'][number], 'trust'>

/** The prefix of API keys. */
const apiKeyPrefix = 'ek_'

/**
 * Three parts in base64url: the form of a signed token (RFC 7515, 3.1). A text of this form is never tried as a
 * password.
 */
const tokenForm = /^[\w-]{8,}\.[\w-]{2,}\.[\w-]{8,}$/

export function createCredentials(
  strategies: PgWireSettings['strategies'],
  provider: AuthProvider | undefined,
  masterKey: string | undefined,
): Credentials {
  const asked = strategies.filter((strategy): strategy is Strategy => strategy !== 'trust')
  const isMasterKey = secretMatcher(asked.includes('apiKey') ? masterKey : undefined)

  const attempt = async (
    strategy: Strategy,
    user: string,
    password: string,
    client: ClientInfo,
  ): Promise<Login> => {
    if (provider === undefined) throw refused('There is no auth provider.')
    if (strategy !== 'password') return bearer(provider, strategy, password, client)
    const authenticated = await provider.authenticatePassword?.(user, password, client)
    if (authenticated === undefined) throw refused('The auth provider knows no passwords.')
    return { authenticated, renew: authenticated.renew }
  }

  return {
    isTrusting: asked.length === 0,
    trust: () => ({ authenticated: asAnonymous, renew: undefined }),
    check: async (user, password, client) => {
      if (isMasterKey(password)) return { authenticated: asAdmin, renew: undefined }
      const failures = new Map<Strategy, GatewayError>()
      for (const strategy of asked) {
        if (!fits(strategy, password, asked)) continue
        try {
          return await attempt(strategy, user, password, client)
        } catch (error) {
          if (!isRefusal(error)) throw error
          failures.set(strategy, error)
        }
      }
      throw (
        failures.get(likeliest(password)) ??
        [...failures.values()].at(-1) ??
        refused('No strategy takes a credential of this form.')
      )
    },
  }
}

async function bearer(
  provider: AuthProvider,
  strategy: 'jwt' | 'apiKey',
  credential: string,
  client: ClientInfo,
): Promise<Login> {
  const renew = async () => {
    const authenticated = await provider.authenticate(credential, client)
    const isKey = authenticated.credential === 'apiKey'
    if (authenticated.credential === 'none' || isKey !== (strategy === 'apiKey')) {
      throw refused(`The strategy "${strategy}" takes no such credential.`)
    }
    return authenticated
  }
  return { authenticated: await renew(), renew }
}

/** Each form of a credential is for one strategy, so that a wrong token does not count as a wrong password. */
function fits(strategy: Strategy, password: string, strategies: readonly Strategy[]): boolean {
  const isKey = password.startsWith(apiKeyPrefix)
  switch (strategy) {
    case 'jwt':
      return !isKey
    case 'apiKey':
      // The application's own provider may have keys of another form.
      return isKey || !tokenForm.test(password)
    case 'password':
      if (isKey) return !strategies.includes('apiKey')
      return !(tokenForm.test(password) && strategies.includes('jwt'))
  }
}

/** The strategy that a client with a credential of this form has in mind: a reason of another one would mislead. */
function likeliest(password: string): Strategy {
  if (password.startsWith(apiKeyPrefix)) return 'apiKey'
  return tokenForm.test(password) ? 'jwt' : 'password'
}

/** The credential is wrong for this strategy; the text may be too long for a password. */
function isRefusal(error: unknown): error is GatewayError {
  if (!(error instanceof GatewayError)) return false
  const { problem } = error
  return (
    problem === 'unauthorized' || problem === 'invalidCredentials' || problem === 'invalidInput'
  )
}

function refused(message: string): GatewayError {
  return new GatewayError('unauthorized', message, { sqlState: '28P01' })
}

const asAdmin: Authenticated = {
  caller: admin,
  credential: 'masterKey',
  credentialId: undefined,
  expiresAtMs: undefined,
}

const asAnonymous: Authenticated = {
  caller: anonymous,
  credential: 'none',
  credentialId: undefined,
  expiresAtMs: undefined,
}
