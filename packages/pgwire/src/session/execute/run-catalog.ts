/** @module Runs statements that the system catalog answers. */
import { tooManyRows } from '@engine/core/server'
import type { CatalogAnswer } from '../../catalog/wire-catalog.ts'
import { showsTables } from '../../syntax/shows-tables.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import type { BoundParameters } from '../results/bound-parameters.ts'
import { type Completion, parseTag } from '../results/completion.ts'
import { encodedShape } from '../results/result-shape.ts'
import type { RowSink } from '../results/row-sink.ts'
import type { ClientStatement } from '../statements/client-statement.ts'
import { applyAssignments } from './apply-assignments.ts'
import { catalogTimeoutMs } from './catalog-timeout.ts'
import { catalogScopeOf } from './named-objects.ts'
import { warnTruncated } from './run-query.ts'

/** Number of rows that are written between two checks of back-pressure. */
const rowsAtOnce = 100

/** Runs a query on the catalog, and sends its result. */
export async function runCatalog(
  parts: SessionParts,
  statement: ClientStatement,
  parameterOids: readonly number[],
  bound: BoundParameters,
  sink: RowSink,
): Promise<Completion> {
  parts.block.noteStatement()
  const answer = await askCatalog(parts, statement.sql, parameterOids, bound)
  if (statement.kind === 'catalog' && statement.assignments !== undefined) {
    applyAssignments(parts, statement.assignments, bound)
  }
  const { lookups } = parts
  sink.begin(
    encodedShape(
      answer.fields,
      bound.resultFormats,
      () => lookups.builtinTypes(),
      () => lookups.values(),
    ),
  )
  for (const [i, row] of answer.rows.entries()) {
    sink.row(row)
    if (i % rowsAtOnce === rowsAtOnce - 1) await sink.hold()
  }
  if (answer.truncated) {
    const { length } = answer.rows
    if (sink.isWhole === true || parts.limits.overflow === 'error') throw tooManyRows(length, false)
    warnTruncated(parts, length)
  }
  return parseTag(answer.tag)
}

/** Queries the catalog within the limits of the session. */
export async function askCatalog(
  parts: SessionParts,
  sql: string,
  parameterOids: readonly number[],
  bound: BoundParameters,
): Promise<CatalogAnswer> {
  const { client, catalog, limits, running } = parts
  if (showsTables(sql)) await client.refresh()
  return catalog.run(
    {
      sql,
      parameterOids,
      ...bound,
      maxRows: limits.maxCatalogRows,
      timeoutMs: catalogTimeoutMs(limits, running),
      signal: running.signal(),
    },
    catalogScopeOf(parts, sql),
  )
}
