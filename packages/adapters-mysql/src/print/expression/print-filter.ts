/** @module Conditions of WHERE and ON, where NULL has the effect of false. */

import type { Sql } from '@engine/core/print'
import { joinConditions } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { type PrintContext, print } from '../print-context.ts'
import { printQuantified } from './print-subquery.ts'
import { printQuantifiedArray } from './quantified-array.ts'

/** A condition whose NULL may be replaced by false. */
export function printFilter(condition: Expression, context: PrintContext): Sql {
  if (condition.kind === 'quantifiedArray') return printQuantifiedArray(condition, context, true)
  if (condition.kind === 'quantifiedSubquery') return printQuantified(condition, context, true)
  if (condition.kind !== 'logical') return print(condition, context)
  const parts = condition.operands.map((each) => printFilter(each, context))
  return joinConditions(parts, condition.operator)
}
