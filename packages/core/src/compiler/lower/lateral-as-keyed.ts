/**
 * @module A lateral subquery that uses outer columns in `=` comparisons only: it is read once for all outer rows, and each outer
 * row is joined with the rows of its own key. `lateral (select n, count(*) from u where u.t_id = t.id group by n)` becomes `join
 * (select n, count(*), t_id from u group by n, t_id) d on d.t_id = t.id`; a LIMIT becomes a condition on the row number within
 * each key.
 */

import type { Query, RelationId, SelectQuery } from '../bind/tree/bound-query.ts'
import type { ColumnReference, Expression, OperatorCall } from '../bind/tree/expression.ts'
import { relationsIn } from '../bind/tree/from-items.ts'
import { mapExpression } from '../bind/tree/map-query.ts'
import { hasPart } from '../bind/tree/query-level.ts'
import { sameExpression } from '../bind/tree/same-expression.ts'
import { freeRelations, freeRelationsOf } from '../bind/tree/visit-query.ts'
import { noTail, over, shownKeys } from './derived-table.ts'
import {
  allColumns,
  allOf,
  columnOf,
  compare,
  conjuncts,
  derived,
  int8Type,
  type LowerContext,
  numbering,
  unnamed,
} from './expression-builders.ts'
import { replaceAt } from './from-tree.ts'
import type { Lateral } from './lateral-item.ts'
import { limitCall } from './listed-rows.ts'

/** Undefined where the subquery refers to outer columns in any other way. */
export function asKeyed(
  query: SelectQuery,
  { item, place, type, on }: Lateral,
  context: LowerContext,
): SelectQuery | undefined {
  if (item.query.ctes.length > 0) return undefined
  const keyed = keyedRows(item.query)
  if (keyed === undefined || keyed.keys.length === 0 || freeRelations(keyed.query).size > 0) {
    return undefined
  }
  const { rows, demand } = numbered(item.query, keyed, item.id, context)
  const width = item.query.columns.length
  const matches = keyed.keys.map((key, index) =>
    comparison(key, columnOf(item.id, width + index, key.type)),
  )
  const condition = allOf([...matches, demand])
  const parent = place.path.at(-1)
  const table = derived(item.id, rows)
  if (type !== 'left' || parent === undefined) {
    const from = replaceAt(query.from, place, [table])
    return { ...query, from, where: allOf([condition, query.where]) }
  }
  const join = { ...parent.join, right: table, on: allOf([condition, on]) }
  const above = { index: place.index, path: place.path.slice(0, -1) }
  return { ...query, from: replaceAt(query.from, above, [join]) }
}

/** `<own> = <outer>`, with its two sides. */
interface Key {
  readonly equality: OperatorCall
  readonly own: Expression
  readonly outer: Expression
  readonly type: Expression['type']
}

interface KeyedQuery {
  /** Without its tail; the keys are further columns. */
  readonly query: Query
  readonly keys: readonly Key[]
}

function comparison({ equality, own }: Key, column: ColumnReference): Expression {
  return equality.left === own ? { ...equality, left: column } : { ...equality, right: column }
}

function keyedRows(query: Query): KeyedQuery | undefined {
  switch (query.kind) {
    case 'select':
      return keyedSelect(query)
    case 'setOperation': {
      const left = keyedArm(query.left)
      const right = keyedArm(query.right)
      if (left === undefined || right === undefined || !haveSameKeys(left, right)) return undefined
      const columns = [...query.columns, ...left.keys.map(({ type }) => unnamed(type))]
      return {
        query: { ...query, ...noTail, columns, left: left.query, right: right.query },
        keys: left.keys,
      }
    }
    case 'values':
      return undefined
  }
}

function keyedArm(arm: Query): KeyedQuery | undefined {
  const isBare = arm.limit === undefined && arm.offset === undefined && arm.ctes.length === 0
  return isBare ? keyedRows(arm) : undefined
}

function haveSameKeys(left: KeyedQuery, right: KeyedQuery): boolean {
  if (left.keys.length !== right.keys.length) return false
  return left.keys.every((key, index) => {
    const other = right.keys[index]
    if (other === undefined || key.equality.operator !== other.equality.operator) return false
    return sameExpression(key.outer, other.outer) && key.type.oid === other.type.oid
  })
}

function keyedSelect(query: SelectQuery): KeyedQuery | undefined {
  const own = relationsIn(query.from)
  const { groupBy, isAggregated, distinct, locking } = query
  if (locking.length > 0 || (distinct !== 'none' && distinct !== 'all')) return undefined
  if (isAggregated && (groupBy === undefined || groupBy.sets.length !== 1)) return undefined
  const parts = conjuncts(query.where).map((condition) => ({
    condition,
    key: keyOf(condition, own),
  }))
  const keys = parts.flatMap(({ key }) => key ?? [])
  const values = keys.map((key) => key.own)
  const where = allOf(parts.filter(({ key }) => key === undefined).map((part) => part.condition))
  const outputs = [...query.outputs.map((each) => withinKeys(each, values)), ...values]
  const grouped = groupBy && [...(groupBy.sets[0] ?? []).map((index) => groupBy.expressions[index])]
  const expressions = grouped?.flatMap((each) => each ?? [])
  return {
    query: {
      ...query,
      ...noTail,
      outputs,
      columns: [...query.columns, ...values.map(({ type }) => unnamed(type))],
      where,
      groupBy: expressions && {
        expressions: [...expressions, ...values],
        sets: [[...expressions, ...values].map((_, index) => index)],
      },
    },
    keys,
  }
}

function keyOf(condition: Expression, own: ReadonlySet<RelationId>): Key | undefined {
  if (condition.kind !== 'operator' || condition.operator.name !== '=') return undefined
  const { left, right } = condition
  if (left === undefined) return undefined
  const sides = [left, right].map(freeRelationsOf)
  const [inLeft, inRight] = sides.map((each) => each.size > 0 && each.isSubsetOf(own))
  const [outLeft, outRight] = sides.map((each) => each.size > 0 && each.isDisjointFrom(own))
  if (inLeft && outRight) {
    return { equality: condition, own: left, outer: right, type: left.type }
  }
  if (inRight && outLeft) {
    return { equality: condition, own: right, outer: left, type: right.type }
  }
  return undefined
}

/** Window functions are computed over the rows of one key. */
function withinKeys(output: Expression, keys: readonly Expression[]): Expression {
  if (!hasPart(output, ({ kind }) => kind === 'window')) return output
  return mapExpression(output, {
    before: (part) => ('query' in part ? part : undefined),
    expression: (part) =>
      part.kind === 'window' ? { ...part, partitionBy: [...part.partitionBy, ...keys] } : part,
  })
}

/** LIMIT and OFFSET count the rows of each key. */
function numbered(
  { limit, offset, orderBy, columns }: Query,
  { query, keys }: KeyedQuery,
  id: RelationId,
  context: LowerContext,
): { readonly rows: Query; readonly demand: Expression | undefined } {
  if (limit?.count === undefined && offset === undefined) return { rows: query, demand: undefined }
  const inner = context.nextId()
  const shown = shownKeys({ ...query, orderBy }, inner)
  const cells = allColumns(inner, shown.query.columns)
  const partitionBy = cells.slice(columns.length, columns.length + keys.length)
  const number = numbering('row_number', { partitionBy, orderBy: shown.orderBy }, context)
  const rows = over(inner, { ...shown.query, ...noTail }, { outputs: [...cells, number] })
  const place = columnOf(id, cells.length, int8Type)
  const skipped = offset && limitCall(offset, true)
  const count = limit?.count && limitCall(limit.count, false)
  const last = count && skipped ? compare('+', skipped, count, context) : count
  return {
    rows,
    demand: allOf([
      skipped && compare('>', place, skipped, context),
      last && compare('<=', place, last, context),
    ]),
  }
}
