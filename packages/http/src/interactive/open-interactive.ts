/** @module Interactive mode: the configuration is in the service database. */
import type { Config, Log } from '@engine/core'
import {
  type ConfigurationStore,
  newestOrImported,
  openConfigurationStore,
  type Revision,
  type Settings,
  withDocument,
} from '@engine/core/server'
import type { Store } from '@engine/core/store'
import type { AdminConfiguration } from './admin-configuration.ts'
import { createConfigurationChanges } from './configuration-changes.ts'
import { createConfigurationFollower } from './configuration-follower.ts'
import { type TestConnectionOptions, testConnection } from './test-connection.ts'

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

/** Replaces the configuration of this node. @throws {GatewayError} `invalidConfiguration`: then nothing has changed. */
export type ReplaceConfiguration = (
  config: Config,
  options: {
    /** New databases that cannot be reached are tried again, as at the start. */
    readonly mayBeUnreachable?: boolean
    /** Called with the new settings before anything is opened. Throws to refuse them. */
    readonly check?: (settings: Settings) => void
    /** Called before the new configuration is used. Throws to keep the old one. */
    readonly beforeUse?: () => void
  },
) => Promise<void>

export interface InteractiveOptions {
  /** The configuration in code. */
  readonly code: Config
  readonly stored: StoredConfiguration
  readonly store: Store
  readonly settings: Settings
  readonly replace: ReplaceConfiguration
  readonly testing: TestConnectionOptions & {
    readonly onConfiguration: ((config: unknown) => void) | undefined
  }
  readonly log: Log
}

/** The stored configuration of a running gateway. */
export interface Interactive extends AdminConfiguration {
  /**
   * Replaces the part that is in code: actions, certificates. The stored options stay.
   *
   * @throws {GatewayError} `invalidConfiguration`: then nothing has changed.
   */
  reconfigure(code: Config): Promise<void>
}

/** Follows the stored configuration, and changes it. */
export function createInteractive(options: InteractiveOptions): Interactive {
  const { stored, store, settings, replace, testing, log } = options
  const { configurations, first } = stored
  /** Both parts of the configuration in use; they change in turn. */
  let { code } = options
  let { document } = first
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  const follower = createConfigurationFollower({
    store,
    configurations,
    first,
    apply: ({ document: next }) =>
      inTurn(async () => {
        await replace(withDocument(code, next), { mayBeUnreachable: true })
        document = next
      }),
    log,
  })
  /** Opens it completely, and stops before it is used. */
  const tryOut = async (config: Config, check: (settings: Settings) => void): Promise<void> => {
    const end = new Error('the configuration was only tried')
    try {
      await replace(config, {
        check,
        beforeUse: () => {
          throw end
        },
      })
    } catch (error) {
      if (error !== end) throw error
    }
  }
  return {
    isReadOnly: settings.admin.readOnly,
    code: () => code,
    configurations,
    follower,
    changes: createConfigurationChanges({ code: () => code, configurations, follower, tryOut }),
    testConnection: (name, value) => {
      testing.onConfiguration?.({ connections: { [name]: value } })
      return testConnection(name, value, testing)
    },
    reconfigure: (next) =>
      inTurn(async () => {
        await replace(withDocument(next, document), {})
        code = next
      }),
  }
}
