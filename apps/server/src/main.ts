#!/usr/bin/env node
/** @module The process: arguments, environment, signals, exit codes. */
import { GatewayError, parseConfig } from '@engine/core'
import { defineCommand, runMain } from 'citty'
import { pino } from 'pino'
import { prepareDemo } from './demo/demo.ts'
import { findConfig, loadConfig } from './load-config.ts'
import { redacted } from './redact-config.ts'
import { type RunningServer, serve } from './serve.ts'
import { splitConfig } from './split-config.ts'

/** Running requests get so many milliseconds to finish after SIGTERM. */
const drainMs = 10_000

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
      const { config } = splitConfig(await load(args.file))
      parseConfig(config)
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
  run: ({ args, rawArgs }) => (rawArgs[0] === 'config' ? undefined : orExit(() => start(args))),
})

async function load(path: string) {
  const found = findConfig(path, process.env, process.cwd())
  return loadConfig(found ?? path, process.env)
}

interface StartArguments {
  readonly config?: string | undefined
  readonly port?: string | undefined
  readonly host?: string | undefined
}

async function start(args: StartArguments): Promise<void> {
  const log = pino({ redact: ['*.password', '*.token', '*.authorization'] }, pino.destination(2))
  const path = findConfig(args.config, process.env, process.cwd())
  const demo = path === undefined ? await prepareDemo(process.cwd()) : undefined
  const file = demo?.config ?? (await loadConfig(path ?? '', process.env))
  const { config, port, host } = splitConfig(file)
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
  process.stdout.write(`${JSON.stringify({ ready: true, http: server.url })}\n`)
  if (demo !== undefined) process.stderr.write(await demo.welcome(server.url))
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new GatewayError('invalidConfiguration', `"${text}" is no port: expects 0 to 65535.`)
  }
  return port
}

function stopOnSignals(server: RunningServer, say: (message: string) => void): void {
  let isStopping = false
  const stop = () => {
    if (isStopping) process.exit(1)
    isStopping = true
    say('stopping')
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
  const text = error instanceof Error ? (isConfiguration ? error.message : error.stack) : error
  process.stderr.write(`${String(text)}\n`)
  process.exit(isConfiguration ? 2 : 1)
}

await runMain(main)
