/** @module `engine-server`: serves until it gets a stop signal. */
import { openModeWarning, type PgWireCertificate, parseConfig } from '@engine/core/server'
import { createPgWireServer } from '../adapters.ts'
import { wrongArgument } from '../command-line/outcome.ts'
import { type Options, readOptions } from '../command-line/read-options.ts'
import type { Demo } from '../demo/demo.ts'
import { onAnyPort } from '../demo/on-any-port.ts'
import { type ConfigFile, findConfig, loadConfig, requireConfig } from '../load-config.ts'
import { createLogger, type Logger } from '../logger.ts'
import { isPort, parseServerConfig } from '../parse-server-config.ts'
import { type RunningServer, serve } from '../serve.ts'

/** Milliseconds for running requests to finish after SIGTERM. */
const drainMs = 10_000

/** After this many more milliseconds the process ends, even if databases are not closed yet. */
const closeMs = 10_000

export const startArguments = {
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
  port: { type: 'string', description: 'port to listen on; 0 takes a free one' },
  demo: { type: 'boolean', description: 'serve the embedded demo, whatever files there are' },
  host: { type: 'string', description: 'address to listen on' },
  'pg-wire-port': {
    type: 'string',
    description: 'port of the PostgreSQL wire protocol, where it is configured; 0 takes a free one',
  },
} as const

export async function start(rawArgs: readonly string[]): Promise<void> {
  const options = readOptions(rawArgs, startArguments, 0)
  const log = createLogger()
  endOnBugs(log)
  const path = configPath(options)
  const demo = path === undefined ? await demoIn(process.cwd()) : undefined
  const file = demo?.config ?? (await loadConfig(path ?? '', process.env))
  const givenPort = options.text('port')
  const { config, port, host, stopDelayMs } = parseServerConfig(
    withWirePort(file, options.text('pg-wire-port')),
  )
  log.protect(config)
  const settings = parseConfig(config)
  log.setLevel(settings.log.level)
  const server = await serve({
    config,
    port: givenPort === undefined ? port : parsePort('--port', givenPort),
    host: options.text('host') ?? host,
    isDevelopment: process.env['NODE_ENV'] !== 'production',
    log,
    stopDelayMs,
    ...(demo === undefined ? {} : { pgWire: onAnyPort(createPgWireServer) }),
  })
  if (server.engine.isOpen) log.warn({}, openModeWarning)
  const { isMetricsEnabled, internal } = server.engine.settings
  if (isMetricsEnabled && internal === undefined) {
    log.warn({}, 'metrics are on the public port, for everyone to read: configure internal.port')
  }
  stopOnSignals(server, log, stopDelayMs)
  if (path !== undefined && settings.pgWire?.tls !== undefined) {
    replaceCertificateOnHangUp(server, log, path)
  }
  if (demo !== undefined) process.stderr.write(await demo.welcome(server))
  process.stdout.write(`${JSON.stringify(readyLine(server))}\n`)
}

/** Its database is SQLite, whose driver other configurations may not need. */
async function demoIn(directory: string): Promise<Demo> {
  const { prepareDemo } = await import('../demo/demo.ts')
  return prepareDemo(directory)
}

/** @returns undefined for the embedded demo. @throws {GatewayError} `invalidConfiguration`. */
function configPath(options: Options): string | undefined {
  const given = options.text('config')
  if (options.flag('demo')) {
    if (given !== undefined) throw wrongArgument('--demo and --config: one of the two')
    return undefined
  }
  const path = findConfig(given, process.env, process.cwd())
  requireConfig(path, process.env)
  return path
}

/** The line that reports that the process is ready. It has only the addresses of servers that were started. */
function readyLine({ url, pgWireAddress, internalUrl }: RunningServer): object {
  return {
    ready: true,
    http: url,
    ...(pgWireAddress === undefined ? {} : { pgWire: pgWireAddress }),
    ...(internalUrl === undefined ? {} : { internal: internalUrl }),
  }
}

function withWirePort(file: ConfigFile, given: string | undefined): ConfigFile {
  if (given === undefined) return file
  const port = parsePort('--pg-wire-port', given)
  const { pgWire } = file
  if (pgWire === undefined || pgWire === false) {
    throw wrongArgument('--pg-wire-port: pgWire is not configured')
  }
  return { ...file, pgWire: pgWire === true ? { port } : { ...pgWire, port } }
}

function parsePort(option: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : undefined
  if (isPort(port)) return port
  throw wrongArgument(`${option} ${text}: expects 0 to 65535`)
}

/** Certificates are reloaded while a server runs; all other changes of the configuration need a restart. */
function replaceCertificateOnHangUp(server: RunningServer, log: Logger, path: string): void {
  process.on('SIGHUP', () => {
    readCertificate(path, log)
      .then((tls) => server.replaceCertificate(tls))
      .then(
        () =>
          log.info({}, 'the wire protocol has the certificate that the configuration names now'),
        (err: unknown) => log.error({ err }, 'the wire protocol keeps its certificate'),
      )
  })
}

async function readCertificate(path: string, log: Logger): Promise<PgWireCertificate> {
  const { config } = parseServerConfig(await loadConfig(path, process.env, true))
  log.protect(config)
  const tls = parseConfig(config).pgWire?.tls
  if (tls === undefined) throw wrongArgument('pgWire.tls is not configured any more')
  return tls
}

/** An uncaught error leaves the process in an unknown state: it logs the error and ends. */
function endOnBugs(log: Logger): void {
  process.on('uncaughtException', (err, origin) => {
    log.error({ err, origin }, 'the process ends: an error was not caught')
    process.exit(1)
  })
}

function stopOnSignals(server: RunningServer, log: Logger, stopDelayMs: number): void {
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(
      () => {
        log.error({}, 'what is open did not close in time')
        process.exit(1)
      },
      stopDelayMs + drainMs + closeMs,
    ).unref()
    server.stop(drainMs).then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'not everything could be closed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
