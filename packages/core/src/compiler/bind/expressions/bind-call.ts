/** @module Function calls. Whether a call is an aggregate or a window call is known once the function is found. */
import type { FuncCall } from '@pgsql/types'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { isSleepFunction } from '../../sql/sleep-call.ts'
import { coerceTo } from '../coercion/coerce.ts'
import { typeOf } from '../coercion/type-of.ts'
import { bindAndCountCalls, type CallCounts } from '../scope/call-counts.ts'
import { requireSets } from '../scope/clause-rules.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, nameParts, onlyFields } from '../scope/syntax-node.ts'
import { ownRangeType } from '../scope/type-name.ts'
import type { SortKey } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { limitArguments } from './argument-caps.ts'
import { bindAggregate, bindOrderedSet } from './bind-aggregate.ts'
import { bindSequenceCall, isSequenceFunction } from './bind-next-value.ts'
import { requestTimeOfFunction } from './bind-request-time.ts'
import { bindSleepCall } from './bind-sleep.ts'
import { bindWindowCall } from './bind-window.ts'
import {
  bindArguments,
  type FoundFunction,
  type ResolvedCall,
  resolveCall,
  resultType,
} from './call-arguments.ts'
import { requireRowBase } from './row-base.ts'
import { bindUntypedSortKeys } from './sort-keys.ts'

export function bindCall(
  node: FuncCall,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'a function call', [
    'funcname',
    'args',
    'agg_order',
    'agg_filter',
    'over',
    'agg_within_group',
    'agg_star',
    'agg_distinct',
    'func_variadic',
    'funcformat',
    'location',
  ])
  const { location: position } = node
  const name = functionName(node, environment)
  if (isSequenceFunction(name)) {
    requirePlain(node, name)
    return bindSequenceCall(name, node, environment, bind)
  }
  if (isSleepFunction(name) && node.args?.length === 1) {
    requirePlain(node, name)
    return bindSleepCall(name, node, environment, bind)
  }
  const { part, found } = bindAndCountCalls(environment, (inner) => ({
    given: bindArguments(node, inner, bind),
    within: node.agg_within_group === true ? bindWithinGroup(node, inner, bind) : [],
  }))
  const { given, within } = part
  const [operand, ...others] = given.expressions
  if (name === 'pg_typeof' && operand !== undefined && others.length === 0) {
    requirePlain(node, name)
    requireSets(true, found, environment, position)
    return typeOf(operand, position, environment)
  }
  const keys = within.map((key) => key.expression)
  const all = { ...given, expressions: [...given.expressions, ...keys] }
  const isVariadic = node.func_variadic === true
  const call = resolveCall(name, isVariadic ? { ...all, isVariadic } : all, position, environment)
  requireNamedType(node, call, environment)
  if (call.kind === 'cast') {
    requirePlain(node, name)
    return coerceTo(call.operand, call.type, 'explicit', environment)
  }
  if (isVariadic && call.function.kind !== 'function') throw unsupported('VARIADIC here', position)
  switch (call.function.kind) {
    case 'aggregate':
      if (node.over !== undefined) return bindWindowCall(node, call, found, environment, bind)
      return node.agg_within_group === true
        ? bindOrderedSet(node, call, within, found, environment, bind)
        : bindAggregate(node, call, found, environment, bind)
    case 'window':
      return bindWindowCall(node, call, found, environment, bind)
    case 'function':
      requirePlain(node, name)
      return plainCall(call, found, position, environment)
  }
}

/** Sort keys of WITHIN GROUP are arguments: an untyped key gets the type of the function's parameter. */
function bindWithinGroup(
  node: FuncCall,
  environment: ExpressionEnvironment,
  bind: BindNode,
): readonly SortKey[] {
  return bindUntypedSortKeys(node.agg_order, (key) => bind(key, environment))
}

/**
 * Names are the catalog's; the grammar itself puts `pg_catalog` before the functions that its special syntax calls. Of a
 * connection's own only constructors of its range types may be qualified.
 */
function functionName(node: FuncCall, { context }: ExpressionEnvironment): string {
  const parts = nameParts(node.funcname, 'this function', node.location)
  const [first = '', second] = parts
  if (parts.length === 1) return first
  if (parts.length === 2 && first === 'pg_catalog' && second !== undefined) return second
  const type = ownRangeType(parts, context)
  if (type !== undefined) return type.name
  throw unsupported(`a schema-qualified function (${parts.join('.')})`, node.location)
}

/** Refuses `a.span(…)` where the arguments fit only the constructor of `b.span`. */
function requireNamedType(
  node: FuncCall,
  call: ResolvedCall,
  { context }: ExpressionEnvironment,
): void {
  const parts = nameParts(node.funcname, 'this function', node.location)
  const type = parts.length === 1 ? undefined : ownRangeType(parts, context)
  const madeOid = call.kind === 'cast' ? call.type.oid : call.resultOid
  if (type === undefined || type.oid === madeOid) return
  throw unsupported(`a schema-qualified function (${parts.join('.')})`, node.location)
}

/** Refuses the clauses that only aggregates and window functions take. */
function requirePlain(node: FuncCall, name: string): void {
  const { location: position } = node
  const refuse = (message: string) => bindError(message, { sqlState: '42809', position })
  if (node.agg_star === true) {
    throw refuse(`${name}(*) specified, but ${name} is not an aggregate function`)
  }
  if (node.agg_distinct === true) {
    throw refuse(`DISTINCT specified, but ${name} is not an aggregate function`)
  }
  if (node.agg_within_group === true) {
    throw refuse(`WITHIN GROUP specified, but ${name} is not an aggregate function`)
  }
  if (node.agg_order !== undefined) {
    throw refuse(`ORDER BY specified, but ${name} is not an aggregate function`)
  }
  if (node.agg_filter !== undefined) {
    throw refuse(`FILTER specified, but ${name} is not an aggregate function`)
  }
  if (node.over !== undefined) {
    throw refuse(`OVER specified, but ${name} is not a window function nor an aggregate function`)
  }
}

function plainCall(
  call: FoundFunction,
  found: CallCounts,
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  const { function: called, args, resultOid, isVariadic } = call
  const moment = requestTimeOfFunction(called, position)
  if (moment !== undefined) return moment
  if (called.returnsSet) environment.found.sets = (environment.found.sets ?? 0) + 1
  requireSets(called.returnsSet, found, environment, position)
  const type =
    environment.clause === 'FROM'
      ? { oid: resultOid, typmod: -1 }
      : resultType(call, position, environment)
  limitArguments(called, args, position)
  requireRowBase(called, args, position, environment)
  return {
    kind: 'call',
    function: called,
    args,
    ...(isVariadic && { isVariadic }),
    type,
    ...positioned(position),
  }
}
