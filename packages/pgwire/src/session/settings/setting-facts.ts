import type { SessionTimeZone } from '@engine/core/server'
import type { ValueSettings } from '../../values/cell-format.ts'

/** The settings that every statement reads. */
export interface SettingFacts {
  readonly values: ValueSettings
  /** How literals without an offset are read; undefined in UTC. */
  readonly timeZone: SessionTimeZone | undefined
  /** See `SessionStatement.textSearch`. */
  readonly textSearch: string | undefined
  readonly searchPath: readonly string[]
  readonly statementTimeoutMs: number | undefined
  /** For statements outside of transactions. */
  readonly isReadOnly: boolean
  /** `client_min_messages` lets warnings through. */
  readonly hearsWarnings: boolean
}
