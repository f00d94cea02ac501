import type { Fault } from '@engine/core/server'

/** A configuration file that was changed, and is not used since it has faults. */
export interface RefusedConfiguration {
  /** ISO 8601, UTC. */
  readonly at: string
  /** The file that is wrong: the configuration file, or one that it imports. */
  readonly file: string
  /** From 1 on; null where it is not known. */
  readonly line: number | null
  /** `path` is empty where the file cannot be loaded at all. */
  readonly faults: readonly Fault[]
}
