/** @module One process that serves until it gets a stop signal. */
import { openModeWarning, type PgWireCertificate } from '@engine/core/server'
import { createPgWireServer } from '../adapters.ts'
import { wrongArgument } from '../command-line/outcome.ts'
import { onAnyPort } from '../demo/on-any-port.ts'
import type { Logger } from '../logger.ts'
import { type RunningServer, serve } from '../serve.ts'
import { addressesOf, printReady } from './addresses.ts'
import { type Prepared, prepare } from './prepare.ts'
import { stopAndExit } from './stopping.ts'

export async function serveAlone(
  prepared: Prepared,
  rawArgs: readonly string[],
  log: Logger,
): Promise<void> {
  const { config, settings, port, host, stopDelayMs, path, demo } = prepared
  const server = await serve({
    config,
    port,
    host,
    isDevelopment: process.env['NODE_ENV'] !== 'production',
    log,
    stopDelayMs,
    ...(demo === undefined ? {} : { pgWire: onAnyPort(createPgWireServer) }),
  })
  warnAtStart(server, log)
  stopOnSignals(server, log, stopDelayMs)
  if (path !== undefined && settings.pgWire?.tls !== undefined) {
    replaceCertificateOnHangUp(server, log, rawArgs)
  }
  if (demo !== undefined) process.stderr.write(await demo.welcome(server))
  printReady(addressesOf(server))
}

/** Logs what an operator may have overlooked. */
export function warnAtStart({ engine }: RunningServer, log: Logger): void {
  if (engine.isOpen) log.warn({}, openModeWarning)
  const { isMetricsEnabled, internal } = engine.settings
  if (isMetricsEnabled && internal === undefined) {
    log.warn({}, 'metrics are on the public port, for everyone to read: configure internal.port')
  }
}

/** Certificates are reloaded while a server runs; all other changes of the configuration need a restart. */
function replaceCertificateOnHangUp(
  server: RunningServer,
  log: Logger,
  rawArgs: readonly string[],
): void {
  process.on('SIGHUP', () => {
    readCertificate(rawArgs, log)
      .then((tls) => server.replaceCertificate(tls))
      .then(
        () =>
          log.info({}, 'the wire protocol has the certificate that the configuration names now'),
        (err: unknown) => log.error({ err }, 'the wire protocol keeps its certificate'),
      )
  })
}

async function readCertificate(
  rawArgs: readonly string[],
  log: Logger,
): Promise<PgWireCertificate> {
  const { config, settings } = await prepare(rawArgs, true)
  log.protect(config)
  const tls = settings.pgWire?.tls
  if (tls === undefined) throw wrongArgument('pgWire.tls is not configured any more')
  return tls
}

function stopOnSignals(server: RunningServer, log: Logger, stopDelayMs: number): void {
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'stopping')
    stopAndExit(server, { log, stopDelayMs })
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
