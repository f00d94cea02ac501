/** @module The stored configuration: its parts, its history, and tries of connections. */

/** A change as it may be shown and stored: without secrets. */
export interface ShownChange {
  /** `permissions.orders.select.where` */
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
  /** Only a secret differs, which is not shown. */
  readonly isSecret?: true
}

/** A revision of the configuration, without its content. */
export interface RevisionSummary {
  /** 1, 2, 3 … */
  readonly revision: number
  /** ISO 8601, UTC. */
  readonly at: string
  /** `admin`, or the name that the author gave. */
  readonly author: string
  /** `start` for the import of the first revision; `admin`, `cli`. */
  readonly via: string
  readonly note: string | null
  /** What it changed, without secrets. */
  readonly changes: readonly ShownChange[]
}

/** A revision with its content, without secrets. */
export interface ShownRevision extends RevisionSummary {
  readonly document: Readonly<Record<string, unknown>>
}

/** A page of the history, newest first. */
export interface RevisionsPage {
  readonly revisions: readonly RevisionSummary[]
  /** `before` of the next page; null at the end. */
  readonly next: number | null
}

/** What a change of the configuration did, or would do. */
export interface ChangeResult {
  /** The newest revision: the written one, unless nothing differs. */
  readonly revision: number
  readonly changes: readonly ShownChange[]
  /** Nothing was written. */
  readonly isDryRun?: true
}

/** `stored`: by the service database. `code`: by the configuration in code. `built-in`: by neither, the default applies. */
export type OptionSource = 'stored' | 'code' | 'built-in'

/** An option in the form of a configuration file, without secrets. A value that is absent is null. */
export interface ShownOption {
  /** `limits.maxRows` */
  readonly path: string
  /** The value in force. */
  readonly value: unknown
  readonly source: OptionSource
  /** What the code says; in interactive mode it has no effect after the first start. */
  readonly code: unknown
  readonly builtIn: unknown
  /** It stays in code, in interactive mode, too. */
  readonly isFixed: boolean
}

/** An action of the code, and who may run it. */
export interface ShownAction {
  readonly name: string
  readonly description: string | null
  readonly isEnabled: boolean
  readonly roles: readonly string[]
  readonly source: 'stored' | 'code'
  /** The roles that the code names. */
  readonly codeRoles: readonly string[]
}

/** Options and actions, and where each of their values comes from. */
export interface ShownSettings {
  readonly options: readonly ShownOption[]
  readonly actions: readonly ShownAction[]
}

/** Where a role is named. */
export interface RoleUse {
  /** Names; of channels, `<connection>.<channel>`. */
  readonly permissions: readonly string[]
  readonly actions: readonly string[]
  readonly channels: readonly string[]
}

/** What of the configuration needs a connection. */
export interface ConnectionDependants {
  /** Names of permissions on its tables. */
  readonly permissions: readonly string[]
  /** `<connection>.<channel>` */
  readonly channels: readonly string[]
  readonly isDefault: boolean
  /** `auth.userTable`, in code, is one of its tables. */
  readonly isUserTable: boolean
}

/** Why a database cannot be reached, and what to do about it. */
export interface ConnectionProblem {
  readonly code:
    | 'address'
    | 'refused'
    | 'timeout'
    | 'credentials'
    | 'database'
    | 'tls'
    | 'file'
    | 'other'
  /** The driver's message, without secrets. */
  readonly message: string
  readonly hint: string
}

/** What a try of a connection found. `null`: not known. */
export interface ConnectionTest {
  readonly isUp: boolean
  readonly kind: string
  readonly version: string | null
  readonly user: string | null
  readonly isSuperuser: boolean | null
  readonly tables: number | null
  readonly canRead: boolean | null
  readonly canWrite: boolean | null
  readonly isEncrypted: boolean | null
  readonly durationMs: number
  readonly error: ConnectionProblem | null
}

/** A schema of a PostgreSQL database that has tables. */
export interface FoundSchema {
  readonly name: string
  /** Tables and views that may be read. */
  readonly tables: number
}

/** The answer of a try: with the schemas of a PostgreSQL database that have tables. */
export interface ConnectionTestAnswer extends ConnectionTest {
  readonly schemas: readonly FoundSchema[] | null
}
