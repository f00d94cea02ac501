/** @module Interactive mode: the configuration is in the service database. */
import type { Config, Log } from '@engine/core'
import {
  type ConfigurationStore,
  newestOrImported,
  openConfigurationStore,
  type Revision,
  type Settings,
  type Store,
  withDocument,
} from '@engine/core/server'
import type { AdminConfiguration } from './admin-configuration.ts'
import { createConfigurationChanges } from './configuration-changes.ts'
import { createConfigurationFollower } from './configuration-follower.ts'

/** The configuration that the service database stores. */
export interface StoredConfiguration {
  readonly configurations: ConfigurationStore
  /** The newest revision, as it was read. */
  readonly first: Revision
  /** The configuration of that revision: its options, all others from code. */
  readonly config: Config
}

/**
 * Reads the newest revision; where there is none, the configuration in code becomes the first.
 *
 * @throws {GatewayError} `invalidConfiguration`; `unavailable` when the service database cannot be reached.
 */
export async function openStoredConfiguration(
  code: Config,
  options: { readonly store: Store; readonly masterKey: string; readonly clock: () => number },
): Promise<StoredConfiguration> {
  const configurations = await openConfigurationStore(options)
  const first = await newestOrImported(configurations, code)
  return { configurations, first, config: withDocument(code, first.document) }
}

export interface InteractiveOptions {
  /** The configuration in code. */
  readonly code: Config
  readonly stored: StoredConfiguration
  readonly store: Store
  readonly settings: Settings
  /** Replaces the configuration of this node, also where a new database cannot be reached from here. */
  readonly apply: (config: Config) => Promise<void>
  /** Checks a configuration as `apply` would, and that its new databases can be reached; changes nothing. */
  readonly tryOut: (config: Config, check: (settings: Settings) => void) => Promise<void>
  readonly testConnection: AdminConfiguration['testConnection']
  readonly log: Log
}

/** Follows the stored configuration, and changes it. */
export function createInteractive({
  code,
  stored: { configurations, first },
  store,
  settings,
  apply,
  tryOut,
  testConnection,
  log,
}: InteractiveOptions): AdminConfiguration {
  const follower = createConfigurationFollower({
    store,
    configurations,
    first,
    apply: ({ document }) => apply(withDocument(code, document)),
    log,
  })
  return {
    isReadOnly: settings.admin.readOnly,
    configurations,
    follower,
    changes: createConfigurationChanges({ code, configurations, follower, tryOut }),
    testConnection,
  }
}
