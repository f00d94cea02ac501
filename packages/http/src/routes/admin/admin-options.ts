import type { ApiKeyProvider, Auth } from '@engine/auth'
import type { Engine, RateLimiter } from '@engine/core'
import type { AuditLog, AuthProvider, Store } from '@engine/core/server'
import type { Readiness } from '../../readiness.ts'
import type { RouteHandler } from '../../route-handler.ts'

/** What the administrator's routes stand on. */
export interface AdminOptions {
  readonly engine: Engine
  /** The built-in provider; undefined in open mode, and with a provider of the application's own. */
  readonly auth: Auth | undefined
  /** Makes and revokes API keys; undefined with a provider of the application's own. */
  readonly apiKeys: ApiKeyProvider['admin'] | undefined
  /** Turns tokens into callers, to explain and simulate what they would get; undefined in open mode. */
  readonly provider: AuthProvider | undefined
  readonly audit: AuditLog
  readonly store: Store
  readonly limiter: RateLimiter
  readonly readiness: () => Promise<Readiness>
  /** Answers with the headers of `/admin`, refusals written down. */
  readonly handle: RouteHandler
  /** The configuration as it was written; shown without its secrets. */
  readonly config: unknown
  /** Of the program; undefined where it is not known. */
  readonly version: string | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Messages and details of errors are shown in full. */
  readonly isDevelopment: boolean
}
