/** @module The server of the wire protocol: its package creates it, `Engine.startPgWire` returns it. */

import type { AuthProvider } from '../config/options/auth-provider.ts'
import type { PgWireSettings } from '../config/settings/operations-settings.ts'
import type { Settings } from '../config/settings/settings.ts'
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
  /** The sessions of authenticated clients. */
  sessions(): readonly PgWireSession[]
  /**
   * Replaces the certificate for new connections.
   *
   * @throws {GatewayError} `invalidConfiguration` when the key does not match, or the server has no TLS: then nothing changes.
   */
  replaceCertificate(tls: PgWireCertificate): void
  /**
   * Stops accepting, ends sessions outside of a transaction at once (57P01), and lets the others finish their transaction.
   *
   * @param drainMs statements still running after this number of milliseconds are cancelled; default 0.
   * @param lasting sessions may begin transactions until it resolves, or until the client ends them; by default they may not.
   */
  close(drainMs?: number, lasting?: Promise<void>): Promise<void>
  /** Stops a statement or a session of this server. @returns whether the server has it, and it may be stopped. */
  signal(signal: PgWireSignal): boolean
}

/** A request to stop the session with a process id, or its statement. */
export type PgWireSignal =
  | {
      /** A CancelRequest of the protocol. */
      readonly kind: 'cancel-request'
      readonly processId: number
      /** Hexadecimal. */
      readonly secret: string
    }
  | {
      /** `pg_cancel_backend` and `pg_terminate_backend`. */
      readonly kind: 'cancel' | 'terminate'
      readonly processId: number
      /** Only sessions of this caller; undefined: of any. */
      readonly callerKey: string | undefined
    }

/** The servers of other processes that accept connections on the same port: the session of a signal may be theirs. */
export interface PgWireSiblings {
  /** @returns whether one of them has the session, and it may be stopped. */
  signal(signal: PgWireSignal): Promise<boolean>
}

/** PEM. */
export type PgWireCertificate = NonNullable<PgWireSettings['tls']>

/** The load of the server. The first four are the sessions now, the others a count since the start. */
export interface PgWireLoad {
  /** Not authenticated yet. */
  readonly starting: number
  readonly idle: number
  /** Running a statement. */
  readonly active: number
  /** In a transaction without a running statement. */
  readonly idleInTransaction: number
  readonly accepted: number
  readonly refused: Readonly<Record<PgWireRefusal, number>>
  /** Who answers questions about system catalogs. Statements on tables do not depend on it. */
  readonly catalog: PgWireCatalogState
}

/**
 * `idle`: no server runs, and the last start did not fail. `starting`: the first one is starting. `ready`: a server runs, or none is
 * needed. `failed`: the last start failed, and the next attempt waits.
 */
export interface PgWireCatalogState {
  readonly status: 'idle' | 'starting' | 'ready' | 'failed'
  /** Embedded servers that have started. */
  readonly servers: number
  /** Starts that have failed since this process runs. */
  readonly failures: number
}

/** A session of the server, as administrators see it. */
export interface PgWireSession {
  /** Random; `pg_backend_pid()` answers it. */
  readonly processId: number
  /** As in the audit: the id of a user, `anonymous` or `admin`. */
  readonly caller: string
  readonly roles: readonly string[]
  /** Of the API key or session that the client signed in with. */
  readonly credentialId: string | null
  readonly ip: string | null
  readonly isEncrypted: boolean
  readonly applicationName: string
  readonly state: 'idle' | 'active' | 'idleInTransaction'
  /** Milliseconds since 1970. */
  readonly startedAtMs: number
  /** Since when it is in this state. */
  readonly sinceMs: number
  /** The statement that runs, or ran last, cut to 2 000 characters; null before the first one. */
  readonly statement: string | null
  /** Statements in the log and in the audit have it, with a number behind. */
  readonly correlationId: string
}

/** The reason for refusing a client. `protocol`: it sent invalid messages, or stopped sending. */
export type PgWireRefusal = 'credential' | 'connections' | 'protocol'

/** What the PostgreSQL wire server works with. */
export interface PgWireServerOptions {
  /** At the start: `pgWire` and `masterKey` never change. */
  readonly settings: Settings & { readonly pgWire: PgWireSettings }
  /** Those of the moment. */
  readonly current: () => Pick<Settings, 'limits' | 'defaultConnection'>
  readonly openSession: (options: OpenSessionOptions) => ClientSession
  /** Verifies the credentials of the strategies; undefined where no strategy needs one. */
  readonly provider: AuthProvider | undefined
  readonly requestLimits: RequestLimits
  /** Counts wrong credentials. */
  readonly limiter: RateLimiter
  /** undefined where this process alone listens on the port. */
  readonly siblings: PgWireSiblings | undefined
  /** Records refused clients; undefined where there is no audit log. */
  readonly audit: Audit | undefined
  /** Sends clients the whole message of an error. */
  readonly isDevelopment: boolean
  /** The directory to search for optional packages. */
  readonly directory: string
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** The user of a session. */
export interface OpenSessionOptions {
  readonly caller: Caller
  readonly origin: RequestOrigin
}

/**
 * The type of `createPgWireServer` in `@engine/pgwire`. Resolves when it accepts connections.
 *
 * @throws {GatewayError} `invalidConfiguration`; an `Error` with `code` when the port is not available.
 */
export type PgWireServerFactory = (options: PgWireServerOptions) => Promise<PgWireServer>
