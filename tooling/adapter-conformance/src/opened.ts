import type { Config, Engine } from '@engine/core'
import type { Adapter, Execution } from '@engine/core/adapter'

/**
 * - `constraints`: foreign keys, unique keys besides the primary key, NOT NULL, CHECK
 * - `emptyTexts`: an empty text (or bytes) differs from NULL
 */
export type Feature = 'views' | 'constraints' | 'defaults' | 'emptyTexts'

/** The objects that the groups of tests share; only to be called inside a test. */
export interface Opened {
  readonly engine: () => Engine
  /** The adapter of the engine, for direct calls. */
  readonly adapter: () => Adapter
  /** Another engine on the same database; the caller closes it. */
  readonly openEngine: (config: Pick<Config, 'permissions'>) => Promise<Engine>
  /** The engine's calls of the adapter for a statement. Runs it, and restores the rows. */
  readonly executionOf: (sql: string, params: readonly unknown[]) => Promise<Execution>
  readonly reset: () => Promise<void>
  readonly has: (feature: Feature) => boolean
  /** Defines a test; it expects a refusal where the adapter is known to refuse. */
  readonly check: (title: string, body: () => Promise<void>) => void
}
