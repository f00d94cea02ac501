import { positioned, unsupported } from '../../sql/bind-error.ts'
import type { Expression, Logical } from '../tree/expression.ts'
import { boolType } from './null-test.ts'

/** A single operand is returned as it is; operands with the same operator are flattened. At least one operand. */
export function joinLogical(
  operator: Logical['operator'],
  operands: readonly Expression[],
  position: number | undefined,
): Expression {
  const flat = operands.flatMap((operand) =>
    operand.kind === 'logical' && operand.operator === operator ? operand.operands : [operand],
  )
  const [first, ...others] = flat
  if (first === undefined) throw unsupported(`an empty ${operator.toUpperCase()}`, position)
  if (others.length === 0) return first
  return { kind: 'logical', operator, operands: flat, type: boolType, ...positioned(position) }
}
