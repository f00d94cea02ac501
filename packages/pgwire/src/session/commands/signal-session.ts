/** @module pg_cancel_backend and pg_terminate_backend. */
import { cancelled } from '@engine/core/adapter'
import type { Prepared } from '../parts/prepared.ts'
import type { BoundParameters } from '../results/bound-parameters.ts'
import type { Completion } from '../results/completion.ts'
import { encodedShape } from '../results/result-shape.ts'
import type { RowSink } from '../results/row-sink.ts'
import { signalFields } from '../results/signal-fields.ts'
import type { SessionCommand } from '../statements/client-statement.ts'
import type { CommandParts } from './command-parts.ts'
import { computeRow } from './compute-row.ts'

/**
 * Stops the statement of a session, or ends the session: one of the same caller, any for the master key. For all others the answer
 * is that of a process id that does not exist.
 */
export async function signalSession(
  parts: CommandParts,
  { signal, column }: Extract<SessionCommand, { readonly kind: 'signal' }>,
  query: Prepared | undefined,
  bound: BoundParameters,
  sink: RowSink,
): Promise<Completion> {
  const { lookups, running } = parts
  const [pidText = null] = await computeRow(parts, query, bound)
  const pid = pidText === null ? null : Number(pidText)
  const isSent = pid !== null && (await parts.sendSignal(pid, signal))
  if (pid !== null && !isSent) {
    parts.warn('01000', `PID ${pid} is not a PostgreSQL server process`)
  }
  // The session may have stopped itself.
  if (running.signal().aborted) throw cancelled()
  sink.begin(
    encodedShape(
      signalFields(column),
      [],
      () => lookups.builtinTypes(),
      () => lookups.values(),
    ),
  )
  sink.row([pid === null ? null : isSent ? 't' : 'f'])
  return { verb: 'SELECT', count: 1 }
}
