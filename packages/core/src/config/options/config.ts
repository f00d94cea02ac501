/** @module The configuration object, as a user writes it. */

import type { RelationshipConfig } from '../../compiler/catalog/relationship-config.ts'
import type { Permission } from '../../compiler/permissions/permission/permission.ts'
import type { ActionDefinition } from './action.ts'
import type { AuthConfig } from './auth-config.ts'
import type {
  AuditConfig,
  InternalConfig,
  LogConfig,
  MetricsConfig,
  PgWireConfig,
  SchemaEndpointConfig,
  SecurityConfig,
} from './operations-config.ts'

/** Everything `createEngine` takes. Unknown keys are errors. */
export interface Config {
  /**
   * `programmatic` (default): this object is the configuration. `interactive`: connections, permissions, limits and the like are
   * stored in the service database and changed while servers run; this object is the first revision, and the rest.
   */
  readonly mode?: 'programmatic' | 'interactive'
  /**
   * The database of accounts, sessions, API keys and audit entries: a SQLite path, or a URL of SQLite, libSQL, PostgreSQL or
   * MySQL. Default `./engine.db`. Opened when it is first needed.
   */
  readonly service_db?: string
  /**
   * Admin API key: acts as admin on /data, bypassing row and column rules. At least 32 bytes; from an environment
   * variable, never in code.
   */
  readonly masterKey?: string
  readonly admin?: AdminConfig
  /** By connection name (`/^[a-z][a-z0-9_]*$/`; not `public`, `pg_*`, `information_schema`). */
  readonly connections: Readonly<Record<string, ConnectionConfig>>
  /**
   * The connection that the qualifier `public` and names without a qualifier mean: `"public"."orders"` and `orders` are its table
   * `orders`. Default: the only connection; with several, such names are refused unless this option names one.
   */
  readonly defaultConnection?: string
  /** Without it every caller is `anonymous`; if permissions are absent, too, production is refused unless `open` is set. */
  readonly auth?: AuthConfig
  /** Allows open mode in production: without `auth` and `permissions` every caller may do everything. Default false. */
  readonly open?: boolean
  readonly jwt?: JwtConfig
  /** By permission name. Without any, open mode allows everything. */
  readonly permissions?: Readonly<Record<string, Permission>> | readonly Permission[]
  /** Channels of PostgreSQL, for LISTEN and NOTIFY on the wire protocol. A channel that is not listed is closed. */
  readonly channels?: readonly ChannelConfig[]
  readonly limits?: LimitsConfig
  /** By action name. */
  readonly actions?: Readonly<Record<string, ActionDefinition>>
  readonly audit?: AuditConfig
  readonly security?: SecurityConfig
  readonly schemaEndpoint?: SchemaEndpointConfig
  readonly pgWire?: PgWireConfig
  readonly internal?: InternalConfig
  readonly metrics?: MetricsConfig
  readonly log?: LogConfig
}

/** Administration over HTTP. */
export interface AdminConfig {
  /** Refuses changes of a stored configuration. Default false. */
  readonly readOnly?: boolean
}

/** The rights of some roles on one channel. */
export interface ChannelConfig {
  /** `<connection>.<channel>` */
  readonly channel: string
  /** `*` is every authenticated caller. */
  readonly roles: readonly string[]
  /** LISTEN is allowed. Default true. */
  readonly listen?: boolean
  /** NOTIFY is allowed. Default false. */
  readonly notify?: boolean
  /** For people. */
  readonly name?: string
  readonly description?: string
}

/** A database URL or path, or an object around it. The kind of database follows from the URL. */
export type ConnectionConfig = string | ConnectionObject | DirectoryConnection

/**
 * A directory of CSV files: each `*.csv` and `*.tsv` is a table, named like the file without the extension. The adapter of CSV files
 * adds its options by declaration merging.
 */
export interface DirectoryConnection {
  readonly directory: string
  /**
   * `inferred` (default): the values of a column determine its type, and the values of a file the columns that identify its rows.
   * `declared`: only `tables` determines them; every other column is a text.
   */
  readonly types?: 'declared' | 'inferred'
  readonly pool?: { readonly max?: number }
  readonly readOnly?: boolean
  /** As for a database. */
  readonly schemaPolling?: string | false
  readonly relationships?: Readonly<Record<string, Readonly<Record<string, RelationshipConfig>>>>
}

/** Options of every database. Adapters add those of their own by declaration merging: see `withOptions`. */
export interface ConnectionObject {
  readonly url: string
  /** The most connections kept open. */
  readonly pool?: { readonly max?: number }
  readonly readOnly?: boolean
  /**
   * How often the engine looks whether tables, columns or types have changed, while statements run: `'2s'` (default)
   * or false. Statements that fail after a change make it look at once in every case.
   */
  readonly schemaPolling?: string | false
  /** Database schema whose tables are shown; `public` on PostgreSQL. */
  readonly schema?: string
  /**
   * Several schemas of one PostgreSQL database, instead of `schema`: tables of the first one keep their plain names, those of the
   * others are `schema.table`, as in `"main"."auth.users"` and in permissions `main.auth.users`. Joins, transactions, foreign keys
   * and relations go across them. An object makes a connection of each schema, the entry's own name among them, and all of them
   * share one pool: `{ main: 'public', accounts: 'auth' }` makes `"main"."orders"` and `"accounts"."users"`.
   */
  readonly schemas?: readonly string[] | Readonly<Record<string, string>>
  readonly tables?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] }
  /** Names for relations: renames a found one, or adds one. By table, then by relation name. */
  readonly relationships?: Readonly<Record<string, Readonly<Record<string, RelationshipConfig>>>>
  /**
   * The source of a type that the database leaves open. `inferred` (default): the stored values, so that an INTEGER column of
   * SQLite with larger values is a `bigint` and a CHAR(36) of MySQL with only UUIDs a `uuid`. `declared`: the declaration alone.
   * Not for PostgreSQL, where every type is declared.
   */
  readonly types?: 'declared' | 'inferred'
  /** Types of single columns, by table and column: `{ orders: { total: 'bigint' } }`. */
  readonly columnTypes?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface JwtConfig {
  /** Allowed signing algorithms. Without `HS256` in the list, own tokens are signed with a key pair. */
  readonly algorithms?: readonly string[]
  readonly issuer?: string
  readonly audience?: string
  readonly clockSkewSeconds?: number
}

export interface LimitsConfig {
  /** The most rows of an answer; default 10 000. */
  readonly maxRows?: number
  /** Depth of tables joined or nested in subqueries: a parent and its children are 2; default 5. */
  readonly maxRelationDepth?: number
  /** AND, OR and NOT inside each other; default 10. */
  readonly maxFilterNesting?: number
  /** Conditions of one statement, an IN list counted once; default 100. */
  readonly maxFilterConditions?: number
  /** Such as `'1mb'` (the default). */
  readonly maxRequestBodySize?: string
  /** Milliseconds; default 30 000. */
  readonly queryTimeout?: number
  /** Requests of one caller a minute; default: no limit. */
  readonly rateLimitPerUser?: number
  /** Requests from one address a minute (IPv6: from one /64); default: no limit. */
  readonly rateLimitPerIP?: number
  /** Where counts are stored: by default in the service database when nodes share it, else in memory. */
  readonly rateLimitStore?: string
  /** Statements of one caller running at a time; others wait their turn. Default 20. */
  readonly maxConcurrentPerCaller?: number
  /** Statements running on one connection at a time. Default 4 times its pool. */
  readonly maxConcurrentPerConnection?: number
  /** Requests waiting for their turn; further ones get 503. Default 500. */
  readonly maxQueued?: number
}
