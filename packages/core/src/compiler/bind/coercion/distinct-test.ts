import { positioned } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { Expression } from '../tree/expression.ts'
import { boolType, nullTest } from './null-test.ts'
import { comparisonCall } from './operator-call.ts'
import { fieldsOfType } from './row-type.ts'

/**
 * `left IS [NOT] DISTINCT FROM right`; against a plain NULL it is a NULL test, which needs no equality. A row of NULLs is distinct from
 * NULL, although it IS NULL.
 */
export function distinctTest(
  left: Expression,
  right: Expression,
  negated: boolean,
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  const other = isNullLiteral(right) ? left : isNullLiteral(left) ? right : undefined
  const isRow = other !== undefined && fieldsOfType(other.type, environment.context.types)
  if (other !== undefined && !isRow) return nullTest(other, !negated, position, environment)
  const call = comparisonCall('=', left, right, 'IS DISTINCT FROM', position, environment)
  return {
    kind: 'distinctTest',
    operator: call.operator,
    left: call.left,
    right: call.right,
    negated,
    type: boolType,
    ...positioned(position),
  }
}

function isNullLiteral(side: Expression): boolean {
  return side.kind === 'constant' && side.value === null && side.type.oid === oids.unknown
}
