/** @module Conditions of WHERE and ON, where NULL has the effect of false. */

import type { Sql } from '@engine/core/print'
import { joinConditions } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { type PrintContext, print } from '../print-context.ts'
import { printQuantifiedArray } from './print-subquery.ts'

/** A condition whose NULL may be replaced by false. */
export function printFilter(condition: Expression, context: PrintContext): Sql {
  if (condition.kind === 'quantifiedArray' && condition.array.kind !== 'array') {
    return printQuantifiedArray(condition, context, true)
  }
  if (condition.kind === 'logical' && condition.operands.length <= 50) {
    const parts = condition.operands.map((each) => printFilter(each, context))
    return joinConditions(parts, condition.operator)
  }
  return print(condition, context)
}
