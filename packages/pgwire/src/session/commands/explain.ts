/** @module EXPLAIN: how the database would run a statement, or with ANALYZE has run it. */

import type { GatewayError } from '@engine/core'
import { wireError } from '../../errors/wire-error.ts'
import { currentRowOf } from '../cursors/current-row.ts'
import { computedNow } from '../execute/request-of.ts'
import { runCatalog } from '../execute/run-catalog.ts'
import { refuseWrite } from '../execute/run-query.ts'
import type { Prepared } from '../parts/prepared.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import type { BoundParameters } from '../results/bound-parameters.ts'
import { type Completion, plainCompletion } from '../results/completion.ts'
import { explainShape } from '../results/explain-shape.ts'
import type { RowSink } from '../results/row-sink.ts'
import type { SessionCommand } from '../statements/client-statement.ts'

/** @throws {GatewayError} 0A000 where there is no plan, or none for this caller, and errors of the statement. */
export async function explain(
  parts: SessionParts,
  { options }: Extract<SessionCommand, { readonly kind: 'explain' }>,
  query: Prepared | undefined,
  bound: BoundParameters,
  sink: RowSink,
): Promise<Completion> {
  if (query?.kind === 'catalog') {
    const { format, isVerbose, hasCosts, isAnalyzed } = options
    if (isAnalyzed === true) throw needsTables('EXPLAIN ANALYZE')
    const keyword = `explain (verbose ${isVerbose}, costs ${hasCosts}, format ${format})`
    const sql = `${keyword} ${query.statement.sql}`
    const statement = { ...query.statement, sql, kind: 'catalog' } as const
    return runCatalog(parts, statement, query.parameterOids, bound, sink)
  }
  if (query?.kind !== 'query') throw needsTables('EXPLAIN')
  const { block, client, lookups, running } = parts
  if (options.isAnalyzed === true) {
    if (block.isReadOnly()) refuseWrite(query.description)
    block.noteStatement()
  }
  const lines = await client.explain(
    computedNow(query.request, lookups.facts()),
    {
      params: query.readParameters(bound, lookups.values()),
      signal: running.signal(),
      correlationId: running.correlationId(),
      currentRow: currentRowOf(parts.portals),
    },
    options,
  )
  sink.begin(explainShape(options.format))
  for (const line of lines) sink.row([line])
  return plainCompletion('EXPLAIN')
}

function needsTables(what: string): GatewayError {
  const message = `${what} needs a statement on the tables of a connection`
  return wireError('0A000', message, 'unsupported')
}
