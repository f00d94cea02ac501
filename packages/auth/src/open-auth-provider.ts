import type { Engine } from '@engine/core'
import type { AuthProviderFactory } from '@engine/core/server'
import { openStore } from '@engine/core/store'
import { createApiKeyProvider } from './api-keys/api-key-provider.ts'
import { createAuth } from './create-auth.ts'

/**
 * Opens the configured service database, and its provider of credentials: accounts, sessions, tokens and API keys, or
 * only API keys where `auth` is not configured. For an engine without a gateway.
 *
 * @throws {GatewayError} `invalidConfiguration`.
 */
export const openAuthProvider: AuthProviderFactory<Engine> = async (options) => {
  const { engine, serviceDatabases, directory, limiter, audit, isProduction, log, clock } = options
  const { auth: settings, jwt, masterKey, serviceDatabase: url } = engine.settings
  const store = await openStore({
    url,
    log,
    directory,
    ...(serviceDatabases === undefined ? {} : { serviceDatabases }),
  })
  try {
    const provider =
      settings === undefined
        ? await createApiKeyProvider({ store, limiter, log, clock })
        : await createAuth({
            settings,
            jwt,
            masterKey,
            store,
            engine,
            limiter,
            audit,
            isProduction,
            log,
            clock,
          })
    return {
      provider,
      close: async () => {
        await provider.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
