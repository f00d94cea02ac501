#!/usr/bin/env node
/** @module The process: arguments, environment, signals, exit codes. */
import { GatewayError } from '@engine/core'
import { defineCommand, runMain } from 'citty'
import { pino } from 'pino'
import { prepareDemo } from './demo/demo.ts'
import { type ConfigFile, findConfig, loadConfig } from './load-config.ts'
import { isPort, parseServerConfig } from './parse-server-config.ts'
import { redacted } from './redact-config.ts'
import { type RunningServer, serve } from './serve.ts'

/** Running requests get so many milliseconds to finish after SIGTERM. */
const drainMs = 10_000

/** Databases that do not close within so many milliseconds more do not keep the process. */
const closeMs = 10_000

const configArgument = {
  type: 'positional',
  required: true,
  description: 'configuration file (.ts, .js or .json)',
} as const

const check = defineCommand({
  meta: { name: 'check', description: 'Check a configuration file without starting anything' },
  args: { file: configArgument },
  run: ({ args }) =>
    orExit(async () => {
      parseServerConfig(await load(args.file))
      process.stdout.write('The configuration is valid.\n')
    }),
})

const print = defineCommand({
  meta: { name: 'print', description: 'Print a configuration as it is understood' },
  args: {
    file: configArgument,
    redact: { type: 'boolean', description: 'hide secrets (always on)', default: true },
  },
  run: ({ args }) =>
    orExit(async () => {
      const loaded = await load(args.file)
      process.stdout.write(`${JSON.stringify(redacted(loaded), null, 2)}\n`)
    }),
})

const main = defineCommand({
  meta: { name: 'engine-server', description: 'Serve databases to browsers, under permissions' },
  args: {
    config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
    port: { type: 'string', description: 'port to listen on; 0 takes a free one' },
    host: { type: 'string', description: 'address to listen on' },
  },
  subCommands: {
    config: defineCommand({
      meta: { name: 'config', description: 'Look at configuration files' },
      subCommands: { check, print },
    }),
  },
  // Also called behind a subcommand that has run.
  run: ({ args }) => (args._.length > 0 ? undefined : orExit(() => start(args))),
})

function load(path: string): Promise<ConfigFile> {
  return loadConfig(findConfig(path, process.env, process.cwd()) ?? path, process.env)
}

interface StartArguments {
  readonly config?: string | undefined
  readonly port?: string | undefined
  readonly host?: string | undefined
}

async function start(args: StartArguments): Promise<void> {
  requireKnown(args)
  const log = pino({ redact: ['*.password', '*.token', '*.authorization'] }, pino.destination(2))
  const path = findConfig(args.config, process.env, process.cwd())
  const demo = path === undefined ? await prepareDemo(process.cwd()) : undefined
  const file = demo?.config ?? (await loadConfig(path ?? '', process.env))
  const { config, port, host } = parseServerConfig(file)
  const server = await serve({
    config,
    port: args.port === undefined ? port : parsePort(args.port),
    host: args.host ?? host,
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

/** A misspelt option is not to be passed over. */
function requireKnown(args: object): void {
  const known = ['_', 'config', 'port', 'host']
  const unknown = Object.keys(args).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const names = unknown.map((name) => `--${name}`).join(', ')
  throw new GatewayError('invalidConfiguration', `Unknown option: ${names} (see --help)`)
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : undefined
  if (isPort(port)) return port
  throw new GatewayError('invalidConfiguration', `--port ${text}: expects 0 to 65535`)
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

/** Runs a command; a configuration that is wrong exits with 2, anything else that fails with 1. */
async function orExit(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): never {
  const isConfiguration = error instanceof GatewayError && error.problem === 'invalidConfiguration'
  process.stderr.write(`${isConfiguration ? error.message : failureText(error)}\n`)
  process.exit(isConfiguration ? 2 : 1)
}

/** What an operator can act on in one sentence, else the stack of what is a bug. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, address, port } = error as NodeJS.ErrnoException & ListenFailure
  switch (code) {
    case 'EADDRINUSE':
      return `Cannot listen on ${address}:${port}: the port is in use. Choose another with --port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `Cannot listen: this machine has no address ${address ?? 'of that name'}.`
    case 'EACCES':
      return `Cannot listen on ${address}:${port}: not permitted.`
    default:
      return error.stack ?? error.message
  }
}

interface ListenFailure {
  readonly address?: string
  readonly port?: number
}

await runMain(main)
