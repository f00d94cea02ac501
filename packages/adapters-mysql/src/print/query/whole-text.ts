/**
 * @module Long texts in UNION, INTERSECT and EXCEPT. MariaDB takes the length of a parameter in an arm modulo 65536 bytes and
 * cuts its text there, without an error. Under a COLLATE it does not.
 */
import { type Expression, type Query, visitExpression } from '@engine/core/tree'
import { classOfType, type PrintContext } from '../print-context.ts'

/** The arm of a set operation, with outputs that are not cut. */
export function withWholeTexts(arm: Query, context: PrintContext): Query {
  return arm.kind === 'select'
    ? { ...arm, outputs: arm.outputs.map((each) => wholeText(each, context)) }
    : arm
}

/** A value of an arm; unchanged unless it may be cut. */
export function wholeText(expression: Expression, context: PrintContext): Expression {
  return context.traits.faults.longTextsInUnion && mayBeCut(expression, context)
    ? { kind: 'collate', operand: expression, type: expression.type }
    : expression
}

/** A number of characters that never need more than 65535 bytes. */
const shortText = 16_383

function mayBeCut(expression: Expression, context: PrintContext): boolean {
  const typeClass = classOfType(expression.type, context)
  if (typeClass !== 'text' && typeClass !== 'bpchar') return false
  let isFound = false
  visitExpression(expression, {
    expression: (part) => {
      const isLong = part.kind === 'constant' && (part.value?.length ?? 0) > shortText
      if (isLong || part.kind === 'parameter' || part.kind === 'caller') isFound = true
    },
  })
  return isFound
}
