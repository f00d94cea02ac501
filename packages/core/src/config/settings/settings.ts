/** @module The checked configuration that the engine uses: defaults filled in, units converted. */

import type { DatabaseKind } from '@engine/contract'
import type { StatementLimits } from '../../compiler/budget/statement-limits.ts'
import type { RelationshipConfig } from '../../compiler/catalog/relationship-config.ts'
import type { Permission } from '../../compiler/permissions/permission/permission.ts'
import type { ActionDefinition } from '../options/action.ts'
import type { AuthProvider } from '../options/auth-provider.ts'
import type { LogConfig } from '../options/operations-config.ts'
import type { AuthSettings, JwtSettings } from './auth-settings.ts'
import type {
  AuditSettings,
  PgWireSettings,
  SchemaEndpointSettings,
  SecuritySettings,
} from './operations-settings.ts'

/** A checked configuration: defaults are filled in, durations are milliseconds. */
export interface Settings {
  readonly mode: 'programmatic' | 'interactive'
  readonly admin: { readonly readOnly: boolean }
  readonly masterKey: string | undefined
  /** URL or path of the service database. */
  readonly serviceDatabase: string
  /** False: the default is used. */
  readonly isServiceDatabaseNamed: boolean
  readonly connections: ReadonlyMap<string, ConnectionSettings>
  /** See `Config.defaultConnection`; where it is not configured, the only connection. */
  readonly defaultConnection: string | undefined
  /** Settings of the built-in provider; undefined in open mode and with a provider of the application's own. */
  readonly auth: AuthSettings | undefined
  readonly authProvider: AuthProvider | undefined
  /** The configuration allows open mode, also in production. */
  readonly open: boolean
  readonly jwt: JwtSettings
  /** By name. */
  readonly permissions: ReadonlyMap<string, Permission>
  readonly channels: readonly ChannelSettings[]
  readonly limits: Limits
  readonly actions: ReadonlyMap<string, ActionDefinition>
  readonly audit: AuditSettings
  readonly security: SecuritySettings
  readonly schemaEndpoint: SchemaEndpointSettings
  /** undefined: not started. */
  readonly pgWire: PgWireSettings | undefined
  readonly internal: { readonly port: number; readonly host: string } | undefined
  readonly isMetricsEnabled: boolean
  readonly log: { readonly level: NonNullable<LogConfig['level']>; readonly requests: boolean }
}

/** See `Config.channels`. */
export interface ChannelSettings {
  readonly connection: string
  readonly channel: string
  readonly roles: readonly string[]
  readonly listen: boolean
  readonly notify: boolean
}

/** The checked settings of one connection. */
export interface ConnectionSettings {
  readonly name: string
  readonly kind: DatabaseKind
  /** The package that opens it. */
  readonly adapterPackage: string
  /** The URL or path; of a directory of CSV files its path. */
  readonly url: string
  readonly poolMax: number | undefined
  readonly readOnly: boolean
  /** Milliseconds between two looks at the schema while statements run; undefined: none. */
  readonly schemaPollingMs: number | undefined
  readonly schema: string | undefined
  /** Several schemas; undefined where it is one. */
  readonly schemas: readonly string[] | undefined
  /** Connections that share the database, with their schemas; the first is this one. Undefined where it is alone. */
  readonly members: ReadonlyMap<string, string> | undefined
  readonly include: readonly string[] | undefined
  readonly exclude: readonly string[]
  readonly relationships: Readonly<Record<string, Readonly<Record<string, RelationshipConfig>>>>
  /** The source of column types where the database's declaration is incomplete. */
  readonly types: 'declared' | 'inferred'
  /** Types by table and column, with PostgreSQL's names. */
  readonly columnTypes: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The options that belong to the adapter alone, as written. They are checked when the adapter is known, before it is opened. */
  readonly adapterOptions: Readonly<Record<string, unknown>>
}

export interface Limits extends StatementLimits {
  readonly maxRequestBodyBytes: number
  readonly queryTimeoutMs: number
  /** Requests a minute; undefined: no limit. */
  readonly rateLimitPerUser: number | undefined
  readonly rateLimitPerIp: number | undefined
  /** `redis://` URL; undefined: the service database where nodes share it, else memory. */
  readonly rateLimitStore: string | undefined
  readonly maxConcurrentPerCaller: number
  /** undefined: 4 times the connection's pool. */
  readonly maxConcurrentPerConnection: number | undefined
  readonly maxQueued: number
}
