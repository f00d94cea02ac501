/**
 * @module `pg_typeof(x)`: the type is known at binding, and becomes a text. PostgreSQL's own result is a regtype, which prints
 * the same.
 */

import { positioned, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { Constant, Expression } from '../tree/expression.ts'
import { nullTest } from './null-test.ts'

/**
 * The name of an operand's type, `unknown` for a bare literal. All other effects of an operand (an error, aggregation, several
 * rows) are kept.
 *
 * @throws {GatewayError} `unsupported` for a whole row; `badRequest` (42P18) for a parameter of unknown type.
 */
export function typeOf(
  operand: Expression,
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  if (operand.kind === 'wholeRow' || operand.kind === 'row') {
    throw unsupported('pg_typeof() of a row', position)
  }
  const { types } = environment.context
  const name: Constant = {
    kind: 'constant',
    value: types.formatType(operand.type.oid),
    type: { oid: oids.text, typmod: -1 },
    ...positioned(position),
  }
  if (operand.kind === 'constant' || operand.kind === 'column') return name
  const condition = nullTest(operand, false, position, environment)
  const { type } = name
  return { kind: 'case', whens: [{ condition, result: name }], otherwise: name, type }
}
