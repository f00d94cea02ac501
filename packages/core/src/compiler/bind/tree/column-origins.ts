/** @module Which columns of a result are unchanged columns of a table. */
import type { Table } from '../../catalog/catalog.ts'
import type { CommonTable, CteId, FromItem, Query, RelationId, Write } from './bound-query.ts'
import type { Expression } from './expression.ts'
import { isWrite } from './map-query.ts'

export interface TableColumn {
  readonly table: Table
  /** Ordinal. */
  readonly column: number
}

/** By result column, as PostgreSQL reports them in a row description; undefined for everything computed. */
export function columnOrigins(body: Query | Write): readonly (TableColumn | undefined)[] {
  return originsOf(body, { ctes: new Map(), from: [] })
}

/** The relations and WITH queries that a level can refer to besides its own FROM. */
interface Outer {
  readonly ctes: ReadonlyMap<CteId, CommonTable>
  readonly from: readonly FromItem[]
}

function originsOf(body: Query | Write, outer: Outer): readonly (TableColumn | undefined)[] {
  const ctes = new Map([...outer.ctes, ...body.ctes.map((cte) => [cte.id, cte] as const)])
  if (isWrite(body)) {
    const { target, returning } = body
    const others = body.kind === 'update' ? body.from : body.kind === 'delete' ? body.using : []
    const isOwn = (id: RelationId) => id === target.oldRow || id === target.newRow
    return (returning?.outputs ?? []).map((output) => {
      if (output.kind !== 'column') return undefined
      return isOwn(output.relation)
        ? { table: target.table, column: output.column }
        : originOf(output, { ctes, from: others })
    })
  }
  if (body.kind === 'select') {
    const scope = { ctes, from: [...body.from, ...outer.from] }
    return body.outputs.map((output) => originOf(output, scope))
  }
  return body.columns.map(() => undefined)
}

function originOf(expression: Expression, scope: Outer): TableColumn | undefined {
  if (expression.kind !== 'column') return undefined
  const { relation, column } = expression
  for (const item of scope.from) {
    const found = originIn(item, relation, column, scope)
    if (found !== undefined) return found
  }
  return undefined
}

function originIn(
  item: FromItem,
  relation: RelationId,
  column: number,
  scope: Outer,
): TableColumn | undefined {
  if (item.kind === 'join') {
    return (
      originIn(item.left, relation, column, scope) ?? originIn(item.right, relation, column, scope)
    )
  }
  if (item.id !== relation) return undefined
  switch (item.kind) {
    case 'table':
      return { table: item.table, column }
    case 'subquery':
      return originsOf(item.query, item.lateral ? scope : { ...scope, from: [] })[column]
    case 'cte': {
      const cte = scope.ctes.get(item.cte)
      // A recursive query would never end here.
      if (cte === undefined || cte.isRecursive) return undefined
      return originsOf(cte.query, { ...scope, from: [] })[column]
    }
    default:
      return undefined
  }
}
