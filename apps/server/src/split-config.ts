import { type Config, GatewayError } from '@engine/core'
import type { ConfigFile } from './load-config.ts'

/** Parts the server's own options from the engine's. */
export function splitConfig(file: ConfigFile): {
  readonly config: Config
  readonly port: number
  readonly host: string
} {
  const { port = 3001, host = '127.0.0.1', ...config } = file
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new GatewayError('invalidConfiguration', 'port: expects a whole number from 0 to 65535')
  }
  if (typeof host !== 'string' || host === '') {
    throw new GatewayError('invalidConfiguration', 'host: expects an address')
  }
  return { config, port, host }
}
