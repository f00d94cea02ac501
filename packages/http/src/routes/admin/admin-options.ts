import type { ApiKeyProvider, Auth } from '@engine/auth'
import type { RefusedConfiguration } from '@engine/contract/admin-api'
import type { Config, Engine, RateLimiter } from '@engine/core'
import type { AuditLog, AuthProvider } from '@engine/core/server'
import type { Store } from '@engine/core/store'
import type { AdminLinks } from '../../administrators/admin-links.ts'
import type { AdminSessions } from '../../administrators/admin-sessions.ts'
import type { Readiness } from '../../gateway/readiness.ts'
import type { ProcessState, Siblings } from '../../gateway/siblings.ts'
import type { AdminConfiguration } from '../../interactive/admin-configuration.ts'
import type { Activity } from '../../metrics/activity.ts'
import type { RouteHandler } from '../../route-handler.ts'
import type { FindSchemas } from './found-schemas.ts'
import type { GuessRules } from './rules-guess.ts'
import type { ServedDemo } from './served-demo.ts'
import type { AdminSite } from './site-routes.ts'

/** The dependencies of the administrator's routes. */
export interface AdminOptions {
  readonly engine: Engine
  /** The built-in provider; undefined in open mode, and with the application's own provider. */
  readonly auth: Auth | undefined
  /** Creates and revokes API keys; undefined with the application's own provider. */
  readonly apiKeys: ApiKeyProvider['admin'] | undefined
  /** Turns tokens into callers, to explain and simulate their statements; undefined in open mode. */
  readonly provider: AuthProvider | undefined
  readonly audit: AuditLog
  readonly store: Store
  readonly limiter: RateLimiter
  /** Sessions of administrators in a browser. */
  readonly sessions: AdminSessions
  readonly activity: Pick<Activity, 'hook' | 'report'>
  readonly links: Pick<AdminLinks, 'use'>
  /** The pages at `/admin`; undefined where they are not installed. */
  readonly site: AdminSite | undefined
  /** Guesses the first rules of a role; undefined where the program that serves has no guess. */
  readonly guessRules: GuessRules | undefined
  /** Finds the schemas of a database; undefined where the program that serves cannot. */
  readonly findSchemas: FindSchemas | undefined
  /** The demo that is served; undefined elsewhere. */
  readonly demo: ServedDemo | undefined
  readonly readiness: () => Promise<Readiness>
  /** Answers with the headers of `/admin`, and records refusals. */
  readonly handle: RouteHandler
  /** The configuration that is served, as written; shown without its secrets. */
  readonly config: () => Config
  /** The stored configuration; undefined where code defines it. */
  readonly configuration: AdminConfiguration | undefined
  /** Why the newest configuration file is not used; undefined where it is. */
  readonly refusal: () => RefusedConfiguration | undefined
  /** Version of the program; undefined where it is not known. */
  readonly version: string | undefined
  /** Other processes of this machine that serve the same configuration. */
  readonly siblings: Siblings | undefined
  readonly state: () => ProcessState
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Messages and details of errors are shown in full. */
  readonly isDevelopment: boolean
}
