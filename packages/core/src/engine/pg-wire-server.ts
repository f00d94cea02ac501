/** @module The server of the wire protocol, as its package makes it and `Engine.startPgWire` gives it. */

import type { AuthProvider } from '../config/auth-provider.ts'
import type { PgWireSettings } from '../config/operations-settings.ts'
import type { Settings } from '../config/settings.ts'
import type { Audit, RequestOrigin } from '../foundation/audit-event.ts'
import type { Caller } from '../foundation/caller.ts'
import type { Log } from '../foundation/log.ts'
import type { RateLimiter } from '../foundation/rate-limiter.ts'
import type { ClientSession } from '../runtime/client-session/client-session.ts'
import type { RequestLimits } from '../service/limits/request-limits.ts'

/** A server that accepts connections. */
export interface PgWireServer {
  /** `127.0.0.1:5433`, `[::1]:5433` */
  readonly address: string
  load(): PgWireLoad
  /**
   * Takes another certificate, for connections from now on.
   *
   * @throws {GatewayError} `invalidConfiguration` when the key does not fit, or the server has no TLS: then nothing changes.
   */
  replaceCertificate(tls: PgWireCertificate): void
  /**
   * Stops accepting, ends sessions between two transactions at once (57P01), lets the others come to the end of theirs.
   *
   * @param drainMs statements still running after so many milliseconds are cancelled; default 0.
   */
  close(drainMs?: number): Promise<void>
}

/** PEM. */
export type PgWireCertificate = NonNullable<PgWireSettings['tls']>

/** How busy it is. The first four are sessions now, the others a count since the start. */
export interface PgWireLoad {
  /** Not let in yet. */
  readonly starting: number
  readonly idle: number
  /** A statement runs. */
  readonly active: number
  /** In a transaction, and no statement runs. */
  readonly idleInTransaction: number
  readonly accepted: number
  readonly refused: Readonly<Record<PgWireRefusal, number>>
}

/** Why a client was not let in. `protocol`: it spoke something else, or stopped speaking. */
export type PgWireRefusal = 'credential' | 'connections' | 'protocol'

export interface PgWireServerOptions {
  readonly settings: Settings & { readonly pgWire: PgWireSettings }
  readonly openSession: (options: OpenSessionOptions) => ClientSession
  /** Who knows the credentials of the strategies; undefined where none is configured. */
  readonly provider: AuthProvider | undefined
  readonly requestLimits: RequestLimits
  /** Counts wrong credentials. */
  readonly limiter: RateLimiter
  /** Hears of refused clients; undefined where nothing is written down. */
  readonly audit: Audit | undefined
  /** Tells clients the whole message of an error. */
  readonly isDevelopment: boolean
  /** Where optional packages are looked for. */
  readonly directory: string
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Whose session it is. */
export interface OpenSessionOptions {
  readonly caller: Caller
  readonly origin: RequestOrigin
}

/**
 * What `@engine/pgwire` exports as `createPgWireServer`. Resolves when it accepts connections.
 *
 * @throws {GatewayError} `invalidConfiguration`; an `Error` with `code` when the port cannot be had.
 */
export type PgWireServerFactory = (options: PgWireServerOptions) => Promise<PgWireServer>
