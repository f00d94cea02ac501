/** @module Window calls: window functions, and aggregates with OVER. */
import type { FuncCall } from '@pgsql/types'
import { bindError, positioned } from '../../sql/bind-error.ts'
import type { CallCounts } from '../scope/call-counts.ts'
import { requireWindows } from '../scope/clause-rules.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { BindNode } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'
import { bindFilter } from './bind-filter.ts'
import { type FoundFunction, resultType } from './call-arguments.ts'
import { bindWindow } from './window-definition.ts'

/** @param inArguments the calls found in the arguments. */
export function bindWindowCall(
  node: FuncCall,
  call: FoundFunction,
  inArguments: CallCounts,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const { location: position, over } = node
  const { name } = call.function
  if (over === undefined) {
    throw bindError(`window function ${name} requires an OVER clause`, {
      sqlState: '42809',
      position,
    })
  }
  requireSupported(node, call)
  requireFlat(inArguments, position)
  requireWindows(environment, position)
  const filter = node.agg_filter && bindFilter(node.agg_filter, environment, bind)
  const window = bindWindow(over, environment, bind)
  environment.found.windows += 1
  return {
    kind: 'window',
    function: call.function,
    args: call.args,
    filter,
    ...window,
    type: resultType(call, position, environment),
    ...positioned(position),
  }
}

/** Refuses the combinations that PostgreSQL has not implemented. */
function requireSupported(node: FuncCall, call: FoundFunction): void {
  const { location: position } = node
  const { kind, name, aggregateKind } = call.function
  const refuse = (message: string) => bindError(message, { sqlState: '0A000', position })
  if (node.agg_distinct === true) {
    throw refuse('DISTINCT is not implemented for window functions')
  }
  if (aggregateKind !== undefined && aggregateKind !== 'normal') {
    throw refuse(`OVER is not supported for ordered-set aggregate ${name}`)
  }
  if ((node.agg_order ?? []).length > 0) {
    throw refuse('aggregate ORDER BY is not implemented for window functions')
  }
  if (kind === 'window' && node.agg_filter !== undefined) {
    throw refuse('FILTER is not implemented for non-aggregate window functions')
  }
  const needsStar = kind === 'aggregate' && call.args.length === 0
  if (needsStar !== (node.agg_star === true)) {
    const message = needsStar
      ? `${name}(*) must be used to call a parameterless aggregate function`
      : `${name}(*) specified, but ${name} is not an aggregate function`
    throw bindError(message, { sqlState: '42809', position })
  }
}

function requireFlat(found: CallCounts, position: number | undefined): void {
  if (found.windows > 0) {
    throw bindError('window function calls cannot be nested', { sqlState: '42P20', position })
  }
  if (found.sets > 0) {
    throw bindError('window function calls cannot contain set-returning function calls', {
      sqlState: '0A000',
      position,
    })
  }
}
