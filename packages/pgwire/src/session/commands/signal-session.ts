/** @module pg_cancel_backend and pg_terminate_backend. */
import { cancelled } from '@engine/core/server'
import { askCatalog } from '../execute/run-catalog.ts'
import type { Prepared } from '../parts/prepared.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import type { BoundParameters } from '../results/bound-parameters.ts'
import type { Completion } from '../results/completion.ts'
import { encodedShape } from '../results/result-shape.ts'
import type { RowSink } from '../results/row-sink.ts'
import { signalFields } from '../results/signal-fields.ts'
import type { SessionCommand } from '../statements/client-statement.ts'

/**
 * Stops the statement of a session, or ends the session: one of the same caller, any for the master key. For all others the answer
 * is that of a process id that does not exist.
 */
export async function signalSession(
  parts: SessionParts,
  { signal, column }: Extract<SessionCommand, { readonly kind: 'signal' }>,
  query: Prepared | undefined,
  bound: BoundParameters,
  sink: RowSink,
): Promise<Completion> {
  const { lookups, running } = parts
  const pid = query?.kind === 'catalog' ? await pidOf(parts, query, bound) : null
  const isSent = pid !== null && (await parts.sendSignal(pid, signal))
  if (pid !== null && !isSent) {
    parts.warn('01000', `PID ${pid} is not a PostgreSQL server process`)
  }
  // The session may have stopped itself.
  if (running.signal().aborted) throw cancelled()
  sink.begin(encodedShape(signalFields(column), [], lookups.builtinTypes, lookups.values))
  sink.row([pid === null ? null : isSent ? 't' : 'f'])
  return { verb: 'SELECT', count: 1 }
}

/** The catalog computes it: it may be a literal, a parameter, or `pg_backend_pid()`. */
async function pidOf(
  parts: SessionParts,
  { statement, parameterOids }: Extract<Prepared, { readonly kind: 'catalog' }>,
  bound: BoundParameters,
): Promise<number | null> {
  const answer = await askCatalog(parts, statement.sql, parameterOids, {
    ...bound,
    resultFormats: [0],
  })
  const cell = answer.rows[0]?.[0] ?? null
  return cell === null ? null : Number(new TextDecoder().decode(cell))
}
