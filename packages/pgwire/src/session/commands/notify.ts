/** @module NOTIFY and pg_notify(). */
import { wireError } from '../../errors/wire-error.ts'
import type { Prepared } from '../parts/prepared.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import type { BoundParameters } from '../results/bound-parameters.ts'
import type { Completion } from '../results/completion.ts'
import { encodedShape } from '../results/result-shape.ts'
import type { RowSink } from '../results/row-sink.ts'
import { notifyFields } from '../results/signal-fields.ts'
import type { SessionCommand } from '../statements/client-statement.ts'
import type { CommandParts } from './command-parts.ts'
import { computeRow } from './compute-row.ts'

/** @throws {GatewayError} the errors of `SessionChannels.notify`. */
export async function notify(
  { client, block, running, listens }: SessionParts,
  {
    channel,
    payload,
  }: Pick<Extract<SessionCommand, { readonly kind: 'notify' }>, 'channel' | 'payload'>,
  sql: string,
): Promise<void> {
  block.noteStatement()
  const request = {
    name: channel,
    sql,
    signal: running.signal(),
    correlationId: running.correlationId(),
  }
  const sender = await client.channels.notify(request, payload)
  await listens.sent(channel, payload, sender)
}

interface NotifyCall {
  readonly command: Extract<SessionCommand, { readonly kind: 'notifyCall' }>
  readonly query: Prepared | undefined
  readonly bound: BoundParameters
  readonly sql: string
}

/** A payload that is NULL is empty. */
export async function notifyByCall(
  parts: CommandParts,
  { command, query, bound, sql }: NotifyCall,
  sink: RowSink,
): Promise<Completion> {
  const [channel, payload] = await computeRow(parts, query, bound)
  if (!channel) throw wireError('22023', 'channel name cannot be empty')
  await notify(parts, { channel, payload: payload ?? '' }, sql)
  const { lookups } = parts
  const fields = notifyFields(command.column)
  sink.begin(
    encodedShape(
      fields,
      [],
      () => lookups.builtinTypes(),
      () => lookups.values(),
    ),
  )
  sink.row([''])
  return { verb: 'SELECT', count: 1 }
}
