/** @module Checked options of audit, network security and operation. */
import type { PgWireStrategy } from '../options/operations-config.ts'

/** The checked settings of the audit log. */
export interface AuditSettings {
  readonly enabled: boolean
  readonly logQuery: boolean
  readonly logParams: boolean
  readonly logDuration: boolean
  readonly logUser: boolean
  readonly logDenied: boolean
  readonly logAdminActions: boolean
  readonly retentionMs: number
  readonly piiRedaction: boolean
  readonly logSink: boolean
}

/** The checked settings of HTTP: origins and headers. */
export interface SecuritySettings {
  /** undefined: no CORS headers at all. */
  readonly cors:
    | {
        /** Exact origins; `*` alone is every origin. */
        readonly origins: readonly string[]
        readonly credentials: boolean
        readonly maxAgeSeconds: number
      }
    | undefined
  readonly csp: string
  /** CIDR ranges. */
  readonly adminIpAllowlist: readonly string[]
  /** CIDR ranges, or the number of proxies. */
  readonly trustProxy: readonly string[] | number
  readonly headers: Readonly<Record<string, string>>
}

export interface SchemaEndpointSettings {
  readonly enabled: boolean
  readonly token: string | undefined
}

/** The checked settings of the PostgreSQL wire server. */
export interface PgWireSettings {
  /** 0 selects a free port. */
  readonly port: number
  readonly host: string
  /** In the order in which they are tried; at least one. */
  readonly strategies: readonly PgWireStrategy[]
  /** PEM; a certificate and its own key. */
  readonly tls:
    | { readonly key: string | Uint8Array; readonly cert: string | Uint8Array }
    | undefined
  /** undefined: the version of the catalog. */
  readonly serverVersion: string | undefined
  readonly maxConnections: number
  readonly allowPlaintext: boolean
  /** undefined: PGlite if it is installed, else the built-in one. */
  readonly catalog: 'pglite' | 'builtin' | undefined
  /** undefined: no limit on idle sessions. */
  readonly idleSessionTimeoutMs: number | undefined
  readonly idleInTransactionTimeoutMs: number
  readonly transactionTimeoutMs: number
  /** What becomes of an answer of more rows than `limits.maxRows`. */
  readonly overflow: 'error' | 'cut'
  /** The most rows of a query that is read in pieces. */
  readonly maxCursorRows: number
}
