import type { Config, Engine } from '@engine/core'
import type { Adapter, Execution } from '@engine/core/adapter'

/**
 * - `constraints`: foreign keys, unique keys beside the primary key, NOT NULL, CHECK
 * - `emptyTexts`: a text of no characters (or bytes) is another thing than NULL
 */
export type Feature = 'views' | 'constraints' | 'defaults' | 'emptyTexts'

/** What the groups of tests share; only to be called inside a test. */
export interface Opened {
  readonly engine: () => Engine
  /** What the engine uses, to be asked directly. */
  readonly adapter: () => Adapter
  /** Another engine on the same database; to be closed by who asks for it. */
  readonly openEngine: (config: Pick<Config, 'permissions'>) => Promise<Engine>
  /** What the engine asks the adapter for a statement. Runs it, and puts the rows back. */
  readonly executionOf: (sql: string, params: readonly unknown[]) => Promise<Execution>
  readonly reset: () => Promise<void>
  readonly has: (feature: Feature) => boolean
  /** Defines a test, of a refusal where the adapter is known to refuse it. */
  readonly check: (title: string, body: () => Promise<void>) => void
}
