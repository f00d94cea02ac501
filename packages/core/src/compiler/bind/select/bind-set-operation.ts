/** @module UNION, INTERSECT and EXCEPT. */
import type { Node, SelectStmt } from '@pgsql/types'
import type { Steps } from '../../../foundation/steps.ts'
import { bindError } from '../../sql/bind-error.ts'
import type { CommonTypeContext } from '../../sql-types/resolution.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { coerceTo } from '../coercion/coerce.ts'
import { coerceQuery } from '../coercion/coerce-query.ts'
import { commonTypeOf } from '../coercion/common-type.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { bindSortKeys, requireEquality } from '../expressions/sort-keys.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { Scope } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import { positionOf } from '../scope/syntax-node.ts'
import type { OutputColumn, Query, SetQuery } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { outputKey } from '../tree/output-key.ts'
import { textIfUnknown, typeUnknownOutputs } from '../tree/unknown-outputs.ts'
import { bindLimit } from './bind-limit.ts'

const operators = {
  SETOP_UNION: ['union', 'UNION'],
  SETOP_INTERSECT: ['intersect', 'INTERSECT'],
  SETOP_EXCEPT: ['except', 'EXCEPT'],
} as const satisfies Record<string, readonly [SetQuery['operator'], CommonTypeContext]>

/**
 * Each member is bound in one step.
 *
 * @param onLeft called with the columns of the left side before the right side is bound: the columns of a self-reference in a
 *   recursive query.
 */
export function* bindSetOperation(
  select: SelectStmt,
  scope: Scope,
  context: StatementContext,
  onLeft?: (left: readonly OutputColumn[]) => void,
): Steps<SetQuery> {
  const [operator, name] = operators[select.op as keyof typeof operators]
  const all = select.all === true
  const left = yield* bindArm(select.larg, scope, context)
  onLeft?.(left.columns.map(textIfUnknown))
  const right = yield* bindArm(select.rarg, scope, context)
  const environment = clauseEnvironment(context, scope, 'ORDER BY')
  requireSameWidth(left, right, name)
  const columns = left.columns.map((column, i) => ({
    name: column.name,
    type: commonTypeOf([cell(left, i), cell(right, i)], name, environment),
  }))
  if (operator !== 'union' || !all) {
    for (const [i, { type }] of columns.entries()) {
      requireEquality({ ...cell(left, i), type }, environment)
    }
  }
  const types = columns.map(({ type }) => type)
  refuseLocking(select)
  return {
    kind: 'setOperation',
    operator,
    all,
    ctes: [],
    columns,
    left: coerceArm(left, types, environment),
    right: coerceArm(right, types, environment),
    orderBy: bindSortKeys(select.sortClause, environment, (node) =>
      requireOutput(node, columns, environment),
    ),
    ...bindLimit(select, scope, context),
  }
}

function* bindArm(
  select: SelectStmt | undefined,
  scope: Scope,
  context: StatementContext,
): Steps<Query> {
  const arm = select ?? {}
  refuseLocking(arm)
  const options = { keepUnknown: true }
  if (arm.op !== undefined && arm.op !== 'SETOP_NONE') {
    return yield* context.bindSelectInSteps(arm, scope, options)
  }
  const query = context.bindSelect(arm, scope, options)
  yield
  return query
}

/** A column of a side: its expression where there is one, for the position in errors. */
function cell(query: Query, i: number): Expression {
  const output = query.kind === 'select' ? query.outputs[i] : undefined
  const type: SqlType = query.columns[i]?.type ?? { oid: 0, typmod: -1 }
  return output ?? { kind: 'output', index: i, type }
}

function requireSameWidth(left: Query, right: Query, name: string): void {
  if (left.columns.length === right.columns.length) return
  throw bindError(`each ${name} query must have the same number of columns`, {
    sqlState: '42601',
    position: right.kind === 'select' ? right.outputs[0]?.position : undefined,
  })
}

function coerceArm(
  query: Query,
  types: readonly SqlType[],
  environment: ExpressionEnvironment,
): Query {
  const known = typeUnknownOutputs(query, (output, i) =>
    coerceTo(output, types[i] ?? output.type, 'implicit', environment),
  )
  return coerceQuery(known, types, environment)
}

function requireOutput(
  node: Node,
  columns: readonly OutputColumn[],
  environment: ExpressionEnvironment,
): Expression {
  const key = outputKey(node, columns, 'ORDER BY')
  if (key !== undefined) return key
  // A name other than a result column: binding it gives PostgreSQL's error.
  if ('ColumnRef' in node) bindExpression(node, environment)
  throw bindError('invalid UNION/INTERSECT/EXCEPT ORDER BY clause', {
    sqlState: '0A000',
    position: positionOf(node),
  })
}

/** Locking is refused around the set operation and inside it. */
function refuseLocking(select: SelectStmt): void {
  if (select.lockingClause === undefined) return
  throw bindError('FOR UPDATE is not allowed with UNION/INTERSECT/EXCEPT', {
    sqlState: '0A000',
    position: undefined,
  })
}
