/** @module Texts that can be longer than a packet: the server returns NULL with a warning, or cuts them. */

import { hasBoundedLength, joinSql, type Sql, sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { classOfType, type PrintContext, relationOf } from './print-context.ts'
import { raiseState } from './raise.ts'

/** `value`, which is NULL only for a NULL input; fails with 54000 where it is too long. */
export function notTooLong(value: Sql, inputs: readonly Sql[]): Sql {
  if (inputs.length === 0) return sql`coalesce(${value}, cast(${raiseState('54000')} as char))`
  const tests = inputs.map((each) => sql`isnull(${each})`)
  return sql`coalesce(${value}, if(${joinSql(tests, ' or ')}, null, cast(${raiseState('54000')} as char)))`
}

/** Is the length of all texts bounded by stored or sent values? A small number of these does not fill a packet. */
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
