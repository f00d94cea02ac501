/** @module Conditions of WHERE and ON, where NULL is as good as false. */

import type { Expression, Sql } from '@engine/core/adapter'
import { joinConditions } from '@engine/core/adapter'
import { type PrintContext, print } from '../print-context.ts'
import { printQuantifiedArray } from './print-subquery.ts'

/** A condition whose NULL may come out as false. */
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
