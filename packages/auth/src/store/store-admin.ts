/** @module Administration with only the service database: without a server, and without other databases. */
import { createMemoryRateLimiter, type Log } from '@engine/core'
import type { Store } from '@engine/core/store'
import { createAccountStore } from '../accounts/account-store.ts'
import { createApiKeys } from '../api-keys/api-keys.ts'
import type { AuthAdmin } from '../auth.ts'
import { openAuthTables } from './auth-store.ts'

/** The part of `AuthAdmin` that needs no running provider. */
export type StoreAdmin = Pick<
  AuthAdmin,
  'createApiKey' | 'listApiKeys' | 'revokeApiKey' | 'endSessions'
>

/** What `createStoreAdmin` works with. */
export interface StoreAdminOptions {
  readonly store: Store
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Migrates the tables of accounts. Running nodes notice changes at their next request, or when their `session.cacheTtl`
 * has passed.
 *
 * @throws {GatewayError} `invalidConfiguration` when the tables cannot be created.
 */
export async function createStoreAdmin(options: StoreAdminOptions): Promise<StoreAdmin> {
  const { store, log, clock } = options
  const database = await openAuthTables(store)
  const keys = createApiKeys({
    store,
    accounts: createAccountStore(database),
    limiter: createMemoryRateLimiter({ clock }),
    failures: undefined,
    log,
    clock,
  })
  return {
    createApiKey: (input) => keys.create(input),
    listApiKeys: () => keys.list(),
    revokeApiKey: (id) => keys.revoke(id),
    endSessions: async ({ userId, id }) => {
      const { numDeletedRows } = await database
        .deleteFrom('engine_sessions')
        .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
        .$if(id !== undefined, (query) => query.where('sid', '=', id ?? ''))
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
