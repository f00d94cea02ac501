/** @module `Engine.startPgWire`: one server of the wire protocol at a time. */

import type { AuthProvider } from '../config/options/auth-provider.ts'
import type { PgWireSettings } from '../config/settings/operations-settings.ts'
import type { Settings } from '../config/settings/settings.ts'
import type { Audit } from '../foundation/audit-event.ts'
import { GatewayError } from '../foundation/errors.ts'
import type { Log } from '../foundation/log.ts'
import type { RateLimiter } from '../foundation/rate-limiter.ts'
import { createMemoryRateLimiter } from '../service/limits/memory-rate-limiter.ts'
import { createRequestLimits } from '../service/limits/request-limits.ts'
import { loadPgWireServer } from './load-adapter.ts'
import type { OpenedProvider } from './open-auth-provider.ts'
import type {
  PgWireServer,
  PgWireServerFactory,
  PgWireServerOptions,
  PgWireSiblings,
} from './pg-wire-server.ts'

/** Parts that a gateway has and an engine alone does not. */
export interface StartPgWireOptions {
  /** Verifies credentials; by default built from the configuration's `auth`. */
  readonly provider?: AuthProvider | undefined
  /** Counts requests and wrong credentials; in this process by default. */
  readonly limiter?: RateLimiter | undefined
  /** Records refused clients; by default as `EngineOptions.audit`. */
  readonly audit?: Audit | undefined
  /** Sends clients the whole message of an error. Default false. */
  readonly isDevelopment?: boolean
  /** Servers of other processes on the same port. */
  readonly siblings?: PgWireSiblings | undefined
}

/** The parts of the server, besides its start options. */
export interface PgWireStarterOptions {
  /** Of the moment. */
  readonly settings: () => Settings
  readonly openSession: PgWireServerOptions['openSession']
  /** Opens the service database and the provider for its credentials. @throws {GatewayError} `invalidConfiguration`. */
  readonly openProvider: (options: OpenProvider) => Promise<OpenedProvider>
  readonly audit: Audit | undefined
  /** Instead of looking for the installed package. */
  readonly factory: PgWireServerFactory | undefined
  readonly directory: string
  readonly log: Log
  readonly clock: () => number
}

/** The parts that the provider shares with the server. */
export interface OpenProvider {
  readonly limiter: RateLimiter
  readonly isDevelopment: boolean | undefined
}

export interface PgWireStarter {
  /** @throws {GatewayError} `invalidConfiguration`; an `Error` with `code` when the port is not available. */
  start(options: StartPgWireOptions): Promise<PgWireServer>
  /** The running server. */
  current(): PgWireServer | undefined
  close(): Promise<void>
}

export function createPgWireStarter(options: PgWireStarterOptions): PgWireStarter {
  const { settings, openSession, audit, directory, log, clock } = options
  let running: Promise<PgWireServer> | undefined
  let current: PgWireServer | undefined

  const open = async (given: StartPgWireOptions): Promise<PgWireServer> => {
    const pgWire = pgWireOf(settings())
    const factory = options.factory ?? (await loadPgWireServer(directory))
    const limiter = given.limiter ?? createMemoryRateLimiter({ clock })
    const known = given.provider ?? settings().authProvider
    const { isDevelopment } = given
    const asks = pgWire.strategies.some((strategy) => strategy !== 'trust')
    const isNeeded = known === undefined && asks
    const opened = isNeeded ? await options.openProvider({ limiter, isDevelopment }) : undefined
    const making: PgWireServerOptions = {
      settings: { ...settings(), pgWire },
      current: settings,
      openSession,
      provider: known ?? opened?.provider,
      requestLimits: currentRequestLimits(() => settings().limits, limiter),
      limiter,
      siblings: given.siblings,
      audit: given.audit ?? audit,
      isDevelopment: given.isDevelopment ?? false,
      directory,
      log,
      clock,
    }
    try {
      const server = await factory(making)
      if (opened === undefined) return server
      const close: PgWireServer['close'] = async (drainMs, lasting) => {
        await server.close(drainMs, lasting)
        await opened.close()
      }
      return { ...server, close }
    } catch (error) {
      await opened?.close()
      throw error
    }
  }

  return {
    start: async (given) => {
      if (running !== undefined) throw refused('The wire protocol is served already.')
      const opening = open(given)
      running = opening
      try {
        const server = await opening
        const close: PgWireServer['close'] = async (drainMs, lasting) => {
          await server.close(drainMs, lasting)
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

/** The limits of the moment. */
function currentRequestLimits(
  limits: () => Settings['limits'],
  limiter: RateLimiter,
): PgWireServerOptions['requestLimits'] {
  let known = limits()
  let made = createRequestLimits(known, limiter)
  const current = () => {
    const now = limits()
    if (now !== known) {
      known = now
      made = createRequestLimits(now, limiter)
    }
    return made
  }
  return {
    get isActive() {
      return current().isActive
    },
    ofClient: (client) => current().ofClient(client),
    ofCaller: (caller, client) => current().ofCaller(caller, client),
  }
}

function pgWireOf({ pgWire }: Settings): PgWireSettings {
  if (pgWire !== undefined) return pgWire
  throw refused('pgWire is not configured: "pgWire": true, or an object.')
}

function refused(message: string): GatewayError {
  return new GatewayError('invalidConfiguration', message)
}
