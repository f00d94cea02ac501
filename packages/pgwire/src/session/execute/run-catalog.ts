/** @module Runs statements that the system catalog answers. */
import type { TypeSystem } from '@engine/core/catalog'
import { tooManyRows } from '@engine/core/session'
import type { CatalogAnswer } from '../../catalog/wire-catalog.ts'
import { showsTables } from '../../syntax/shows-tables.ts'
import type { ValueSettings } from '../../values/cell-format.ts'
import { createParameterDecoder } from '../../values/create-parameter-decoder.ts'
import { formOfType } from '../../values/form-of-type.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import type { BoundParameters } from '../results/bound-parameters.ts'
import { type Completion, parseTag } from '../results/completion.ts'
import { encodedShape, formatAt } from '../results/result-shape.ts'
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
  const { client, catalog, limits, running, lookups } = parts
  if (showsTables(sql)) await client.refresh()
  return catalog.run(
    {
      sql,
      parameterOids,
      ...inUtf8(bound, parameterOids, lookups.values(), lookups.builtinTypes),
      maxRows: limits.maxCatalogRows,
      timeoutMs: catalogTimeoutMs(limits, running),
      signal: running.signal(),
    },
    catalogScopeOf(parts, sql),
  )
}

/** The catalog reads values in UTF-8. @throws {GatewayError} 22021, 22P05, and 22P03 for what is no value of its type */
function inUtf8(
  bound: BoundParameters,
  oids: readonly number[],
  settings: ValueSettings,
  types: () => TypeSystem,
): BoundParameters {
  const { encoding } = settings
  if (encoding === undefined || bound.parameters.length === 0) return bound
  const parameters = bound.parameters.map((bytes, i) => {
    if (bytes === null) return null
    if (formatAt(bound.parameterFormats, i) === 0) return Buffer.from(encoding.decode(bytes))
    const typeOid = oids[i] ?? 0
    const decode = createParameterDecoder({ number: i + 1, typeOid }, 1, types(), settings)
    const text = decode(bytes)
    return Buffer.from(formOfType(types(), typeOid).toBinary?.(text) ?? bytes)
  })
  return { ...bound, parameters }
}
