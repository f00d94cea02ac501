/** @module ORDER BY and DISTINCT of one SELECT: both may refer to its result columns. */
import type { Node, SelectStmt } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { resolveUnknown } from '../coercion/coerce.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { bindSortKeys, requireEquality } from '../expressions/sort-keys.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { positionOf } from '../scope/syntax-node.ts'
import type { OutputColumn, SelectQuery, SortKey } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { type KeyClause, outputKey } from '../tree/output-key.ts'
import { sameValue } from '../tree/same-value.ts'
import { isTableName, numberOfTable } from '../tree/table-name.ts'
import type { SelectList } from './select-list.ts'

/** The context of the three parts. The items of the list are already bound. */
export interface SortPlace {
  /** Its items, by name. */
  readonly columns: readonly OutputColumn[]
  readonly list: SelectList
  readonly listEnvironment: ExpressionEnvironment
  readonly orderEnvironment: ExpressionEnvironment
  readonly distinctEnvironment: ExpressionEnvironment
}

export interface SortAndDistinct {
  readonly orderBy: readonly SortKey[]
  readonly distinct: SelectQuery['distinct']
  /** All have a type when DISTINCT compares them. */
  readonly outputs: readonly Expression[]
}

export function bindSortAndDistinct(select: SelectStmt, place: SortPlace): SortAndDistinct {
  const isPlain = (select.distinctClause ?? select.groupClause ?? []).length === 0
  const orderBy = bindSortKeys(select.sortClause, place.orderEnvironment, (node) =>
    byNumber(bindKey(node, 'ORDER BY', place.orderEnvironment, place), isPlain, place),
  )
  const nodes = select.distinctClause ?? []
  if (nodes.length === 0) return { orderBy, distinct: 'none', outputs: boundOutputs(place) }
  const keys = nodes.filter((node) => Object.keys(node).length > 0)
  return keys.length === 0 ? distinctRows(orderBy, place) : distinctOn(keys, orderBy, place)
}

/** A key is a result column by position, by name or because it is the same expression; else it is an expression of its own. */
function bindKey(
  node: Node,
  clause: KeyClause,
  environment: ExpressionEnvironment,
  { columns, list, listEnvironment }: SortPlace,
): Expression {
  const item = (index: number) => list.expression(index, listEnvironment)
  const named = outputKey(node, columns, clause, (left, right) =>
    sameValue(item(left), item(right)),
  )
  if (named !== undefined) {
    return { ...named, type: list.resolve(named.index, listEnvironment).type }
  }
  const expression = resolveUnknown(bindExpression(node, environment), environment)
  const index = columns.findIndex((_, i) => sameValue(item(i), expression))
  if (index < 0) return expression
  const { type, position } = expression
  return { kind: 'output', index, type, ...(position !== undefined && { position }) }
}

/** PostgreSQL sorts the names of tables by their numbers. */
function byNumber(
  key: Expression,
  isPlain: boolean,
  { list, listEnvironment }: SortPlace,
): Expression {
  const expression = key.kind === 'output' ? list.expression(key.index, listEnvironment) : key
  if (!isTableName(expression)) return key
  const number = isPlain ? numberOfTable(expression) : undefined
  if (number === undefined) throw unsupported('sorting by regclass here', expression.position)
  return number
}

function boundOutputs({ list, listEnvironment }: SortPlace): readonly Expression[] {
  return Array.from({ length: list.length }, (_, i) => list.expression(i, listEnvironment))
}

function distinctRows(orderBy: readonly SortKey[], place: SortPlace): SortAndDistinct {
  const { list, listEnvironment } = place
  const outputs = boundOutputs(place).map((_, i) => list.resolve(i, listEnvironment))
  for (const output of outputs) requireEquality(output, listEnvironment)
  const stranger = orderBy.find(({ expression }) => expression.kind !== 'output')
  if (stranger !== undefined) {
    throw bindError('for SELECT DISTINCT, ORDER BY expressions must appear in select list', {
      sqlState: '42P10',
      position: stranger.expression.position,
    })
  }
  return { orderBy, distinct: 'all', outputs }
}

function distinctOn(
  nodes: readonly Node[],
  orderBy: readonly SortKey[],
  place: SortPlace,
): SortAndDistinct {
  const keys = nodes.map((node) => {
    const key = bindKey(node, 'DISTINCT ON', place.distinctEnvironment, place)
    requireEquality(key, place.distinctEnvironment)
    return { key, position: positionOf(node) }
  })
  const isKey = (sortKey: SortKey) => keys.some(({ key }) => sameValue(key, sortKey.expression))
  const isSorted = ({ key }: { readonly key: Expression }) =>
    orderBy.some(({ expression }) => sameValue(key, expression))
  const firstOther = orderBy.findIndex((sortKey) => !isKey(sortKey))
  const isInterrupted = firstOther >= 0 && orderBy.slice(firstOther).some(isKey)
  const missing = firstOther >= 0 ? keys.find((key) => !isSorted(key)) : undefined
  if (isInterrupted || missing !== undefined) {
    throw bindError('SELECT DISTINCT ON expressions must match initial ORDER BY expressions', {
      sqlState: '42P10',
      position: missing?.position ?? keys[0]?.position,
    })
  }
  const outputs = boundOutputs(place)
  const on = keys.map(({ key }) => (key.kind === 'output' ? (outputs[key.index] ?? key) : key))
  return { orderBy, distinct: { on }, outputs }
}
