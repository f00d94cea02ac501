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
  /** The caller; default true. */
  readonly logUser?: boolean
  /** Refused requests; default true. */
  readonly logDenied?: boolean
  /** Changes by administrators; default true. */
  readonly logAdminActions?: boolean
  /** Entries older than this are deleted: `90d` (default), `12h`, `1y`. */
  readonly retention?: string
  /** E-mail addresses and phone numbers are replaced; default true. */
  readonly piiRedaction?: boolean
  /** Writes every entry also to the log, as one JSON line. Default false. */
  readonly logSink?: boolean
}

export interface SecurityConfig {
  readonly cors?: {
    /** Exact origins such as `https://app.example.com`, or `*`. */
    readonly origin: readonly string[]
    /** Allows cookies; not together with `*`. Default false. */
    readonly credentials?: boolean
    /** Seconds that a browser caches a preflight. Default 600. */
    readonly maxAge?: number
  }
  /** Content-Security-Policy of the admin UI. */
  readonly csp?: string
  /** CIDR ranges that may reach `/admin`. Default: loopback. */
  readonly adminIpAllowlist?: readonly string[]
  /**
   * CIDR ranges of proxies whose `X-Forwarded-For` is trusted; or the number of proxies, if every request passes through all of
   * them. Default: none.
   */
  readonly trustProxy?: readonly string[] | number
  /** Headers that are added to every answer. */
  readonly headers?: Readonly<Record<string, string>>
}

/** True: port 5433 on loopback, every caller is accepted as `anonymous`. False, the default: no such server. */
export type PgWireConfig = boolean | PgWireOptions

/** Options of the server of the PostgreSQL wire protocol. */
export interface PgWireOptions {
  /** Default 5433; 0 selects a free port. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** How clients authenticate; the first strategy that recognises the credential is used. Default: `trust`. */
  readonly auth?: { readonly strategy: readonly PgWireStrategy[] }
  /** Contents of PEM files. With them clients may use TLS, and must use it except on loopback. */
  readonly tls?: { readonly key: string | Uint8Array; readonly cert: string | Uint8Array }
  /** The server version reported to clients, such as `17.2`; default: the version of the catalog used for them. */
  readonly serverVersion?: string
  /** Default 100. */
  readonly maxConnections?: number
  /** Allows passwords without TLS outside of loopback. Default false. */
  readonly allowPlaintext?: boolean
  /** The implementation of the system catalogs. Default `pglite`, if it is installed. */
  readonly catalog?: 'pglite' | 'builtin'
  /** A session that is idle for this time ends: `8h`. Default: no limit. */
  readonly idleSessionTimeout?: string
  /** A session that is idle inside a transaction for this time ends, since it holds a connection: default `60s`. */
  readonly idleInTransactionTimeout?: string
  /** A transaction that lasts longer is rolled back: default `10m`. */
  readonly transactionTimeout?: string
  /**
   * An answer of more rows than `limits.maxRows`. `error` (default) refuses it (54000) and undoes what it has written. `cut` leaves
   * out the rest and sends a NOTICE, which most drivers drop.
   */
  readonly overflow?: 'error' | 'cut'
  /** The most rows of a cursor, of a statement that is read with a fetch size, and of COPY TO: default 1000000. */
  readonly maxCursorRows?: number
}

/**
 * `jwt`: a token as the password. `apiKey`: an API key, or the master key. `password`: e-mail address and password of an account.
 * `trust`: no credential; every caller is `anonymous`, on loopback only.
 */
export type PgWireStrategy = 'jwt' | 'apiKey' | 'password' | 'trust'

/** True, or an object: describes connections and actions at `GET /schema`. Default: off. */
export type SchemaEndpointConfig =
  | boolean
  | { readonly enabled?: boolean; readonly token?: string | undefined }

/** Health and metrics on a separate port. */
export interface InternalConfig {
  /** 0 selects a free port. */
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
