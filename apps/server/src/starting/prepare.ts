/** @module Reads what the program is to serve: its arguments, and the configuration that they name. */
import type { Config } from '@engine/core'
import { parseConfig, type Settings } from '@engine/core/server'
import { wrongArgument } from '../command-line/outcome.ts'
import { type Options, readOptions } from '../command-line/read-options.ts'
import type { ConfigFile } from '../configuration/define-config.ts'
import { findConfig, loadConfig, requireConfig } from '../configuration/load-config.ts'
import {
  isPort,
  parseServerConfig,
  type ServerConfig,
} from '../configuration/parse-server-config.ts'
import type { Demo } from '../demo/demo.ts'
import { interactiveConfiguration, requireInteractive } from './empty-configuration.ts'

export const startArguments = {
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
  port: { type: 'string', description: 'port to listen on; 0 takes a free one' },
  demo: { type: 'boolean', description: 'serve the embedded demo, whatever files there are' },
  interactive: {
    type: 'boolean',
    description: "set up in the administrator's pages: writes a configuration where there is none",
  },
  host: { type: 'string', description: 'address to listen on' },
  'pg-wire-port': {
    type: 'string',
    description: 'port of the PostgreSQL wire protocol, where it is configured; 0 takes a free one',
  },
  watch: {
    type: 'boolean',
    description:
      'apply the configuration again when its files are saved; default: unless NODE_ENV is production',
  },
  json: {
    type: 'boolean',
    description: 'print the line of JSON with the addresses at a terminal, too',
  },
  workers: {
    type: 'string',
    description: 'number of processes on these ports; auto takes one for each processor',
  },
} as const

export interface Prepared {
  readonly config: Config
  readonly settings: Settings
  readonly port: number
  readonly host: string
  readonly stopDelayMs: number
  readonly workers: number
  /** Absolute; undefined for the embedded demo. */
  readonly path: string | undefined
  readonly demo: Demo | undefined
  /** Started with `--interactive`: by a person who sets it up in the administrator's pages. */
  readonly isInteractive: boolean
  /** The configuration as it was read. */
  readonly file: ServerConfig
  /** The files that it consists of; those that are read later are added. */
  readonly files: Set<string>
  /** Reads the file as it is now. @throws {GatewayError} `invalidConfiguration`. */
  readonly loadAgain: () => Promise<ConfigFile>
  /** Whether changes of the files are applied at once; undefined where the arguments do not say. */
  readonly watches: boolean | undefined
  /** The line of JSON is printed at a terminal, too. */
  readonly isJson: boolean
}

/**
 * @param onDemo called before the demo is made.
 * @throws {GatewayError} `invalidConfiguration`.
 */
export async function prepare(
  rawArgs: readonly string[],
  onDemo: () => void = () => undefined,
): Promise<Prepared> {
  const options = readOptions(rawArgs, startArguments, 0)
  const isInteractive = options.flag('interactive')
  const path = await configPath(options)
  if (path === undefined && (options.text('workers') ?? '1') !== '1') {
    throw wrongArgument('--workers: the demo is served by one process; name a configuration file')
  }
  if (path === undefined) onDemo()
  const demo = path === undefined ? await demoIn(process.cwd()) : undefined
  const files = new Set<string>()
  const load = async (isAgain: boolean): Promise<ConfigFile> => {
    const read = demo?.config ?? (await loadConfig(path ?? '', process.env, isAgain, files))
    if (isInteractive) requireInteractive(read, path ?? '')
    return withArguments(read, options)
  }
  const file = parseServerConfig(await load(false), process.env)
  const { config, port, host, stopDelayMs, workers } = file
  const givenPort = options.text('port')
  return {
    config,
    settings: parseConfig(config),
    port: givenPort === undefined ? port : parsePort('--port', givenPort),
    host: options.text('host') ?? host,
    stopDelayMs,
    workers,
    path,
    demo,
    isInteractive,
    file,
    files,
    loadAgain: () => load(true),
    watches: options.choice('watch'),
    isJson: options.flag('json'),
  }
}

/** Its database is SQLite, whose driver other configurations may not need. */
async function demoIn(directory: string): Promise<Demo> {
  const { prepareDemo } = await import('../demo/demo.ts')
  return prepareDemo(directory)
}

/** @returns undefined for the embedded demo. @throws {GatewayError} `invalidConfiguration`. */
async function configPath(options: Options): Promise<string | undefined> {
  const given = options.text('config')
  if (options.flag('interactive')) {
    if (options.flag('demo')) throw wrongArgument('--demo and --interactive: one of the two')
    if (given !== undefined) throw wrongArgument('--interactive and --config: one of the two')
    return interactiveConfiguration(process.cwd(), process.env)
  }
  if (options.flag('demo')) {
    if (given !== undefined) throw wrongArgument('--demo and --config: one of the two')
    return undefined
  }
  const path = findConfig(given, process.env, process.cwd())
  requireConfig(path, process.env)
  return path
}

function withArguments(file: ConfigFile, options: Options): ConfigFile {
  const workers = options.text('workers')
  const wirePort = options.text('pg-wire-port')
  const counted =
    workers === undefined ? file : { ...file, workers: workers as ConfigFile['workers'] & {} }
  if (wirePort === undefined) return counted
  const port = parsePort('--pg-wire-port', wirePort)
  const { pgWire } = file
  if (pgWire === undefined || pgWire === false) {
    throw wrongArgument('--pg-wire-port: pgWire is not configured')
  }
  return { ...counted, pgWire: pgWire === true ? { port } : { ...pgWire, port } }
}

function parsePort(option: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : undefined
  if (isPort(port)) return port
  throw wrongArgument(`${option} ${text}: expects 0 to 65535`)
}
