import type { ConnectionTest } from '@engine/contract/admin-api'
import type { Config } from '@engine/core'
import type { ConfigurationStore } from '@engine/core/server'
import type { ConfigurationChanges } from './configuration-changes.ts'
import type { ConfigurationFollower } from './configuration-follower.ts'

/** The stored configuration, for the administrator's routes. */
export interface AdminConfiguration {
  /** `admin.readOnly`: changes are refused. */
  readonly isReadOnly: boolean
  /** The configuration in code, as it is now. */
  readonly code: () => Config
  readonly configurations: ConfigurationStore
  readonly follower: ConfigurationFollower
  readonly changes: ConfigurationChanges
  /** Opens a connection without using it. @param value as in a configuration, with its secrets. */
  readonly testConnection: (name: string, value: unknown) => Promise<ConnectionTest>
}
