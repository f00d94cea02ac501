/** @module The answers of `/admin/api` that are not types of `@engine/core` already. */

export interface Session {
  readonly id: string
  /** Who is signed in. */
  readonly account: string
  readonly openedAt: string
  readonly idleUntil: string
  readonly until: string
}

export interface ConnectionStatus {
  readonly kind: string
  readonly isUp: boolean
  readonly isReadOnly: boolean
  readonly tables: number
  readonly pool: { readonly busy: number; readonly idle: number } | null
}

export interface EngineStatus {
  readonly version: string | null
  readonly node: string
  readonly startedAt: string
  readonly uptimeSeconds: number
  readonly isReady: boolean
  readonly isDevelopment: boolean
  readonly isOpen: boolean
  readonly connections: Readonly<Record<string, ConnectionStatus>>
  readonly serviceDatabase: {
    readonly kind: string
    readonly isShared: boolean
    readonly isUp: boolean
  }
  readonly audit: {
    readonly isEnabled: boolean
    readonly isFailing: boolean
    readonly lost: number
  }
  readonly load: { readonly running: number; readonly waiting: number }
  readonly pgWire: {
    readonly starting: number
    readonly idle: number
    readonly active: number
    readonly idleInTransaction: number
  } | null
  readonly configuration:
    | { readonly mode: 'programmatic' }
    | {
        readonly mode: 'interactive'
        readonly isReadOnly: boolean
        readonly revision: number
        readonly failure: unknown
      }
  /** A configuration file that was changed, and is not used. */
  readonly refusedConfiguration: {
    readonly at: string
    readonly file: string
    readonly line: number | null
    readonly faults: readonly { readonly path: string; readonly message: string }[]
  } | null
  readonly cachedPlans: number
  readonly permissions: number
  readonly actions: readonly string[]
  readonly warnings: readonly string[]
}

export interface CatalogColumn {
  readonly type: string
  readonly nullable: boolean
  readonly hasDefault: boolean
  readonly primaryKey: boolean
}

export interface CatalogRelation {
  readonly table: string
  readonly type: string
  readonly from: string | readonly string[]
  readonly to: string | readonly string[]
}

export interface CatalogTable {
  readonly kind?: 'table' | 'view'
  readonly comment?: string | null
  readonly hasRowSecurity?: boolean
  readonly columns: Readonly<Record<string, CatalogColumn>>
  readonly relationships: Readonly<Record<string, CatalogRelation>>
  readonly uniqueKeys?: readonly (readonly string[])[]
  readonly foreignKeys?: readonly {
    readonly columns: readonly string[]
    /** In the same connection. */
    readonly table: string
    readonly references: readonly string[]
  }[]
  readonly natives?: Readonly<
    Record<
      string,
      { readonly type: string; readonly generated: string; readonly comment: string | null }
    >
  >
}

export interface Catalog {
  readonly connections: Readonly<
    Record<
      string,
      { readonly type: string; readonly tables: Readonly<Record<string, CatalogTable>> }
    >
  >
  readonly unreached: readonly string[]
}

/** A column by which rows may belong to a caller. */
export interface RulesScope {
  readonly column: string
  /** The field of the caller that it equals: `$user.<field>`. */
  readonly field: string
  /** How many tables have the column. */
  readonly tables: number
}

/** What a role could get on one table, as the engine guesses. */
export interface GuessedRule {
  readonly owners: readonly string[]
  readonly hidden: readonly string[]
  readonly tie?:
    | { readonly kind: 'column' | 'itself' | 'relation'; readonly by: string }
    | undefined
  /** Of a permission. */
  readonly select?: Readonly<Record<string, unknown>> | undefined
  /** `insert`, `update` and `delete` of a permission. */
  readonly writes?: Readonly<Record<string, unknown>> | undefined
  /** Why something is not offered. */
  readonly comments: readonly string[]
}

export interface RulesGuess {
  /** The one of most tables first. */
  readonly scopes: readonly RulesScope[]
  readonly scope?: RulesScope | undefined
  readonly tables: Readonly<Record<string, GuessedRule>>
}

/** The body of `POST /data` with `meta`. */
export interface ResultBody {
  readonly rows?: readonly (readonly unknown[])[]
  readonly columns?: readonly { readonly name: string; readonly type: string }[]
  readonly rowCount?: number
  readonly truncated?: boolean
}

export interface QueryAnswer {
  readonly rowCount: number
  readonly truncated: boolean
  readonly body: ResultBody
}

export interface AuditEntry {
  readonly id: string
  readonly at: string
  readonly node: string
  readonly kind: string
  readonly via: string | null
  readonly correlationId: string | null
  readonly ip: string | null
  readonly caller: string | null
  readonly roles: readonly string[] | null
  readonly credentialId: string | null
  readonly connection: string | null
  readonly action: string | null
  readonly sql: string | null
  readonly params: readonly unknown[] | null
  readonly durationMs: number | null
  readonly rowCount: number | null
  readonly error: string | null
  readonly message: string | null
  readonly facts: Readonly<Record<string, unknown>> | null
}

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly roles: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly userId: string | null
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

export interface User {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly emailVerified: boolean
  readonly roles: readonly string[] | null
  readonly disabled: boolean
  readonly createdAt: string
}

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly roles: readonly string[] | null
  readonly fields: Readonly<Record<string, string | number | boolean | null>>
  readonly createdAt: string
  readonly sentAt: string
  readonly expiresAt: string
  /** Not in the configuration any more: it cannot be accepted. */
  readonly unknownRoles: readonly string[]
}

export interface UserSession {
  readonly id: string
  readonly userId: string
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly expiresAt: string
  readonly ip: string | null
  readonly userAgent: string | null
}

/** A client of the wire protocol. */
export interface WireConnection {
  readonly id: number
  readonly caller: string
  readonly roles: readonly string[]
  readonly ip: string | null
  readonly isEncrypted: boolean
  readonly applicationName: string
  readonly state: 'idle' | 'active' | 'idleInTransaction'
  readonly since: string
  readonly startedAt: string
  readonly statement: string | null
  readonly correlationId: string
  /** The number of the process, where there are several. */
  readonly worker?: number
}

export interface OutboxMail {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly createdAt: string
}

export interface MetricsPoint {
  readonly at: string
  readonly requests: number
  readonly errors: number
  readonly denials: number
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly running: number
  readonly waiting: number
  readonly poolBusy: number
  readonly poolSize: number
  readonly memoryBytes: number
}

/** The last hour. */
export interface EngineMetrics {
  readonly stepSeconds: number
  readonly points: readonly MetricsPoint[]
  /** Durations of statements in the last minutes. */
  readonly connections: Readonly<
    Record<
      string,
      { readonly statements: number; readonly p50Ms: number | null; readonly p95Ms: number | null }
    >
  >
}

export interface ActionFacts {
  readonly name: string
  readonly roles: readonly string[]
  readonly description: string | null
  /** JSON Schemas; `{}` allows anything. */
  readonly input: Readonly<Record<string, unknown>>
  readonly output: Readonly<Record<string, unknown>> | null
}
