import type { Settings } from '../../config/settings/settings.ts'
import type { Audit } from '../../foundation/audit-event.ts'
import type { Log } from '../../foundation/log.ts'
import type { DataSource } from '../databases/data-source.ts'
import type { EngineSnapshots } from '../databases/snapshot.ts'
import type { Concurrency } from '../limits/concurrency.ts'
import type { OpenTransactions } from '../limits/open-transactions.ts'
import type { Observe } from '../observe/observe.ts'

/** Counts the work under one configuration: its databases stay open until the last piece of work has ended. */
export interface Uses {
  begin(): void
  end(): void
}

/** The context of the flow besides the request. Never changes: another configuration has another environment. */
export interface QueryEnvironment {
  readonly settings: Settings
  readonly snapshots: EngineSnapshots
  readonly sources: ReadonlyMap<string, DataSource>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: Log
  /** Actions record their own statements here; `runQuery`'s callers record theirs. */
  readonly audit: Audit | undefined
  /** Receives an event for every stage; undefined: none are needed. */
  readonly observe: Observe | undefined
  readonly concurrency: Concurrency
  /** The transactions that clients hold open. */
  readonly openTransactions: OpenTransactions
  readonly uses: Uses
  /** Identifies permissions and connections: rows that were read under another one may be hidden now. */
  readonly rightsVersion: number
  /**
   * Reads the catalogs again for a question of a session, unless that was just done. Never rejects.
   *
   * @param isHolding see `DataSource.refreshIfChanged`
   */
  readonly refresh: (isHolding: boolean) => Promise<void>
}
