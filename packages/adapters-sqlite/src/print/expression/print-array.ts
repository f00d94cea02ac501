/** @module Arrays: constructors, elements and slices. */

import { type Sql, sql } from '@engine/core/print'
import type { ArrayConstructor, ArraySection, Subscript } from '@engine/core/tree'
import { hasBoundedLength } from '../bounded-text.ts'
import { call, classOfType, type PrintContext, print, refuse } from '../print-context.ts'
import { elementJson, elementOfJson } from './forms/array-element.ts'
import { boundedConcatenation } from './forms/json-form.ts'

export function printArray(expression: ArrayConstructor, context: PrintContext): Sql {
  const { elements, position } = expression
  if (elements.some((each) => classOfType(each.type, context) === 'array')) {
    return refuse('an array of arrays', position)
  }
  if (elements.length === 0) return sql`'[]'`
  const parts = elements.flatMap((each, index) => [
    index === 0 ? sql`'['` : sql`','`,
    elementJson(print(each, context), each.type, context, position),
  ])
  const haveBoundedLength = elements.every((each) => hasBoundedLength(each, context))
  return boundedConcatenation([...parts, sql`']'`], haveBoundedLength)
}

export function printSubscript(expression: Subscript, context: PrintContext): Sql {
  const { operand, index, type, position } = expression
  const element = call('array_item', print(operand, context), print(index, context))
  return elementOfJson(element, type, context, position)
}

const firstPosition = sql`1`

/** No array is longer. */
const lastPosition = sql`2147483647`

/** A slice of an array, or an item of a nested array. */
export function printSection(expression: ArraySection, context: PrintContext): Sql {
  const { operand, steps, type, position } = expression
  const array = print(operand, context)
  const [first, ...others] = steps
  if (first?.kind === 'slice') {
    if (others.length > 0) return refuse('a slice of several dimensions', position)
    const lower = first.lower === undefined ? firstPosition : print(first.lower, context)
    const upper = first.upper === undefined ? lastPosition : print(first.upper, context)
    return call('array_slice', array, lower, upper)
  }
  let item = array
  for (const step of steps) {
    if (step.kind === 'slice') return refuse('a slice of several dimensions', position)
    item = call('array_item', item, print(step.index, context))
  }
  return elementOfJson(item, type, context, position)
}
