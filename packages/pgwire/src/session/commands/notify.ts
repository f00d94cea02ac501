/** @module NOTIFY. */
import type { SessionParts } from '../parts/session-parts.ts'
import type { SessionCommand } from '../statements/client-statement.ts'

/** @throws {GatewayError} the errors of `SessionChannels.notify`. */
export async function notify(
  { client, block, running }: SessionParts,
  { channel, payload }: Extract<SessionCommand, { readonly kind: 'notify' }>,
  sql: string,
): Promise<void> {
  block.noteStatement()
  const request = {
    name: channel,
    sql,
    signal: running.signal(),
    correlationId: running.correlationId(),
  }
  await client.channels.notify(request, payload)
}
