import { positioned } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { undeterminedParameter } from '../scope/parameter-types.ts'
import type { Expression } from '../tree/expression.ts'
import { resolveUnknown } from './coerce.ts'

/** `operand IS [NOT] NULL`. It gives a parameter no type. */
export function nullTest(
  operand: Expression,
  negated: boolean,
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  if (operand.kind === 'parameter' && operand.type.oid === oids.unknown) {
    throw undeterminedParameter(operand.index, operand.position)
  }
  return {
    kind: 'nullTest',
    operand: resolveUnknown(operand, environment),
    negated,
    type: boolType,
    ...positioned(position),
  }
}

export const boolType: SqlType = { oid: oids.bool, typmod: -1 }
