/** @module Limits of requests, audit, network security and operation. As a user writes it. */

export interface AuditConfig {
  /** Default false. */
  readonly enabled?: boolean
  /** Statements; default true. */
  readonly logQuery?: boolean
  /** Values of parameters; default false. */
  readonly logParams?: boolean
  /** Milliseconds; default true. */
  readonly logDuration?: boolean
  /** Who asked; default true. */
  readonly logUser?: boolean
  /** Refused requests; default true. */
  readonly logDenied?: boolean
  /** Changes by administrators; default true. */
  readonly logAdminActions?: boolean
  /** Entries older than this are deleted: `90d` (default), `12h`, `1y`. */
  readonly retention?: string
  /** E-mail addresses and phone numbers are replaced; default true. */
  readonly piiRedaction?: boolean
  /** Writes every entry to the log too, as one JSON line. Default false. */
  readonly logSink?: boolean
}

export interface SecurityConfig {
  readonly cors?: {
    /** Exact origins such as `https://app.example.com`, or `*`. */
    readonly origin: readonly string[]
    /** Cookies may travel; not together with `*`. Default false. */
    readonly credentials?: boolean
    /** Seconds that a browser remembers a preflight. Default 600. */
    readonly maxAge?: number
  }
  /** Content-Security-Policy of the admin UI. */
  readonly csp?: string
  /** CIDR ranges that may reach `/admin`. Default: loopback. */
  readonly adminIpAllowlist?: readonly string[]
  /**
   * CIDR ranges of proxies whose `X-Forwarded-For` is believed; or how many proxies there are, where nobody reaches the
   * service but through all of them. Default: none.
   */
  readonly trustProxy?: readonly string[] | number
  /** Headers that every answer has beside our own. */
  readonly headers?: Readonly<Record<string, string>>
}

/** True: port 5433 on loopback, every caller trusted to be `anonymous`. False, the default: no such server. */
export type PgWireConfig = boolean | PgWireOptions

/** Where and how the server of the PostgreSQL wire protocol listens. */
export interface PgWireOptions {
  /** Default 5433; 0 takes a free one. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** How clients prove who they are; the first strategy that knows the credential counts. Default: `trust`. */
  readonly auth?: { readonly strategy: readonly PgWireStrategy[] }
  /** Contents of PEM files. With them clients may use TLS, and have to beyond loopback. */
  readonly tls?: { readonly key: string | Uint8Array; readonly cert: string | Uint8Array }
  /** The server version that clients get, such as `17.2`; default: the version of the catalog that answers them. */
  readonly serverVersion?: string
  /** Default 100. */
  readonly maxConnections?: number
  /** Passwords may travel without TLS beyond loopback. Default false. */
  readonly allowPlaintext?: boolean
  /** What answers questions about the system catalogs. Default `pglite`, where it is installed. */
  readonly catalog?: 'pglite' | 'builtin'
  /** A session that says nothing for so long ends: `8h`. Default: none does. */
  readonly idleSessionTimeout?: string
  /** A session that says nothing for so long inside a transaction ends, since it holds a connection: default `60s`. */
  readonly idleInTransactionTimeout?: string
  /** A transaction that lasts longer is rolled back: default `10m`. */
  readonly transactionTimeout?: string
}

/**
 * `jwt`: a token as the password. `apiKey`: an API key, or the master key. `password`: e-mail address and password of an
 * account. `trust`: nothing; every caller is `anonymous`, on loopback only.
 */
export type PgWireStrategy = 'jwt' | 'apiKey' | 'password' | 'trust'

/** True, or an object: describes connections and actions at `GET /schema`. Default: off. */
export type SchemaEndpointConfig =
  | boolean
  | { readonly enabled?: boolean; readonly token?: string | undefined }

/** Health and metrics away from the public port. */
export interface InternalConfig {
  /** 0 takes a free one. */
  readonly port: number
  /** Default 127.0.0.1. */
  readonly host?: string
}

/** Prometheus metrics at `GET /metrics`: on the internal port where there is one, else on the public one. */
export interface MetricsConfig {
  /** Default: true with `internal`, else false. */
  readonly enabled?: boolean
}

export interface LogConfig {
  /** Default `info`. */
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** One line for each request. Default false. */
  readonly requests?: boolean
}
