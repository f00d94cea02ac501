/** @module A worker: serves until its supervisor, or a signal, stops it. */
import type { Config } from '@engine/core'
import { GatewayError } from '@engine/core'
import { failureText } from '../command-line/outcome.ts'
import type { Logger } from '../logging/logger.ts'
import { type RunningServer, serve } from '../serve.ts'
import { addressesOf } from '../starting/addresses.ts'
import { type Prepared, prepare } from '../starting/prepare.ts'
import { warnAtStart } from '../starting/serve-alone.ts'
import { drainMs, exitAfter, exitLater } from '../starting/stopping.ts'
import type { Beginning, SharedQuestion } from './questions.ts'
import { createWorkerSide, type WorkerSide, workerState } from './worker-side.ts'

/**
 * Milliseconds for which sessions of the wire protocol and requests go on when another worker has taken the place of this
 * one. After that it stops as a server does.
 */
const lastingMs = 60_000

export async function runWorker(rawArgs: readonly string[], log: Logger): Promise<void> {
  // The supervisor gets these signals too, and decides.
  process.on('SIGHUP', () => undefined)
  const side = createWorkerSide()
  const beginning = await side.begin
  const { worker } = beginning
  let server: RunningServer
  let stopDelayMs: number
  try {
    const prepared = await prepare(rawArgs)
    const config = configOf(prepared, beginning)
    log.protect(config)
    log.setLevel(prepared.settings.log.level)
    stopDelayMs = prepared.stopDelayMs
    server = await serve({
      config,
      port: beginning.ports.http,
      host: prepared.host,
      isDevelopment: process.env['NODE_ENV'] !== 'production',
      log,
      stopDelayMs,
      onConfiguration: log.protect,
      siblings: side.siblings(worker),
      confirmClosed: () => side.supervisor.ask({ what: 'confirm-closed' }),
    })
  } catch (error) {
    const isConfiguration =
      error instanceof GatewayError && error.problem === 'invalidConfiguration'
    await side.begun({ isReady: false, message: failureText(error), isConfiguration })
    process.exit(isConfiguration ? 2 : 1)
  }
  if (worker === 1) warnAtStart(server, log)
  const stopping = createStopping(server, side, { log, stopDelayMs })
  process.on('SIGTERM', stopping.stop)
  process.on('SIGINT', stopping.stop)
  side.serve({
    answer: (question) => answerOf(question, server, worker),
    noteRefusal: server.noteRefusal,
    ...stopping,
  })
  await side.begun({ isReady: true, addresses: addressesOf(server) })
}

/** Workers start with the same ports and the same secret, even if the configuration has changed since. */
function configOf({ config }: Prepared, { ports, secret }: Beginning): Config {
  const { pgWire, internal, auth } = config
  const wirePort = ports.pgWire === undefined ? {} : { port: ports.pgWire }
  const wire = pgWire === true ? wirePort : { ...(pgWire || {}), ...wirePort }
  const hasSecret = typeof auth !== 'object' || auth === null || !isWithoutSecret(auth)
  return {
    ...config,
    ...(pgWire === undefined || pgWire === false ? {} : { pgWire: wire }),
    ...(internal === undefined || ports.internal === undefined
      ? {}
      : { internal: { ...internal, port: ports.internal } }),
    ...(hasSecret ? {} : { auth: { ...auth, secret } }),
  } as Config
}

/** Outside production; in production a secret is needed, and the usual refusal says so. */
function isWithoutSecret(auth: object): boolean {
  const isProvider = 'authenticate' in auth
  const isSet = 'secret' in auth && auth.secret !== undefined
  return process.env['NODE_ENV'] !== 'production' && !isProvider && !isSet
}

async function answerOf(
  question: SharedQuestion,
  server: RunningServer,
  worker: number,
): Promise<unknown> {
  switch (question.what) {
    case 'signal':
      return server.signal(question.signal)
    case 'refresh-catalogs':
      await server.engine.refreshCatalog()
      return undefined
    case 'metrics':
      return server.metricValues()
    case 'wire-sessions':
      return server.engine.pgWireSessions().map((session) => ({ ...session, worker }))
    case 'activity':
      return server.activity()
    case 'state':
      return workerState(worker, server.state())
    default:
      return undefined
  }
}

interface Stopping {
  readonly stop: () => void
  readonly retire: () => void
}

function createStopping(
  server: RunningServer,
  side: WorkerSide,
  { log, stopDelayMs }: { readonly log: Logger; readonly stopDelayMs: number },
): Stopping {
  const hurry = Promise.withResolvers<void>()
  let state: 'serving' | 'retiring' | 'stopping' = 'serving'
  /** Counters never decrease: what this worker has counted is kept. */
  const handOver = async () => {
    const values = await server.metricValues()
    if (values !== undefined) await side.supervisor.ask({ what: 'last-metrics', values })
  }
  return {
    stop: () => {
      if (state === 'stopping') return
      exitLater(log, stopDelayMs)
      if (state === 'retiring') hurry.resolve()
      else exitAfter(server.stop(drainMs), log)
      state = 'stopping'
    },
    retire: () => {
      if (state !== 'serving') return
      state = 'retiring'
      const timer = setTimeout(hurry.resolve, lastingMs)
      const retired = server.retire(drainMs, hurry.promise)
      exitAfter(retired.then(() => clearTimeout(timer)).then(handOver), log)
    },
  }
}
