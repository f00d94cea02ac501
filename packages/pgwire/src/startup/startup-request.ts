/** @module Reads a startup packet: user, database and settings. */
import { GatewayError } from '@engine/core'
import type { Channel, Opening } from './negotiate.ts'
import { negotiateProtocolVersion } from './startup-messages.ts'
import { newestProtocol, type ProtocolVersion } from './startup-packet.ts'
import { startupSettings } from './startup-settings.ts'

export interface StartupRequest {
  /** The protocol version in use from now on. */
  readonly protocol: ProtocolVersion
  readonly user: string
  /** Any name is accepted: BI tools send arbitrary ones. */
  readonly database: string
  /** All other parameters, including `options`. */
  readonly settings: ReadonlyMap<string, string>
}

/**
 * Sends the client the protocol version in use, where it differs from the requested one.
 *
 * @throws {GatewayError} 28000 without a user, 0A000 for replication, 42601 for invalid `options`.
 */
export function readRequest(
  { stream }: Channel,
  packet: Extract<Opening['packet'], { readonly kind: 'startup' }>,
): StartupRequest {
  const { protocol: asked, parameters, extensions } = packet
  const protocol = Math.min(asked, newestProtocol)
  if (protocol !== asked || extensions.length > 0) {
    stream.write(negotiateProtocolVersion(protocol, extensions))
  }
  if (!/^(?:|f|fa|fal|fals|false|n|no|of|off|0)$/i.test(parameters.get('replication') ?? '')) {
    throw new GatewayError('unsupported', 'replication connections are not supported', {
      sqlState: '0A000',
    })
  }
  const user = parameters.get('user') ?? ''
  if (user === '') {
    throw new GatewayError('unauthorized', noUser, { sqlState: '28000', publicMessage: noUser })
  }
  const database = parameters.get('database') || user
  return { protocol, user, database, settings: startupSettings(parameters) }
}

const noUser = 'no PostgreSQL user name specified in startup packet'
