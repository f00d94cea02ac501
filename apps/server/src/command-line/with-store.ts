/** @module The service database of a configuration file, for commands that need no server. */
import { openStore, parseConfig, type Settings, type Store } from '@engine/core/server'
import { adapters, serviceDatabases } from '../adapters.ts'
import { parseServerConfig } from '../parse-server-config.ts'
import { configuration, terseLog } from './with-engine.ts'

/**
 * Finds the configuration as the server does, opens its service database for the time of `use`, and closes it. Tables are
 * not brought up to date: `use` does that for those that it needs.
 *
 * @param path what `--config` says.
 * @throws {GatewayError} `invalidConfiguration`; what `use` throws.
 */
export async function withStore<T>(
  path: string | undefined,
  use: (store: Store, settings: Settings) => Promise<T>,
): Promise<T> {
  const { config } = parseServerConfig(await configuration(path))
  const settings = parseConfig(config, adapters)
  const store = await openStore({ url: settings.serviceDatabase, log: terseLog, serviceDatabases })
  try {
    return await use(store, settings)
  } finally {
    await store.close()
  }
}
