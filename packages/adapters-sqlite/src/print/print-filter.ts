/** @module Conditions of WHERE and ON, where NULL is as good as false. */
import { type Expression, joinSql, type Sql, sql } from '@engine/core/adapter'
import { type PrintContext, print } from './print-context.ts'
import { printQuantifiedArray } from './print-subquery.ts'

/** A condition whose NULL may come out as false. */
export function printFilter(condition: Expression, context: PrintContext): Sql {
  if (condition.kind === 'quantifiedArray' && condition.array.kind !== 'array') {
    return printQuantifiedArray(condition, context, true)
  }
  if (condition.kind === 'logical' && condition.operands.length <= 50) {
    const parts = condition.operands.map((each) => printFilter(each, context))
    const joined = condition.operator === 'and' ? joinSql(parts, ' and ') : joinSql(parts, ' or ')
    return sql`(${joined})`
  }
  return print(condition, context)
}

/** Conditions that must all hold; undefined when there are none. */
export function allOf(conditions: readonly (Sql | undefined)[]): Sql | undefined {
  const present = conditions.filter((each) => each !== undefined)
  return present.length === 0 ? undefined : joinSql(present, ' and ')
}
