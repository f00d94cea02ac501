/** @module The source of MERGE. A WITH query computes its rows once; each part of the MERGE reads that query. */
import type { Node } from '@pgsql/types'
import { bindFrom } from '../from/bind-from.ts'
import { checkFullJoins } from '../from/check-full-join.ts'
import type { BoundItem } from '../scope/from-item.ts'
import type { RangeTableEntry } from '../scope/range-table-entry.ts'
import type { Scope } from '../scope/scope.ts'
import { selectFrom } from '../scope/select-over.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import type { CommonTable, FromItem, Query, SelectQuery } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'

/** Rows of the source: all of them, or those without a match. */
export interface MergeSource {
  readonly rows: CommonTable
  /** The names that the client gave the source. */
  readonly entries: readonly RangeTableEntry[]
  /** Has it never more than one row? */
  readonly isOneRow: boolean
}

export function bindMergeSource(node: Node, outer: Scope, context: StatementContext): MergeSource {
  const { items, sources } = bindFrom([node], { context, outer })
  checkFullJoins(items, undefined)
  const [item] = items
  const columns = sources.flatMap((entry) => entry.columns)
  const named = columns.map(({ name, expression }) => ({ name, type: expression.type }))
  const outputs = columns.map(({ expression }) => expression)
  const query: SelectQuery = {
    ...selectFrom(item as FromItem, { outputs, columns: named }),
    from: items,
  }
  return {
    rows: storedRows(query, context),
    entries: sources,
    isOneRow: item?.kind === 'subquery' && hasOneRow(item.query),
  }
}

/** A WITH query that is computed once. */
export function storedRows(query: Query, context: StatementContext): CommonTable {
  const { columns } = query
  return { id: context.nextId(), columns, query, isRecursive: false, materialized: true }
}

/** The rows in one place of the statement, under the names of the source. */
export function readSource(
  { rows, entries }: MergeSource,
  context: StatementContext,
): BoundItem & { readonly cells: readonly Expression[] } {
  const id = context.nextId()
  const cells = rows.columns.map(
    ({ type }, column): Expression => ({ kind: 'column', relation: id, column, type }),
  )
  let next = 0
  const sources = entries.map((entry): RangeTableEntry => {
    const columns = entry.columns.map(({ name, expression }) => {
      const cell = cells[next]
      next += 1
      return { name, expression: cell ?? expression }
    })
    // A row of one side of a join may be missing: its cells are NULL, but that does not show it.
    return { ...entry, columns, relation: entries.length === 1 ? id : undefined }
  })
  return { item: { kind: 'cte', id, cte: rows.id, columns: rows.columns }, sources, cells }
}

function hasOneRow(query: Query): boolean {
  if (query.kind === 'values') return query.rows.length === 1
  return query.kind === 'select' && query.from.length === 0 && query.outputs.every(isPlain)
}

/** Is it a constant or parameter, converted perhaps? A function may return a set. */
function isPlain(output: Expression): boolean {
  if (output.kind === 'cast') return isPlain(output.operand)
  return output.kind === 'constant' || output.kind === 'parameter'
}
