import type { Duplex } from 'node:stream'
import { GatewayError } from '@engine/core/adapter'

/**
 * Makes `read` get all bytes that arrive on the socket of a connected and idle node-postgres client, instead of its own
 * listener.
 *
 * @returns node-postgres' own listener, for whole messages that do not belong to our exchanges.
 */
export function replaceSocketReader(
  stream: Duplex,
  read: (chunk: Buffer) => void,
): (messages: Buffer) => void {
  const [byPg, another] = stream.listeners('data')
  if (byPg === undefined || another !== undefined) {
    throw new GatewayError('internal', 'node-postgres does not listen as it used to')
  }
  stream.on('data', read)
  stream.off('data', byPg as (chunk: Buffer) => void)
  return (messages) => void byPg.call(stream, messages)
}
