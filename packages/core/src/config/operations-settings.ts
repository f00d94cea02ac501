/** @module Checked options of audit, network security and operation. */
import type { PgWireStrategy } from './operations-config.ts'

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
  /** CIDR ranges, or how many proxies there are. */
  readonly trustProxy: readonly string[] | number
  readonly headers: Readonly<Record<string, string>>
}

export interface SchemaEndpointSettings {
  readonly enabled: boolean
  readonly token: string | undefined
}

export interface PgWireSettings {
  readonly port: number
  readonly host: string
  readonly strategies: readonly PgWireStrategy[]
  readonly tls:
    | { readonly key: string | Uint8Array; readonly cert: string | Uint8Array }
    | undefined
  readonly serverVersion: string
  readonly maxConnections: number
  readonly allowPlaintext: boolean
  readonly catalog: 'pglite' | 'builtin'
}
