/** @module `engine-server`: serves until a signal ends it. */
import { pino } from 'pino'
import { fail, wrongArgument } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { prepareDemo } from '../demo/demo.ts'
import { findConfig, loadConfig } from '../load-config.ts'
import { isPort, parseServerConfig } from '../parse-server-config.ts'
import { type RunningServer, serve } from '../serve.ts'

/** Running requests get so many milliseconds to finish after SIGTERM. */
const drainMs = 10_000

/** Databases that do not close within so many milliseconds more do not keep the process. */
const closeMs = 10_000

export const startArguments = {
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
  port: { type: 'string', description: 'port to listen on; 0 takes a free one' },
  host: { type: 'string', description: 'address to listen on' },
} as const

export async function start(rawArgs: readonly string[]): Promise<void> {
  const options = readOptions(rawArgs, startArguments, 0)
  const log = pino({ redact: ['*.password', '*.token', '*.authorization'] }, pino.destination(2))
  const path = findConfig(options.text('config'), process.env, process.cwd())
  const demo = path === undefined ? await prepareDemo(process.cwd()) : undefined
  const file = demo?.config ?? (await loadConfig(path ?? '', process.env))
  const { config, port, host } = parseServerConfig(file)
  const givenPort = options.text('port')
  const server = await serve({
    config,
    port: givenPort === undefined ? port : parsePort(givenPort),
    host: options.text('host') ?? host,
    isDevelopment: process.env['NODE_ENV'] !== 'production',
    log,
  })
  if (server.engine.isOpen) {
    log.warn({}, 'OPEN MODE: no auth and no permissions are configured: everyone may do everything')
  }
  stopOnSignals(server, (message) => log.info({}, message))
  if (demo !== undefined) process.stderr.write(await demo.welcome(server.url))
  process.stdout.write(`${JSON.stringify({ ready: true, http: server.url })}\n`)
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : undefined
  if (isPort(port)) return port
  throw wrongArgument(`--port ${text}: expects 0 to 65535`)
}

function stopOnSignals(server: RunningServer, say: (message: string) => void): void {
  let isStopping = false
  const stop = () => {
    if (isStopping) process.exit(1)
    isStopping = true
    say('stopping')
    setTimeout(() => process.exit(1), drainMs + closeMs).unref()
    server.stop(drainMs).then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
