/** @module LIMIT, OFFSET and FETCH FIRST. */
import type { Node, SelectStmt } from '@pgsql/types'
import { bindError } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { coerceTo } from '../coercion/coerce.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import type { BindContext } from '../scope/context.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { Scope } from '../scope/scope.ts'
import type { Limit } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { freeRelationsOf } from '../tree/visit-query.ts'

/** The two fields of every query. */
export interface BoundLimit {
  readonly limit: Limit | undefined
  readonly offset: Expression | undefined
}

/** @param scope the level of the query: its names are resolved, and refused. */
export function bindLimit(select: SelectStmt, scope: Scope, context: BindContext): BoundLimit {
  const { limitCount, limitOffset } = select
  return {
    limit: limitCount && {
      count: isNull(limitCount) ? undefined : bindCount(limitCount, 'LIMIT', scope, context),
      max: undefined,
      withTies: select.limitOption === 'LIMIT_OPTION_WITH_TIES',
    },
    offset: limitOffset && bindCount(limitOffset, 'OFFSET', scope, context),
  }
}

/** `LIMIT ALL` and `LIMIT NULL`. */
function isNull(node: Node): boolean {
  return 'A_Const' in node && node.A_Const.isnull === true
}

const int8: SqlType = { oid: oids.int8, typmod: -1 }

function bindCount(
  node: Node,
  clause: 'LIMIT' | 'OFFSET',
  scope: Scope,
  context: BindContext,
): Expression {
  const environment = clauseEnvironment(context, scope, clause)
  const bound = bindExpression(node, environment)
  const count = coerceTo(bound, int8, 'assignment', environment, `argument of ${clause}`)
  const { position } = count
  if ([...freeRelationsOf(count)].some((relation) => scope.isLocal(relation))) {
    throw bindError(`argument of ${clause} must not contain variables`, {
      sqlState: '42P10',
      position,
    })
  }
  if (count.kind === 'constant' && String(count.value).startsWith('-')) {
    const sqlState = clause === 'LIMIT' ? '2201W' : '2201X'
    throw bindError(`${clause} must not be negative`, { sqlState, position })
  }
  return count
}
