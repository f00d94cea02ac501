/** @module A gateway and its options; `createGateway` makes one. */
import type { Auth } from '@engine/auth'
import type { RefusedConfiguration } from '@engine/contract/admin-api'
import type { Config, Engine, EngineOptions, RateLimiter } from '@engine/core'
import type { AuditLog } from '@engine/core/server'
import type { OpenStoreOptions, Store } from '@engine/core/store'
import type { AppOptions, EngineApp } from '../app.ts'
import type { ActivityReport } from '../metrics/activity.ts'
import type { MetricValues } from '../metrics/metrics.ts'
import type { FindSchemas } from '../routes/admin/found-schemas.ts'
import type { GuessRules } from '../routes/admin/rules-guess.ts'
import type { ServedDemo } from '../routes/admin/served-demo.ts'
import type { AdminSite } from '../routes/admin/site-routes.ts'
import type { ProcessState, Siblings } from './siblings.ts'

/** Options of `createGateway`. */
export interface GatewayOptions
  extends Omit<EngineOptions, 'audit' | 'isProduction' | 'upToDate'>,
    Pick<OpenStoreOptions, 'serviceDatabases'>,
    Pick<AppOptions, 'remoteAddress' | 'basePath' | 'hasRootPage'> {
  /** Puts `details` and full messages into errors; default: true unless NODE_ENV is `production`. */
  readonly isDevelopment?: boolean
  /**
   * Logs a warning in open mode, where every caller has all rights; default true. False for a host that warns itself.
   */
  readonly saysOpenMode?: boolean
  /** Other processes of this machine that serve the same configuration on the same ports. */
  readonly siblings?: Siblings | undefined
  /** Called with every configuration before it is used, also a stored one: for logs that hide its secrets. */
  readonly onConfiguration?: (config: unknown) => void
  /** The pages at `/admin`: `serveAdmin()` of `@engine/admin`. Without them, only `/admin/api` is there. */
  readonly adminSite?: AdminSite | undefined
  /** The first rules that the pages propose; undefined: they propose none. */
  readonly guessRules?: GuessRules | undefined
  /** The schemas that the pages offer for a connection; undefined: they offer none. */
  readonly findSchemas?: FindSchemas | undefined
  /** The demo that the program serves: its accounts are shown, and it can be reset; undefined: it serves none. */
  readonly demo?: ServedDemo | undefined
  /** Version of the program, shown to administrators, and outside of production at `GET /`. */
  readonly version?: string | undefined
}

/** A running engine with its HTTP applications, accounts, limits and audit. */
export interface Gateway {
  /** Its `startPgWire` uses the same accounts, and the same rate limits as HTTP. */
  readonly engine: Engine
  readonly app: EngineApp
  /** For the internal port; undefined where none is configured. */
  readonly internalApp: EngineApp | undefined
  /** The service database; undefined where it is not needed. */
  readonly store: Store | undefined
  /** undefined where there is no service database. */
  readonly audit: AuditLog | undefined
  /** undefined in open mode, and with the application's own provider. */
  readonly auth: Auth | undefined
  readonly limiter: RateLimiter
  /**
   * Replaces the configuration while requests run; in interactive mode the part that is in code. Each request, batch, action and transaction runs under one configuration from
   * its beginning to its answer; new ones use the new one when this resolves. Nothing that runs is ended, databases whose
   * settings are the same stay open, others are closed after their last use. Connections, permissions, channels, actions,
   * limits, security, audit and `schemaEndpoint` can change. Calls run one after the other.
   *
   * @throws {GatewayError} `invalidConfiguration`, its `details.faults` naming every fault, among them options that need a
   * restart, and databases of new and changed connections that cannot be reached. Then nothing has changed.
   */
  reconfigure(config: Config): Promise<void>
  /** The metrics of this process alone; undefined where they are off. */
  metricValues(): Promise<MetricValues | undefined>
  /** What this process did in the last hour; undefined without a `masterKey`. */
  activity(): ActivityReport | undefined
  /** What administrators see of this process. */
  state(): ProcessState
  /** A configuration file was changed and refused, as administrators see it; undefined: the file is in use. */
  noteRefusal(refusal: RefusedConfiguration | undefined): void
  /**
   * A token that signs an administrator in once, within two minutes and from this machine: the pages at `/admin#sign-in=<token>`
   * exchange it. undefined without a `masterKey`.
   */
  createAdminLink(): string | undefined
  /** Makes `/health/ready` answer 503, so that load balancers use other nodes; requests are still answered. */
  beginStopping(): void
  /** Cancels requests that still run: they are answered 503 within 2 seconds. Later requests are answered 503 too. */
  cancelRunning(): void
  /** Closes everything that the handlers use. Call it after the last request is answered. */
  close(): Promise<void>
}
