/** @module Results that are longer than a packet: the server gives NULL and a warning, or cuts them off. */
import { type Expression, isModest, joinSql, type Sql, sql } from '@engine/core/adapter'
import { classOfType, type PrintContext, relationOf } from './print-context.ts'
import { raiseState } from './raise.ts'

/** `value`, which is NULL for a NULL input only; 54000 where it has become too long. */
export function notTooLong(value: Sql, inputs: readonly Sql[]): Sql {
  if (inputs.length === 0) return sql`coalesce(${value}, cast(${raiseState('54000')} as char))`
  const tests = inputs.map((each) => sql`isnull(${each})`)
  return sql`coalesce(${value}, if(${joinSql(tests, ' or ')}, null, cast(${raiseState('54000')} as char)))`
}

/** Are all these as short as what is stored or sent? A few of them do not fill a packet. */
export function areModest(expressions: readonly Expression[], context: PrintContext): boolean {
  const facts = {
    classOf: (type: Expression['type']) => classOfType(type, context),
    isStored: ({ relation, column }: { readonly relation: number; readonly column: number }) =>
      relationOf(relation, context).column(column).stored !== undefined,
  }
  return expressions.every((each) => isModest(each, facts))
}
