/** @module How an engine opens the built-in provider for accounts and tokens. */

import type { AuthProvider } from '../config/options/auth-provider.ts'
import type { Audit } from '../foundation/audit-event.ts'
import type { Log } from '../foundation/log.ts'
import type { RateLimiter } from '../foundation/rate-limiter.ts'
import type { ServiceDatabaseFactory } from '../service/store/service-database.ts'

/** Options of the built-in provider, for an engine without a gateway. */
export interface OpenProviderOptions<Engine> {
  readonly engine: Engine
  /** By package name, instead of looking for installed packages. */
  readonly serviceDatabases: Readonly<Record<string, ServiceDatabaseFactory>> | undefined
  /** The directory to search for installed packages. */
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
  /** Also closes the service database. */
  close(): Promise<void>
}

/** The type of `openAuthProvider` in `@engine/auth`. @throws {GatewayError} `invalidConfiguration`. */
export type AuthProviderFactory<Engine> = (
  options: OpenProviderOptions<Engine>,
) => Promise<OpenedProvider>
