/** @module Values that a permission sets instead of the client. */

import { unreachable } from '../../../foundation/unreachable.ts'
import type {
  Assignment,
  DefaultCell,
  InsertWrite,
  Query,
  RelationId,
} from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import type { Presets } from '../permission/permission-set.ts'

/** Leaves out the columns that are DEFAULT in every row: the client does not set them. */
export function withoutDefaults(write: InsertWrite, columns: readonly number[]): InsertWrite {
  const { source } = write
  if (columns.length === write.columns.length) return write
  const kept = write.columns.map((column) => columns.includes(column))
  const parts = write.parts?.filter((_, i) => kept[i])
  if (source.kind === 'repeated') {
    // Each shape has a parameter: some columns are kept.
    const shapes = source.shapes.map((row) => row.filter((_, i) => kept[i]))
    return { ...write, columns, parts, source: { ...source, shapes } }
  }
  if (source.kind !== 'values') return write
  if (columns.length === 0 && source.rows.length === 1) {
    return { ...write, columns: [], source: { kind: 'defaults' } }
  }
  if (columns.length === 0) return write
  const rows = source.rows.map((row) => row.filter((_, i) => kept[i]))
  return { ...write, columns, parts, source: { kind: 'values', rows } }
}

/** An INSERT that stores the presets in addition to the client's values. */
export function withPresets(
  write: InsertWrite,
  presets: Presets,
  nextId: () => number,
): InsertWrite {
  if (presets.size === 0) return write
  const added = [...presets].map(([column, { value }]) => ({
    column,
    value: value.build(write.target.newRow, undefined),
  }))
  const kept = write.columns.flatMap((column, i) => (presets.has(column) ? [] : [{ column, i }]))
  const columns = [...kept.map(({ column }) => column), ...added.map(({ column }) => column)]
  const parts = write.parts && kept.map(({ i }) => write.parts?.[i])
  const values = added.map(({ value }) => value)
  const preset = (row: readonly (Expression | DefaultCell)[]) => [
    ...kept.map(({ i }): Expression | DefaultCell => row[i] ?? { kind: 'default' }),
    ...values,
  ]
  const { source } = write
  switch (source.kind) {
    case 'defaults':
      return { ...write, columns, source: { kind: 'values', rows: [values] } }
    case 'values':
      return { ...write, columns, parts, source: { kind: 'values', rows: source.rows.map(preset) } }
    case 'repeated':
      return { ...write, columns, parts, source: { ...source, shapes: source.shapes.map(preset) } }
    case 'query':
      return { ...write, columns, parts, source: presetQuery(source.query, values, nextId) }
    default:
      return unreachable(source)
  }
}

/** The rows of a query with constant columns appended. */
function presetQuery(
  query: Query,
  values: readonly Expression[],
  nextId: () => number,
): InsertWrite['source'] {
  const id = nextId()
  const own = query.columns.map(
    ({ type }, column): Expression => ({ kind: 'column', relation: id, column, type }),
  )
  return {
    kind: 'query',
    query: {
      kind: 'select',
      ctes: [],
      columns: [...query.columns, ...values.map(({ type }) => ({ name: '?column?', type }))],
      outputs: [...own, ...values],
      distinct: 'none',
      from: [{ kind: 'subquery', id, query, lateral: false }],
      where: undefined,
      groupBy: undefined,
      isAggregated: false,
      having: undefined,
      locking: [],
      orderBy: [],
      limit: undefined,
      offset: undefined,
    },
  }
}

/** The presets of an UPDATE. */
export function presetAssignments(presets: Presets, row: RelationId): readonly Assignment[] {
  return [...presets].map(([column, { value }]) => ({ column, value: value.build(row, undefined) }))
}
