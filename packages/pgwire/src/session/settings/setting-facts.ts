import type { SessionTimeZone } from '@engine/core/session'
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
  /** In plain strings a backslash escapes what follows it: `standard_conforming_strings` is off. Undefined where it is on. */
  readonly escapes: EscapesInStrings | undefined
  /** `client_min_messages` lets warnings through. */
  readonly hearsWarnings: boolean
}

export interface EscapesInStrings {
  /** `backslash_quote` allows an escaped quote. */
  readonly allowsQuote: boolean
  /** `escape_string_warning`: each such string gets a warning. */
  readonly warns: boolean
}
