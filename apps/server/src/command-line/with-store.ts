/** @module The service database of a configuration file, for commands that need no server. */

import { parseConfig, type Settings } from '@engine/core/server'
import { openStore, type Store } from '@engine/core/store'
import { loadServiceDatabases } from '../configuration/adapters.ts'
import { parseServerConfig } from '../configuration/parse-server-config.ts'
import { configuration, terseLog } from './with-engine.ts'

/**
 * Finds the configuration like the server, opens its service database while `use` runs, and closes it. Tables are not
 * migrated: `use` migrates those that it needs.
 *
 * @param path value of `--config`.
 * @throws {GatewayError} `invalidConfiguration`; errors of `use`.
 */
export async function withStore<T>(
  path: string | undefined,
  use: (store: Store, settings: Settings) => Promise<T>,
): Promise<T> {
  const { config } = parseServerConfig(await configuration(path))
  const settings = parseConfig(config)
  const serviceDatabases = await loadServiceDatabases(settings)
  const store = await openStore({ url: settings.serviceDatabase, log: terseLog, serviceDatabases })
  try {
    return await use(store, settings)
  } finally {
    await store.close()
  }
}
