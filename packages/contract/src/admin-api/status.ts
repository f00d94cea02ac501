/** @module The state of a node, and its last hour. */
import type { DatabaseKind } from '../schema.ts'

/** A fault of a configuration, with its path: `permissions.orders.select.where`. */
export interface ConfigurationFault {
  /** Empty where the file cannot be loaded at all. */
  readonly path: string
  readonly message: string
}

/** A session of an administrator in a browser. */
export interface AdministratorSession {
  /** Names it in the audit; no credential. */
  readonly id: string
  readonly account: string
  /** ISO 8601, UTC, as the others. */
  readonly openedAt: string
  /** It ends then, unless it is used before. */
  readonly idleUntil: string
  /** It ends then in any case. */
  readonly until: string
}

/** An account of the demo, for which the pages may try a statement. */
export interface DemoAccount {
  readonly name: string
  readonly email: string
  readonly role: string
  /** What its role may do, in a few words. */
  readonly can: string
}

/** What a server that serves the demo tells. */
export interface DemoStatus {
  readonly accounts: readonly DemoAccount[]
}

/** Connections or threads of a database. */
export interface PoolStatus {
  readonly busy: number
  readonly idle: number
  /** Requests that wait for one. */
  readonly waiting: number
  /** Those of the busy ones that were given up, while their work goes on in the database. */
  readonly givenUp?: number
}

/** A connection of the configuration. */
export interface ConnectionStatus {
  readonly kind: DatabaseKind
  readonly isUp: boolean
  readonly isReadOnly: boolean
  readonly tables: number
  /** null where the number of connections is not fixed. */
  readonly pool: PoolStatus | null
}

/** What runs and waits in a process. */
export interface LoadStatus {
  readonly running: number
  readonly waiting: number
  /** Callers that run or wait. */
  readonly callers: number
}

/** Sessions of the wire protocol in a process: the first four now, the others counts since the start. */
export interface WireStatus {
  /** Not authenticated yet. */
  readonly starting: number
  readonly idle: number
  readonly active: number
  readonly idleInTransaction: number
  readonly accepted: number
  readonly refused: Readonly<Record<string, number>>
  readonly catalog: {
    readonly status: 'idle' | 'starting' | 'ready' | 'failed'
    readonly servers: number
    readonly failures: number
  }
}

/** The state of one process. */
export interface ProcessStatus {
  readonly startedAt: string
  readonly uptimeSeconds: number
  readonly load: LoadStatus
  readonly pgWire: WireStatus | null
  readonly cachedPlans: number
}

/** The state of one worker process. */
export interface WorkerStatus extends ProcessStatus {
  readonly worker: number
  readonly pid: number
  readonly pools: Readonly<Record<string, PoolStatus>>
}

/** Which configuration a node uses, and why it is not the newest. */
export type ConfigurationStatus =
  | { readonly mode: 'programmatic' }
  | {
      readonly mode: 'interactive'
      readonly isReadOnly: boolean
      readonly revision: number
      /** Why the newest revision cannot be applied; null where it is. */
      readonly failure: { readonly revision: number; readonly message: string } | null
    }

/** A configuration file that was changed, and is not used since it has faults. */
export interface RefusedConfiguration {
  /** ISO 8601, UTC. */
  readonly at: string
  /** The file that is wrong: the configuration file, or one that it imports. */
  readonly file: string
  /** From 1 on; null where it is not known. */
  readonly line: number | null
  readonly faults: readonly ConfigurationFault[]
}

/** The state of a node. */
export interface EngineStatus extends ProcessStatus {
  /** Of the program; null where it is not known. */
  readonly version: string | null
  readonly node: string
  readonly isReady: boolean
  readonly isDevelopment: boolean
  /** Open mode: neither authentication nor permissions are configured. */
  readonly isOpen: boolean
  /** By name. */
  readonly connections: Readonly<Record<string, ConnectionStatus>>
  readonly serviceDatabase: {
    readonly kind: string
    readonly isShared: boolean
    readonly isUp: boolean
  }
  readonly configuration: ConfigurationStatus
  readonly refusedConfiguration: RefusedConfiguration | null
  readonly audit: {
    readonly isEnabled: boolean
    /** Entries that wait. */
    readonly queued: number
    readonly written: number
    readonly lost: number
    /** The last attempt to write failed. */
    readonly isFailing: boolean
  }
  /** With several processes: the one that answers, and the states of all. */
  readonly worker?: number
  readonly workers?: readonly WorkerStatus[]
  /** How many there are. */
  readonly permissions: number
  /** Names. */
  readonly actions: readonly string[]
  readonly warnings: readonly string[]
  /** null where the server serves no demo. */
  readonly demo: DemoStatus | null
}

/** Ten seconds of a node. */
export interface MetricsPoint {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly requests: number
  /** Answers of 500 and more. */
  readonly errors: number
  /** Answers of 401, 403 and 429. */
  readonly denials: number
  /** Milliseconds; null without requests. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly running: number
  readonly waiting: number
  readonly poolBusy: number
  readonly poolSize: number
  readonly memoryBytes: number
}

/** The last hour of a node. */
export interface EngineMetrics {
  readonly stepSeconds: number
  /** Oldest first. */
  readonly points: readonly MetricsPoint[]
  /** Durations of statements in the last minutes, by connection. */
  readonly connections: Readonly<
    Record<
      string,
      { readonly statements: number; readonly p50Ms: number | null; readonly p95Ms: number | null }
    >
  >
}

/** The catalogs after they were read again, by connection. */
export interface SchemaRefresh {
  readonly connections: Readonly<
    Record<
      string,
      | { readonly isRead: true; readonly isChanged: boolean; readonly tables: number }
      | { readonly isRead: false; readonly message: string }
    >
  >
}

/** A client of the wire protocol. */
export interface WireConnection {
  readonly id: number
  /** The id of a user, `anonymous` or `admin`. */
  readonly caller: string
  readonly roles: readonly string[]
  /** Of the API key or session that the client signed in with. */
  readonly credentialId: string | null
  readonly ip: string | null
  readonly isEncrypted: boolean
  readonly applicationName: string
  readonly state: 'idle' | 'active' | 'idleInTransaction'
  /** Since when it is in this state; ISO 8601, UTC, as the other. */
  readonly since: string
  readonly startedAt: string
  /** The statement that runs, or ran last; null before the first one. */
  readonly statement: string | null
  readonly correlationId: string
  /** The number of the process, where there are several. */
  readonly worker?: number
}
