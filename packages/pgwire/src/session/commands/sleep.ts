/** @module pg_sleep() and its relatives. */
import { sleepSeconds } from '@engine/core/session'
import { fieldsOf } from '../execute/prepare-statement.ts'
import type { Prepared } from '../parts/prepared.ts'
import type { BoundParameters } from '../results/bound-parameters.ts'
import type { Completion } from '../results/completion.ts'
import { encodedShape } from '../results/result-shape.ts'
import type { RowSink } from '../results/row-sink.ts'
import { sleepFields } from '../results/sleep-fields.ts'
import type { SessionCommand } from '../statements/client-statement.ts'
import type { CommandParts } from './command-parts.ts'
import { computeRow } from './compute-row.ts'

type SleepCommand = Extract<SessionCommand, { readonly kind: 'sleep' }>

/** Waits for the sum of its calls. The session keeps no connection to a database busy meanwhile, except for an open transaction's. */
export async function sleepByCall(
  parts: CommandParts,
  { sleeps }: SleepCommand,
  {
    query,
    bound,
    sql,
  }: {
    readonly query: Prepared
    readonly bound: BoundParameters
    readonly sql: string
  },
  sink: RowSink,
): Promise<Completion> {
  const { client, block, running, lookups, clock } = parts
  block.noteStatement()
  const cells = await computeRow(parts, query, bound)
  const texts = sleeps.map(({ index }) => cells[index] ?? null)
  const nowMs = clock()
  const seconds = sleeps.map(({ name }, i) => {
    const text = texts[i] ?? null
    return text === null ? 0 : sleepSeconds(name, text, nowMs)
  })
  const shown = sleepFields(fieldsOf(parts, query) ?? [], sleeps)
  sink.begin(
    encodedShape(
      shown,
      [],
      () => lookups.builtinTypes(),
      () => lookups.values(),
    ),
  )
  await client.sleep(
    { sql, signal: running.signal(), correlationId: running.correlationId() },
    seconds.reduce((sum, each) => sum + each, 0),
  )
  const slept = new Set(sleeps.map(({ index }) => index))
  sink.row(cells.map((cell, i) => (cell !== null && slept.has(i) ? '' : cell)))
  return { verb: 'SELECT', count: 1 }
}
