import type { Config } from '@engine/core'
import { GatewayError } from '@engine/core'
import { type Fault, invalidConfiguration, parseConfig, suggestion } from '@engine/core/server'
import { unsharedDatabases } from '../workers/unshared.ts'
import { workerCount } from '../workers/worker-count.ts'
import type { ConfigFile } from './define-config.ts'

/** Address to listen on, and the engine's own part of a configuration file. */
export interface ServerConfig {
  readonly config: Config
  readonly port: number
  readonly host: string
  /** After SIGTERM, requests are still accepted for this number of milliseconds, while `/health/ready` returns 503. */
  readonly stopDelayMs: number
  /** The number of processes. */
  readonly workers: number
}

/** Options of a configuration file besides the engine's options. */
export const ownOptions: readonly string[] = ['port', 'host', 'stopDelay', 'workers']

/**
 * Checks a whole configuration file and separates the server's own options from the engine's.
 *
 * @param environment its `PORT`, which hosts set, goes before the port of the file.
 * @throws {GatewayError} `invalidConfiguration` that names every error, in both parts.
 */
export function parseServerConfig(
  file: ConfigFile,
  environment: Readonly<Record<string, string | undefined>> = {},
): ServerConfig {
  const { port: portOfFile = 3001, host = '127.0.0.1', stopDelay = 0, ...rest } = file
  const { workers: givenWorkers = 1, ...config } = rest
  const { PORT: portOfHost } = environment
  const isOfHost = portOfHost !== undefined && portOfHost !== ''
  const port = fromVariable(isOfHost ? portOfHost : portOfFile)
  const faults: Fault[] = []
  if (!isPort(port)) {
    const path = isOfHost ? 'the environment variable PORT' : 'port'
    faults.push({ path, message: 'expects a whole number, 0 to 65535' })
  }
  if (typeof host !== 'string' || host === '') {
    faults.push({ path: 'host', message: 'expects an address' })
  }
  if (!isStopDelay(stopDelay)) {
    faults.push({ path: 'stopDelay', message: 'expects whole milliseconds, 0 to 60000' })
  }
  const workers = workerCount(givenWorkers)
  if (workers === undefined) {
    faults.push({ path: 'workers', message: 'expects auto, or a whole number from 1 to 256' })
  }
  faults.push(...faultsOf(config))
  if (faults.length === 0 && workers !== 1) faults.push(...unsharedDatabases(config))
  if (faults.length > 0 || workers === undefined) throw invalidConfiguration(faults)
  return { config, port, host, stopDelayMs: stopDelay, workers }
}

/** In JSON a variable is always a text: `"port": "${PORT}"`. */
function fromVariable(port: number | string): number {
  if (typeof port !== 'string') return port
  return /^\d{1,5}$/.test(port) ? Number(port) : Number.NaN
}

/** 0 uses a free port. */
export function isPort(port: unknown): port is number {
  return typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535
}

function isStopDelay(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 60_000
}

function faultsOf(config: unknown): readonly Fault[] {
  try {
    parseConfig(config)
    return []
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const faults = error.details?.['faults'] as readonly Fault[]
    return faults.map(({ path, message }) => ({
      path,
      message: message === 'unknown key' ? `${message}${suggestion(path, ownOptions)}` : message,
    }))
  }
}
