/** @module One process that serves until it gets a stop signal. */
import { resolve } from 'node:path'
import { openModeWarning } from '@engine/core/server'
import { createPgWireServer } from '../adapters.ts'
import { adminLinkLines } from '../admin-link.ts'
import { onAnyPort } from '../demo/on-any-port.ts'
import type { Logger } from '../logger.ts'
import { followEnvFile } from '../reload/env-file.ts'
import { createReload, reloadOnChange } from '../reload/reload-config.ts'
import { type RunningServer, serve } from '../serve.ts'
import { addressesOf, printReady } from './addresses.ts'
import { welcomeText } from './empty-configuration.ts'
import type { Prepared } from './prepare.ts'
import { stopAndExit } from './stopping.ts'

/** The file of variables, in the working directory. */
const envFile = '.env'

export async function serveAlone(prepared: Prepared, log: Logger): Promise<void> {
  const { config, port, host, stopDelayMs, path, demo } = prepared
  const server = await serve({
    config,
    port,
    host,
    isDevelopment: process.env['NODE_ENV'] !== 'production',
    log,
    stopDelayMs,
    onConfiguration: log.protect,
    ...(demo === undefined ? {} : { pgWire: onAnyPort(createPgWireServer) }),
  })
  warnAtStart(server, log)
  stopOnSignals(server, log, stopDelayMs)
  if (path !== undefined) followConfiguration(server, prepared, log)
  if (demo !== undefined) process.stderr.write(await demo.welcome(server))
  else process.stderr.write(linkText(server, prepared))
  printReady(addressesOf(server))
}

/** For a person who develops; never for a file of logs. */
function linkText(server: RunningServer, { isInteractive }: Prepared): string {
  if (process.env['NODE_ENV'] === 'production') return ''
  if (isInteractive) return welcomeText(server.url, server.createAdminLink())
  return process.stderr.isTTY ? adminLinkLines(server.createAdminLink()).join('\n') : ''
}

/** Logs what an operator may have overlooked. */
export function warnAtStart({ engine }: RunningServer, log: Logger): void {
  if (engine.isOpen) log.warn({}, openModeWarning)
  const { isMetricsEnabled, internal } = engine.settings
  if (isMetricsEnabled && internal === undefined) {
    log.warn({}, 'metrics are on the public port, for everyone to read: configure internal.port')
  }
}

/** Applies the configuration again on SIGHUP, and in development when its files are saved. */
function followConfiguration(
  server: RunningServer,
  { file, files, loadAgain, watches = watchesByDefault() }: Prepared,
  log: Logger,
): void {
  const path = resolve(envFile)
  const followEnvironment = followEnvFile(path, process.env)
  files.add(path)
  const load = () => {
    followEnvironment()
    return loadAgain()
  }
  const reload = createReload({ server, log, started: file, load })
  process.on('SIGHUP', () => void reload())
  if (watches) reloadOnChange(reload, files)
}

/** `node --watch` starts the whole process again. */
function watchesByDefault(): boolean {
  const { NODE_ENV: mode, WATCH_REPORT_DEPENDENCIES: isRestarted } = process.env
  return mode !== 'production' && isRestarted === undefined
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
