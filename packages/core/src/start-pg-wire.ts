/** @module `Engine.startPgWire`: one server of the wire protocol at a time. */
import type { Audit } from './audit/audit-event.ts'
import type { AuthProvider } from './auth-provider.ts'
import type { PgWireSettings } from './config/operations-settings.ts'
import type { Settings } from './config/settings.ts'
import { GatewayError } from './errors.ts'
import { createMemoryRateLimiter } from './limits/memory-rate-limiter.ts'
import type { RateLimiter } from './limits/rate-limiter.ts'
import { createRequestLimits } from './limits/request-limits.ts'
import { loadPgWireServer } from './load-adapter.ts'
import type { Log } from './log.ts'
import type { PgWireServer, PgWireServerFactory, PgWireServerOptions } from './pg-wire-server.ts'

/** What an engine by itself has none of; a gateway has. */
export interface StartPgWireOptions {
  /** Who knows credentials; by default the configuration's `auth`, where that is a provider. */
  readonly provider?: AuthProvider | undefined
  /** Counts requests and wrong credentials; in this process by default. */
  readonly limiter?: RateLimiter | undefined
  /** Tells clients the whole message of an error. Default false. */
  readonly isDevelopment?: boolean
}

/** What the server is made of, beside what it is started with. */
export interface PgWireStarterOptions {
  readonly settings: Settings
  readonly openSession: PgWireServerOptions['openSession']
  readonly audit: Audit | undefined
  /** Instead of looking for the installed package. */
  readonly factory: PgWireServerFactory | undefined
  readonly directory: string
  readonly log: Log
  readonly clock: () => number
}

export interface PgWireStarter {
  /** @throws {GatewayError} `invalidConfiguration`; an `Error` with `code` when the port cannot be had. */
  start(options: StartPgWireOptions): Promise<PgWireServer>
  /** The one that runs. */
  current(): PgWireServer | undefined
  close(): Promise<void>
}

export function createPgWireStarter(options: PgWireStarterOptions): PgWireStarter {
  const { settings, openSession, audit, directory, log, clock } = options
  let running: Promise<PgWireServer> | undefined
  let current: PgWireServer | undefined

  const open = async (given: StartPgWireOptions): Promise<PgWireServer> => {
    const pgWire = pgWireOf(settings)
    const provider = given.provider ?? settings.authProvider
    requireProvider(pgWire, settings, provider)
    const factory = options.factory ?? (await loadPgWireServer(directory))
    const limiter = given.limiter ?? createMemoryRateLimiter({ clock })
    return factory({
      settings: { ...settings, pgWire },
      openSession,
      provider,
      requestLimits: createRequestLimits(settings.limits, limiter),
      limiter,
      audit,
      isDevelopment: given.isDevelopment ?? false,
      directory,
      log,
      clock,
    })
  }

  return {
    start: async (given) => {
      if (running !== undefined) throw refused('The wire protocol is served already.')
      const opening = open(given)
      running = opening
      try {
        const server = await opening
        const close = async (drainMs?: number) => {
          await server.close(drainMs)
          if (running === opening) running = current = undefined
        }
        current = { ...server, close }
        return current
      } catch (error) {
        running = undefined
        throw error
      }
    },
    current: () => current,
    close: async () => {
      await running?.then(
        () => current?.close(),
        () => undefined,
      )
    },
  }
}

function pgWireOf({ pgWire }: Settings): PgWireSettings {
  if (pgWire !== undefined) return pgWire
  throw refused('pgWire is not configured: "pgWire": true, or an object.')
}

/** Without it everybody would be turned away, and nobody would know why. */
function requireProvider(
  { strategies }: PgWireSettings,
  { auth, masterKey }: Settings,
  provider: AuthProvider | undefined,
): void {
  if (provider !== undefined || auth === undefined) return
  const needing = strategies.filter((strategy) => strategy !== 'trust')
  if (needing.length === 0 || (masterKey !== undefined && needing.join() === 'apiKey')) return
  throw refused(
    `pgWire.auth.strategy ${needing.join(', ')} needs somebody who knows accounts: start it with a gateway (createGateway of @engine/http), or give startPgWire a provider.`,
  )
}

function refused(message: string): GatewayError {
  return new GatewayError('invalidConfiguration', message)
}
