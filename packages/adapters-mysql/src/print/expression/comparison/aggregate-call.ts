/** @module One call of the server's aggregate functions: the parts before, inside and after the parentheses. */

import { GatewayError } from '@engine/core/adapter'
import { boundToLevel, commaList, keyword, type Sql, sql } from '@engine/core/print'
import type { Aggregate, WindowCall } from '@engine/core/tree'
import type { PrintContext } from '../../print-context.ts'
import { printWindowDefinition } from './window-definition.ts'

export type AggregateCall = <Name extends string>(
  name: string extends Name ? never : Name,
  ...args: readonly Sql[]
) => Sql

/** Writes DISTINCT and OVER as the expression has them. */
export function aggregateCall(
  expression: Aggregate | WindowCall,
  context: PrintContext,
): AggregateCall {
  if (expression.filter !== undefined) {
    throw new GatewayError('internal', 'FILTER reached the printer')
  }
  if (expression.kind === 'window') {
    const over = sql` over ${printWindowDefinition(expression, context)}`
    return (name, ...args) => boundToLevel(sql`${keyword(name)}(${commaList(args)})${over}`)
  }
  const word = expression.distinct ? sql`distinct ` : sql``
  return (name, ...args) => boundToLevel(sql`${keyword(name)}(${word}${commaList(args)})`)
}
