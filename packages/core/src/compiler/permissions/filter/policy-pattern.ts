/** @module Patterns of LIKE in permissions: a pattern that could fail on a row is refused before any row is read. */

import { isPlainObject } from '../../../foundation/plain-object.ts'
import type { FilterContext } from './filter-context.ts'
import { callerSlotOperand, type Operand } from './policy-operand.ts'

/**
 * Does a character follow every escape character? LIKE fails on a pattern that ends in one, but only where a row's text matches
 * everything before it: the error would reveal how hidden rows begin.
 */
export function isPattern(text: string): boolean {
  const [trailing = ''] = /\\*$/.exec(text) ?? []
  return trailing.length % 2 === 0
}

/**
 * The right side of LIKE.
 *
 * @param value as written; `operand` was made from it
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
