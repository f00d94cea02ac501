/** @module API keys where no accounts are configured: an administrator creates them, and programs send them. */

import { anonymous, GatewayError, type Log, type RateLimiter } from '@engine/core'
import { type Authenticated, type AuthProvider, addressKey } from '@engine/core/server'
import type { Store } from '@engine/core/store'
import { createAccountStore } from '../accounts/account-store.ts'
import type { AuthAdmin } from '../auth.ts'
import { accountIdentity } from '../callers/identity.ts'
import { createKnownCallers } from '../callers/known-callers.ts'
import { openAuthTables } from '../store/auth-store.ts'
import { apiKeyCaller } from './api-key-caller.ts'
import { apiKeyPrefix } from './api-key-format.ts'
import { createApiKeys, type VerifiedApiKey } from './api-keys.ts'

/** Authenticates API keys only. */
export interface ApiKeyProvider extends AuthProvider {
  readonly admin: Pick<AuthAdmin, 'createApiKey' | 'listApiKeys' | 'revokeApiKey'>
  /** Writes pending last-used times. */
  close(): Promise<void>
}

/** What the provider of API keys works with. */
export interface ApiKeyProviderOptions {
  readonly store: Store
  readonly limiter: RateLimiter
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** The default of `auth.throttle.tokenFailuresPerIp`. */
const failures = { limit: 20, periodMs: 15 * 60_000 }

/**
 * For a configuration without `auth`: a caller with an API key acts as that key; all others are anonymous, also with a
 * token. Migrates the tables of accounts.
 */
export async function createApiKeyProvider(
  options: ApiKeyProviderOptions,
): Promise<ApiKeyProvider> {
  const { store } = options
  const accounts = createAccountStore(await openAuthTables(store))
  const keys = createApiKeys({ ...options, accounts, failures })
  const callerOf = (key: VerifiedApiKey) =>
    apiKeyCaller(key, async (account) => accountIdentity(account).fields)
  const ofKey = createKnownCallers({
    store,
    nameOf: (credential, { ip }) => `${addressKey(ip)} ${credential}`,
    resolve: async (credential, client) => {
      const key = await keys.verify(credential, client)
      const { id, expiresAtMs } = key
      const caller = await callerOf(key)
      return {
        untilMs: expiresAtMs ?? Number.POSITIVE_INFINITY,
        caller: { caller, credential: 'apiKey', credentialId: id, expiresAtMs },
        onUse: () => keys.recordUse(id),
      }
    },
    maxAgeMs: 0,
    clock: options.clock,
  })
  return {
    authenticate: (credential, client) =>
      credential.startsWith(apiKeyPrefix)
        ? ofKey.authenticate(credential, client)
        : withoutCredential,
    expect: (credential, client) =>
      credential.startsWith(apiKeyPrefix) ? ofKey.expect(credential, client) : undefined,
    impersonate: async ({ kind, id }) => {
      if (kind === 'user') {
        throw new GatewayError('notFound', 'There are no users: `auth` is not configured here.')
      }
      return { caller: await callerOf(await keys.ofId(id)), mayLackClaims: false }
    },
    admin: {
      createApiKey: (input) => keys.create(input),
      listApiKeys: () => keys.list(),
      revokeApiKey: (id) => keys.revoke(id),
    },
    close: () => keys.close(),
  }
}

const withoutCredential: Authenticated = {
  caller: anonymous,
  credential: 'none',
  credentialId: undefined,
  expiresAtMs: undefined,
}
