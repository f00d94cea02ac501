/** @module Queries in which no row takes long: columns, comparisons, counts and sums. */

import type { TypeSystem } from '@engine/core/catalog'
import type {
  Aggregate,
  Expression,
  FromItem,
  Query,
  SecuredTable,
  SelectQuery,
} from '@engine/core/tree'
import { classOf, type TypeClass } from '../type-class.ts'

/** A join of more tables is not simple. */
const mostTables = 4

/**
 * A SELECT of columns, or of counts and sums of them, in which no expression costs more than a comparison. Its loops need to check
 * only now and then whether they must stop, and it may run on any thread while it turns out to be short.
 */
export function isSimpleQuery(query: Query, types: TypeSystem): query is SelectQuery {
  if (query.kind !== 'select' || query.ctes.length > 0 || query.locking.length > 0) return false
  if (query.distinct !== 'none' || query.from.length !== 1) return false
  const tables = securedTables(query.from)
  if (tables === undefined || tables.length > mostTables) return false
  const expressions = [
    ...query.outputs,
    ...query.orderBy.map((key) => key.expression),
    ...(query.groupBy?.expressions ?? []),
    ...joinConditions(query.from),
    query.where,
    query.having,
    ...tables.flatMap((each) => [each.filter, ...each.pushed, ...each.masks.values()]),
  ]
  return expressions.every((each) => each === undefined || isCheap(each, types))
}

/** The tables of plain joins; undefined where something else is in them. */
export function securedTables(items: readonly FromItem[]): readonly SecuredTable[] | undefined {
  const tables: SecuredTable[] = []
  for (const item of items) {
    if (item.kind === 'securedTable') {
      tables.push(item)
    } else if (item.kind === 'join' && (item.type === 'inner' || item.type === 'left')) {
      const joined = securedTables([item.left, item.right])
      if (joined === undefined) return undefined
      tables.push(...joined)
    } else {
      return undefined
    }
  }
  return tables
}

function joinConditions(items: readonly FromItem[]): readonly Expression[] {
  return items.flatMap((item) =>
    item.kind !== 'join'
      ? []
      : [...(item.on === undefined ? [] : [item.on]), ...joinConditions([item.left, item.right])],
  )
}

function isCheap(expression: Expression, types: TypeSystem): boolean {
  const areCheap = (parts: readonly (Expression | undefined)[]) =>
    parts.every((each) => each === undefined || isCheap(each, types))
  switch (expression.kind) {
    case 'column':
    case 'output':
    case 'constant':
    case 'parameter':
    case 'caller':
    case 'requestTime':
      return true
    case 'operator': {
      const { operator, left, right } = expression
      const isSmall = smallClasses.has(classOf(types, right.type.oid))
      return cheapOperators.has(operator.name) && isSmall && areCheap([left, right])
    }
    case 'cast':
      return isTextOfText(expression, types) && areCheap([expression.operand])
    case 'logical':
      return areCheap(expression.operands)
    case 'not':
    case 'nullTest':
    case 'booleanTest':
      return areCheap([expression.operand])
    case 'inList':
      return (
        smallClasses.has(classOf(types, expression.operand.type.oid)) &&
        areCheap([expression.operand, ...expression.items])
      )
    case 'coalesce':
      return areCheap(expression.args)
    case 'aggregate':
      return isCheapAggregate(expression) && areCheap([...expression.args, expression.filter])
    default:
      return false
  }
}

const cheapOperators: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])

/** Comparing two of them takes about as long as reading them. */
const smallClasses: ReadonlySet<TypeClass> = new Set([
  'bool',
  'int2',
  'int4',
  'int8',
  'float4',
  'float8',
  'numeric',
  'text',
  'bpchar',
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'uuid',
])

function isCheapAggregate({ function: { name }, distinct, orderBy }: Aggregate): boolean {
  return cheapAggregates.has(name) && !distinct && orderBy.length === 0
}

const cheapAggregates: ReadonlySet<string> = new Set(['count', 'sum', 'avg', 'min', 'max'])

/** `varchar` as `text`: the same value. */
export function isTextOfText(expression: Expression, types: TypeSystem): boolean {
  return (
    expression.kind === 'cast' &&
    expression.method === 'binary' &&
    classOf(types, expression.type.oid) === 'text' &&
    classOf(types, expression.operand.type.oid) === 'text'
  )
}
