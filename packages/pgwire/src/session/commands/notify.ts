/** @module NOTIFY and pg_notify(). */
import { wireError } from '../../errors/wire-error.ts'
import { askCatalog } from '../execute/run-catalog.ts'
import type { Prepared } from '../parts/prepared.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import type { BoundParameters } from '../results/bound-parameters.ts'
import type { Completion } from '../results/completion.ts'
import { encodedShape } from '../results/result-shape.ts'
import type { RowSink } from '../results/row-sink.ts'
import { notifyFields } from '../results/signal-fields.ts'
import type { SessionCommand } from '../statements/client-statement.ts'

/** @throws {GatewayError} the errors of `SessionChannels.notify`. */
export async function notify(
  { client, block, running }: SessionParts,
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
  await client.channels.notify(request, payload)
}

interface NotifyCall {
  readonly command: Extract<SessionCommand, { readonly kind: 'notifyCall' }>
  readonly query: Prepared | undefined
  readonly bound: BoundParameters
  readonly sql: string
}

/** A payload that is NULL is empty. */
export async function notifyByCall(
  parts: SessionParts,
  { command, query, bound, sql }: NotifyCall,
  sink: RowSink,
): Promise<Completion> {
  const [channel, payload] = await argumentsOf(parts, query, bound)
  if (!channel) throw wireError('22023', 'channel name cannot be empty')
  await notify(parts, { channel, payload: payload ?? '' }, sql)
  const { lookups } = parts
  const fields = notifyFields(command.column)
  sink.begin(encodedShape(fields, [], lookups.builtinTypes, lookups.values))
  sink.row([''])
  return { verb: 'SELECT', count: 1 }
}

async function argumentsOf(
  parts: SessionParts,
  query: Prepared | undefined,
  bound: BoundParameters,
): Promise<readonly (string | null)[]> {
  if (query?.kind !== 'catalog') return []
  const { statement, parameterOids } = query
  const answer = await askCatalog(parts, statement.sql, parameterOids, {
    ...bound,
    resultFormats: [0],
  })
  const cells = answer.rows[0] ?? []
  return cells.map((cell) => (cell === null ? null : new TextDecoder().decode(cell)))
}
