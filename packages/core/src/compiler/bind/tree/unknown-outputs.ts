/** @module Bare literals and parameters among the columns of a query. */
import { oids } from '../../sql-types/oids.ts'
import type { OutputColumn, Query } from './bound-query.ts'
import type { Expression } from './expression.ts'

/** The query with a type for every untyped output; nothing else in the query depends on these outputs. */
export function typeUnknownOutputs(
  query: Query,
  typed: (output: Expression, index: number) => Expression,
): Query {
  if (query.kind !== 'select') return query
  if (query.outputs.every(({ type }) => type.oid !== oids.unknown)) return query
  const outputs = query.outputs.map((output, i) =>
    output.type.oid === oids.unknown ? typed(output, i) : output,
  )
  const columns = query.columns.map((column, i) => ({
    ...column,
    type: outputs[i]?.type ?? column.type,
  }))
  return { ...query, outputs, columns }
}

/** An untyped column is text where nothing else gives it a type. */
export function textIfUnknown(column: OutputColumn): OutputColumn {
  if (column.type.oid !== oids.unknown) return column
  return { ...column, type: { oid: oids.text, typmod: -1 } }
}
