/** @module How an engine opens the built-in provider of accounts and tokens. */

import type { AuthProvider } from '../config/auth-provider.ts'
import type { Audit } from '../foundation/audit-event.ts'
import type { Log } from '../foundation/log.ts'
import type { RateLimiter } from '../foundation/rate-limiter.ts'
import type { ServiceDatabaseFactory } from '../service/store/service-database.ts'

/** What the built-in provider is opened with, by an engine that serves without a gateway. */
export interface OpenProviderOptions<Engine> {
  readonly engine: Engine
  /** By package name, instead of looking for installed packages. */
  readonly serviceDatabases: Readonly<Record<string, ServiceDatabaseFactory>> | undefined
  /** Where installed packages are looked for. */
  readonly directory: string
  readonly limiter: RateLimiter
  readonly audit: Audit | undefined
  readonly isProduction: boolean
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

export interface OpenedProvider {
  readonly provider: AuthProvider
  /** Closes the service database too. */
  close(): Promise<void>
}

/** What `@engine/auth` exports as `openAuthProvider`. @throws {GatewayError} `invalidConfiguration`. */
export type AuthProviderFactory<Engine> = (
  options: OpenProviderOptions<Engine>,
) => Promise<OpenedProvider>
