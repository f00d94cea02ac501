/** @module Patterns of LIKE in permissions: those that could fail on a row are refused before any row is looked at. */

import { isPlainObject } from '../../../foundation/plain-object.ts'
import type { FilterContext } from './filter-context.ts'
import { callerSlotOperand, type Operand } from './policy-operand.ts'

/**
 * Has every escape character something behind it? LIKE fails on a pattern that ends in one, but only where a row's text
 * matches all before it: that would tell how hidden rows begin.
 */
export function isPattern(text: string): boolean {
  const [trailing = ''] = /\\*$/.exec(text) ?? []
  return trailing.length % 2 === 0
}

/**
 * The right side of LIKE.
 *
 * @param value as written, of which `operand` was made
 */
export function patternOperand(
  operand: Operand | undefined,
  value: unknown,
  context: FilterContext,
  path: string,
): Operand | undefined {
  if (operand === undefined) return undefined
  const [slot] = operand.slots
  if (slot !== undefined) return callerSlotOperand({ ...slot, isPattern: true })
  if (isPlainObject(value) && !('$literal' in value)) {
    context.faults.add(
      path,
      'a pattern is a constant or "$user.<field>": a stored one could fail on a row',
    )
    return undefined
  }
  const constant = isPlainObject(value) ? value['$literal'] : value
  if (typeof constant !== 'string' || isPattern(constant)) return operand
  context.faults.add(path, 'a pattern cannot end in the escape character \\')
  return undefined
}
