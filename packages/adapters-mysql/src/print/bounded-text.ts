/** @module Texts that can be longer than a packet: the server answers NULL with a warning, or cuts them off. */
import { type Expression, hasBoundedLength, joinSql, type Sql, sql } from '@engine/core/adapter'
import { classOfType, type PrintContext, relationOf } from './print-context.ts'
import { raiseState } from './raise.ts'

/** `value`, which is NULL for a NULL input only; fails with 54000 where it is too long. */
export function notTooLong(value: Sql, inputs: readonly Sql[]): Sql {
  if (inputs.length === 0) return sql`coalesce(${value}, cast(${raiseState('54000')} as char))`
  const tests = inputs.map((each) => sql`isnull(${each})`)
  return sql`coalesce(${value}, if(${joinSql(tests, ' or ')}, null, cast(${raiseState('54000')} as char)))`
}

/** Are all texts bounded by what is stored or sent? A few of those do not fill a packet. */
export function haveBoundedLength(
  expressions: readonly Expression[],
  context: PrintContext,
): boolean {
  return expressions.every((expression) =>
    hasBoundedLength(expression, {
      classOf: (type) => classOfType(type, context),
      isStored: ({ relation, column }) =>
        relationOf(relation, context).column(column).stored !== undefined,
    }),
  )
}
