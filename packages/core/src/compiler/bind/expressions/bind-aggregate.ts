/** @module Aggregate calls without OVER. */
import type { FuncCall } from '@pgsql/types'
import type { GatewayError } from '../../../foundation/errors.ts'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { coerceAll, commonTypeOf } from '../coercion/common-type.ts'
import { levelOf, liftTo } from '../scope/aggregate-level.ts'
import { bindAndCountCalls, type CallCounts } from '../scope/call-counts.ts'
import { requireAggregates } from '../scope/clause-rules.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { BindNode } from '../scope/syntax-node.ts'
import type { SortKey } from '../tree/bound-query.ts'
import type { Aggregate, Expression } from '../tree/expression.ts'
import { sameExpression } from '../tree/same-expression.ts'
import { freeRelationsOf } from '../tree/visit-query.ts'
import { bindFilter } from './bind-filter.ts'
import { type FoundFunction, resultType } from './call-arguments.ts'
import { bindSortKeys, requireEquality, sortable } from './sort-keys.ts'

/** @param inArguments the calls found in the arguments. */
export function bindAggregate(
  node: FuncCall,
  call: FoundFunction,
  inArguments: CallCounts,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  requireNormal(node, call)
  const { part: orderBy, found: inOrder } = bindAndCountCalls(environment, (inner) =>
    bindSortKeys(node.agg_order, inner, (key) => bind(key, inner)),
  )
  const aggregate: Aggregate = {
    kind: 'aggregate',
    function: call.function,
    args: call.args,
    distinct: node.agg_distinct === true,
    orderBy: orderBy.map((key) => keyOfArgument(key, call.args)),
    filter: node.agg_filter && bindFilter(node.agg_filter, environment, bind),
    withinGroup: false,
    type: resultType(call, node.location, environment),
    ...positioned(node.location),
  }
  if (aggregate.distinct) requireDistinct(aggregate, environment)
  return finishAggregate(aggregate, [inArguments, inOrder], environment)
}

/** `percentile_cont(0.5) WITHIN GROUP (ORDER BY x)`. The last arguments of `call` are the sort keys. */
export function bindOrderedSet(
  node: FuncCall,
  call: FoundFunction,
  orderBy: readonly SortKey[],
  inArguments: CallCounts,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const { location: position } = node
  const { name, aggregateKind, directArgumentCount = 0 } = call.function
  const directCount = call.args.length - orderBy.length
  const isHypothetical = aggregateKind === 'hypotheticalSet' && directCount === orderBy.length
  if (aggregateKind === 'hypotheticalSet' && !isHypothetical) {
    throw noHypotheticalSet(call, directCount, orderBy.length, position, environment)
  }
  const isOrderedSet = aggregateKind === 'orderedSet' && directCount === directArgumentCount
  if (!isHypothetical && !isOrderedSet) throw unsupported(`${name}() WITHIN GROUP`, position)
  if (node.agg_distinct === true) {
    throw bindError('cannot use DISTINCT with WITHIN GROUP', { sqlState: '42601', position })
  }
  const keys = orderBy.map((key, i) => call.args[directCount + i] ?? key.expression)
  const direct = call.args.slice(0, directCount)
  const { args, sorted } = isHypothetical
    ? unified(direct, keys, environment)
    : { args: direct, sorted: keys }
  const aggregate: Aggregate = {
    kind: 'aggregate',
    function: call.function,
    args,
    distinct: false,
    orderBy: orderBy.map((key, i) =>
      sortable({ ...key, expression: sorted[i] ?? key.expression }, environment),
    ),
    filter: node.agg_filter && bindFilter(node.agg_filter, environment, bind),
    withinGroup: true,
    type: resultType(call, node.location, environment),
    ...positioned(position),
  }
  return finishAggregate(aggregate, [inArguments], environment)
}

/** A hypothetical row has a value for each key. */
function noHypotheticalSet(
  { function: { name }, args }: FoundFunction,
  direct: number,
  keys: number,
  position: number | undefined,
  { context: { types } }: ExpressionEnvironment,
): GatewayError {
  const signature = args.map(({ type }) => types.formatType(type.oid)).join(', ')
  return bindError(`function ${name}(${signature}) does not exist`, {
    sqlState: '42883',
    position,
    hint: `To use the hypothetical-set aggregate ${name}, the number of hypothetical direct arguments (here ${direct}) must match the number of ordering columns (here ${keys}).`,
  })
}

/** Each value of a hypothetical row, and the key that it is compared with, as values of one type. */
function unified(
  row: readonly Expression[],
  keys: readonly Expression[],
  environment: ExpressionEnvironment,
): { readonly args: readonly Expression[]; readonly sorted: readonly Expression[] } {
  const pairs = keys.map((key, i) => {
    const pair = [row[i] ?? key, key]
    return coerceAll(pair, commonTypeOf(pair, 'WITHIN GROUP', environment), environment)
  })
  return {
    args: pairs.flatMap(([value]) => value ?? []),
    sorted: pairs.flatMap(([, key]) => key ?? []),
  }
}

function finishAggregate(
  aggregate: Aggregate,
  inParts: readonly CallCounts[],
  environment: ExpressionEnvironment,
): Expression {
  const { position } = aggregate
  for (const found of inParts) requireFlat(found, position)
  const level = levelOfAggregate(aggregate, environment)
  requireAggregates(level, position)
  level.found.aggregates += 1
  return level === environment ? aggregate : liftTo(level, aggregate)
}

/** The arguments that are aggregated decide; those before WITHIN GROUP must not be of a level further inside. */
function levelOfAggregate(
  aggregate: Aggregate,
  environment: ExpressionEnvironment,
): ExpressionEnvironment {
  const { position } = aggregate
  const inner = levelOf(freeRelationsOf(aggregate), environment, position)
  if (!aggregate.withinGroup) return inner
  const level = levelOf(freeRelationsOf({ ...aggregate, args: [] }), environment, position)
  if (level !== environment && level !== inner) {
    const message =
      'outer-level aggregate cannot contain a lower-level variable in its direct arguments'
    throw bindError(message, { sqlState: '42803', position })
  }
  return level
}

function requireNormal(node: FuncCall, call: FoundFunction): void {
  const { location: position } = node
  const { name, aggregateKind } = call.function
  if (aggregateKind !== undefined && aggregateKind !== 'normal') {
    throw bindError(`WITHIN GROUP is required for ordered-set aggregate ${name}`, {
      sqlState: '42809',
      position,
    })
  }
  if (call.args.length === 0 && node.agg_star !== true) {
    throw bindError(`${name}(*) must be used to call a parameterless aggregate function`, {
      sqlState: '42809',
      position,
    })
  }
}

function requireFlat(found: CallCounts, position: number | undefined): void {
  if (found.aggregates > 0) {
    throw bindError('aggregate function calls cannot be nested', { sqlState: '42803', position })
  }
  if (found.windows > 0) {
    throw bindError('aggregate function calls cannot contain window function calls', {
      sqlState: '42803',
      position,
    })
  }
  if (found.sets > 0) {
    throw bindError('aggregate function calls cannot contain set-returning function calls', {
      sqlState: '0A000',
      position,
    })
  }
}

/** A key that equals an argument before its conversion sorts by the converted argument: it need not be computed twice. */
function keyOfArgument(key: SortKey, args: readonly Expression[]): SortKey {
  const argument = args.find((arg) => sameExpression(withoutConversion(arg), key.expression))
  return argument === undefined ? key : { ...key, expression: argument }
}

function withoutConversion(expression: Expression): Expression {
  return expression.kind === 'cast' && !expression.isExplicit
    ? withoutConversion(expression.operand)
    : expression
}

function requireDistinct(aggregate: Aggregate, environment: ExpressionEnvironment): void {
  for (const arg of aggregate.args) requireEquality(arg, environment)
  const stranger = aggregate.orderBy.find((key) => !aggregate.args.includes(key.expression))
  if (stranger === undefined) return
  throw bindError(
    'in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list',
    { sqlState: '42P10', position: stranger.expression.position },
  )
}
