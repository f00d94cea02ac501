/** @module One process that serves until it gets a stop signal. */
import { openModeWarning } from '@engine/core/server'
import { createPgWireServer } from '../configuration/adapters.ts'
import type { Demo } from '../demo/demo.ts'
import { hasKeys, readKeys } from '../demo/demo-keys.ts'
import { onAnyPort } from '../demo/on-any-port.ts'
import { tourLink } from '../demo/tour-link.ts'
import type { Logger } from '../logging/logger.ts'
import { envFilesOf } from '../reload/env-file.ts'
import { createReload, reloadOnChange } from '../reload/reload-config.ts'
import { type RunningServer, serve } from '../serve.ts'
import { isDeveloperAt, paintOn } from '../terminal/terminal.ts'
import { addressesOf, printReady } from './addresses.ts'
import { welcomeText } from './empty-configuration.ts'
import type { Prepared } from './prepare.ts'
import type { Progress } from './progress.ts'
import { showScreen } from './show-screen.ts'
import { stopAndExit } from './stopping.ts'

/** @param progress ends when the server is ready. */
export async function serveAlone(
  prepared: Prepared,
  log: Logger,
  progress: Progress,
): Promise<void> {
  const { config, port, host, stopDelayMs, path, demo, isInteractive } = prepared
  progress.step('Opening the databases')
  const server = await serve({
    config,
    port,
    host,
    isDevelopment: process.env['NODE_ENV'] !== 'production',
    log,
    stopDelayMs,
    onConfiguration: log.protect,
    ...(demo === undefined ? {} : { pgWire: onAnyPort(createPgWireServer), demo: demo.served }),
  })
  warnAtStart(server, log)
  const stop = stopOnSignals(server, log, stopDelayMs)
  if (path !== undefined) followConfiguration(server, prepared, log)
  if (demo === undefined) {
    progress.end()
    const { stderr, env } = process
    const isGuided = isInteractive && env['NODE_ENV'] !== 'production'
    const link = isGuided || isDeveloperAt(stderr, env) ? server.createAdminLink() : undefined
    if (isGuided) stderr.write(welcomeText(addressesOf(server), link, paintOn(stderr)))
    else showScreen(prepared, addressesOf(server), link)
  } else {
    await welcomeToDemo(server, demo, progress, () => stop('SIGINT'))
  }
  printReady(addressesOf(server), prepared.isJson)
}

async function welcomeToDemo(
  server: RunningServer,
  demo: Demo,
  progress: Progress,
  quit: () => void,
): Promise<void> {
  const { stdin, stderr } = process
  const isPressed = hasKeys(stdin, stderr)
  progress.step('Making three accounts')
  const welcome = await demo.welcome(server, paintOn(stderr), isPressed)
  progress.end()
  stderr.write(welcome)
  if (!isPressed) return
  const createLink = () => tourLink(server)
  readKeys(stdin, stderr, { createLink, reset: () => demo.reset(server.url), quit })
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
  for (const { path } of envFilesOf(process.env)) files.add(path)
  const reload = createReload({ server, log, started: file, load: loadAgain, files })
  process.on('SIGHUP', () => void reload())
  if (watches) reloadOnChange(reload, files)
}

/** `node --watch` starts the whole process again. */
function watchesByDefault(): boolean {
  const { NODE_ENV: mode, WATCH_REPORT_DEPENDENCIES: isRestarted } = process.env
  return mode !== 'production' && isRestarted === undefined
}

/** @returns stops as such a signal does. */
function stopOnSignals(
  server: RunningServer,
  log: Logger,
  stopDelayMs: number,
): (signal: NodeJS.Signals) => void {
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'stopping')
    stopAndExit(server, { log, stopDelayMs })
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  return stop
}
