import { setTimeout as sleep } from 'node:timers/promises'
import { type AdminSite, serveAdmin } from '@engine/admin'
import { type Config, type Engine, GatewayError, type Log, type PgWireServer } from '@engine/core'
import { parseConfig, requireRelease } from '@engine/core/server'
import type { PgWireCertificate, PgWireServerFactory, PgWireSignal } from '@engine/core/session'
import {
  createGateway,
  type EngineApp,
  type FindSchemas,
  type Gateway,
  type GuessRules,
  isLoopback,
  type ServedDemo,
  type Siblings,
} from '@engine/http'
import { toNodeHandler } from '@engine/http/node'
import { createPgWireServer, loadAdapter, loadAdapters } from './configuration/adapters.ts'
import { type Listening, listen, type Timeouts } from './http/listening.ts'
import { keepRequestsYoung } from './process/v8-memory.ts'
import { version } from './version.ts'

/** Options of `serve`. */
export interface ServeOptions {
  readonly config: Config
  readonly port: number
  readonly host: string
  /** Full messages and details in errors. */
  readonly isDevelopment: boolean
  readonly log: Log
  /** Defaults: 15 seconds for headers, 30 for a request, 60 without reading any byte of an answer. */
  readonly timeouts?: Timeouts
  /** The pages at `/admin`; those of `@engine/admin` by default. */
  readonly adminSite?: AdminSite | undefined
  /** Milliseconds for which requests are still accepted when the server stops; none by default. */
  readonly stopDelayMs?: number
  /** Called with every configuration before it is used, also a stored one: for logs that hide its secrets. */
  readonly onConfiguration?: (config: unknown) => void
  /** Creates the server of the wire protocol, where one is configured; that of `@engine/pgwire` by default. */
  readonly pgWire?: PgWireServerFactory
  /** The demo, where it is what is served. */
  readonly demo?: ServedDemo
  /** Other processes of this machine that serve the same configuration on the same ports. */
  readonly siblings?: Siblings
  /** Where another process has the listening sockets, too: resolves when it has closed those that this one has closed. */
  readonly confirmClosed?: () => Promise<unknown>
}

/** A server that accepts requests. */
export interface RunningServer
  extends Pick<Gateway, 'metricValues' | 'state' | 'activity' | 'noteRefusal'> {
  /** `http://127.0.0.1:3001` */
  readonly url: string
  /** Health and metrics for operators; undefined where no such port is configured. */
  readonly internalUrl: string | undefined
  /** `127.0.0.1:5433`; undefined where the wire protocol is not served. */
  readonly pgWireAddress: string | undefined
  readonly engine: Engine
  /** See `Gateway.reconfigure`. */
  reconfigure(config: Config): Promise<void>
  /**
   * Replaces the certificate of the wire protocol, for new connections.
   *
   * @throws {GatewayError} `invalidConfiguration` when the key does not match, or TLS is off: then nothing changes.
   */
  replaceCertificate(tls: PgWireCertificate): void
  /** An address that opens the pages at `/admin` signed in: see `Gateway.createAdminLink`. undefined where this is not possible. */
  createAdminLink(): string | undefined
  /** Stops a statement or a session of the wire protocol. @returns whether it is in this process. */
  signal(signal: PgWireSignal): boolean
  /**
   * Reports that it is not ready, and serves for `stopDelayMs` so that a load balancer notices. Then it stops
   * accepting, lets running requests and transactions of the wire protocol finish, writes queued entries, and closes
   * the databases. The internal port answers health requests until the last request has ended.
   *
   * @param drainMs cancels requests and statements that still run after this many milliseconds: requests are answered
   * 503, sessions of the wire protocol end with 57P01. Answers in transit are cut off.
   */
  stop(drainMs: number): Promise<void>
  /**
   * Stops since another process has its place: it accepts no connections and is otherwise ready. Requests and sessions of the
   * wire protocol go on until they end or `lasting` resolves; then it stops as above.
   */
  retire(drainMs: number, lasting: Promise<void>): Promise<void>
}

/** Milliseconds for requests of health and metrics at the end. */
const internalDrainMs = 200

/**
 * Opens the databases and services of the configuration, and listens for requests.
 *
 * @throws {GatewayError} `invalidConfiguration`; an `Error` with `code` when the server cannot listen on a port.
 *
 * @example
 * const server = await serve({ config, port: 3000, host: '127.0.0.1', isDevelopment: false, log })
 * await server.stop(10_000)
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { config, port, host, isDevelopment, log, timeouts, stopDelayMs = 0 } = options
  const { pgWire: factory = createPgWireServer, siblings, onConfiguration } = options
  const { adminSite = serveAdmin(), confirmClosed } = options
  requireRelease('@engine/server', version)
  const opening = {
    ...(await loadAdapters(parseConfig(config))),
    loadAdapter,
    pgWire: factory,
    log,
    isDevelopment,
    version,
    siblings,
    adminSite,
    guessRules,
    findSchemas,
    saysOpenMode: false,
    hasRootPage: true,
    demo: options.demo,
    ...(onConfiguration === undefined ? {} : { onConfiguration }),
  }
  // The process belongs to the server alone.
  keepRequestsYoung()
  const gateway = await createGateway(config, opening)
  const handling = { isDevelopment, log, overrideGlobalObjects: true }
  const handlerOf = (app: EngineApp) => toNodeHandler(app, handling)
  const { internalApp, engine } = gateway
  const { internal: at, pgWire: wire } = engine.settings
  const shared = {
    maxBodyBytes: () => engine.settings.limits.maxRequestBodyBytes,
    ...(timeouts && { timeouts }),
    ...(confirmClosed && { confirmClosed }),
  }
  let internal: Listening | undefined
  let open: Listening | undefined
  try {
    internal =
      internalApp && at && (await listen({ ...shared, ...at, handler: handlerOf(internalApp) }))
    const http = await listen({ ...shared, port, host, handler: handlerOf(gateway.app) })
    open = http
    const pgWire = wire && (await startPgWire(engine))
    return {
      url: http.url,
      internalUrl: internal?.url,
      pgWireAddress: pgWire?.address,
      engine,
      reconfigure: gateway.reconfigure,
      replaceCertificate: (tls) => {
        if (pgWire === undefined) throw withoutWire()
        pgWire.replaceCertificate(tls)
      },
      metricValues: gateway.metricValues,
      state: gateway.state,
      activity: gateway.activity,
      noteRefusal: gateway.noteRefusal,
      createAdminLink: () => {
        if (adminSite === undefined || !isLoopback(new URL(http.url).hostname)) return undefined
        const token = gateway.createAdminLink()
        return token && `${http.url}/admin#sign-in=${token}`
      },
      signal: (signal) => pgWire?.signal(signal) ?? false,
      retire: async (drainMs, lasting) => {
        await Promise.all([
          http.drain(drainMs, gateway.cancelRunning, lasting),
          internal?.drain(internalDrainMs),
          pgWire?.close(drainMs, lasting),
        ])
        await gateway.close()
      },
      stop: async (drainMs) => {
        gateway.beginStopping()
        if (stopDelayMs > 0) await sleep(stopDelayMs)
        await Promise.all([http.drain(drainMs, gateway.cancelRunning), pgWire?.close(drainMs)])
        await internal?.drain(internalDrainMs)
        await gateway.close()
      },
    }
  } catch (error) {
    await open?.drain(0)
    await internal?.drain(0)
    await gateway.close()
    throw error
  }
}

/** @throws {GatewayError} `unavailable` when the port is in use; errors of the engine. */
async function startPgWire(engine: Engine): Promise<PgWireServer> {
  try {
    return await engine.startPgWire()
  } catch (cause) {
    const { code, address, port } = cause as ListenFailure
    if (code !== 'EADDRINUSE') throw cause
    throw new GatewayError(
      'unavailable',
      `Cannot listen on ${address}:${port}: the port is in use. Choose another with pgWire.port or --pg-wire-port.`,
      { cause },
    )
  }
}

interface ListenFailure {
  readonly code?: unknown
  readonly address?: string
  readonly port?: number
}

function withoutWire(): GatewayError {
  return new GatewayError('invalidConfiguration', 'The wire protocol is not served.')
}

const findSchemas: FindSchemas = async (url) => {
  const { readSchemas } = await import('./init/read-schemas.ts')
  return await readSchemas(url)
}

/** Loaded when it is asked for: few servers are set up in their pages. */
const guessRules: GuessRules = async (connection, asked) => {
  const guess = await import('./init/guess-rules.ts')
  return guess.guessRules(connection, asked)
}
