/** @module The values that a statement stores in columns. */

import { explainSqlState, GatewayError } from '@engine/core/adapter'
import type { Column } from '@engine/core/catalog'
import { type Sql, sql } from '@engine/core/print'
import type { Assignment, Expression } from '@engine/core/tree'
import { canBind } from '../expression/binding/can-bind.ts'
import { isGiven } from '../expression/comparison/loose-column.ts'
import { type PrintContext, print, refuse } from '../print-context.ts'
import { raiseState } from '../raise.ts'
import { propertiesOf } from '../value-properties.ts'
import { defaultExpression, uuidDefault } from './default-cell.ts'
import { nativeOf } from './row-key.ts'
import { storedExactly, type ValueFacts } from './stored-exactly.ts'

/** Rows without a value get a number from the server. */
export function isNumbered(column: Column): boolean {
  return nativeOf(column).isAutoIncrement === true
}

/** A TIMESTAMP that is never NULL: the server stores the current time for NULL. */
function isMoment(column: Column): boolean {
  return nativeOf(column).dataType === 'timestamp' && !column.nullable
}

/** Does an INSERT store another value for NULL, where PostgreSQL fails? */
export function mistakesNull(column: Column): boolean {
  return isNumbered(column) || isMoment(column)
}

/** A cell of VALUES. */
export function printCell(
  column: Column,
  cell: Expression | { readonly kind: 'default' },
  context: PrintContext,
): Sql {
  if (cell.kind === 'default') return isNumbered(column) ? sql`null` : sql`default`
  const value = storedExactly(column, print(cell, context), context, factsOf(cell))
  if (!mistakesNull(column) || !propertiesOf(cell, context).isNullable) return value
  if (cell.kind === 'constant') throw notNull()
  return neverNull(value)
}

function factsOf(value: Expression): ValueFacts {
  return { canBeNamed: canBind(value), isGiven: isGiven(value) }
}

/** Fails for NULL. */
export function neverNull(value: Sql): Sql {
  return sql`coalesce(${value}, ${raiseState('23502')})`
}

/** The error for a required column without a value. */
export function notNull(): GatewayError {
  const { problem, message } = explainSqlState('23502', true)
  return new GatewayError(problem, message, { sqlState: '23502' })
}

/** The value that an assignment of an UPDATE stores. */
export function assignedValue(column: Column, { value }: Assignment, context: PrintContext): Sql {
  if (value.kind !== 'default') {
    const printed = storedExactly(column, print(value, context), context, factsOf(value))
    return isMoment(column) && propertiesOf(value, context).isNullable
      ? neverNull(printed)
      : printed
  }
  return isNumbered(column)
    ? refuse(`DEFAULT of the column ${column.name} in SET`, undefined)
    : sql`default`
}

/** The same in an UPDATE of the table joined with kept rows. */
export function assignedInJoin(column: Column, assignment: Assignment, context: PrintContext): Sql {
  const isSafe = !context.traits.faults.emptyDefaultsInJoins || isNumbered(column)
  if (isSafe || assignment.value.kind !== 'default' || column.generated !== 'no') {
    return assignedValue(column, assignment, context)
  }
  const known = defaultExpression(column, context)
  const value = known === undefined ? uuidDefault(column) : print(known, context)
  return value ?? refuse(`DEFAULT of the column ${column.name} in this SET`, undefined)
}

/** A value in the form of expressions as an UPDATE stores it. */
export function storedByUpdate(column: Column, value: Sql, context: PrintContext): Sql {
  const stored = storedExactly(column, value, context)
  return isMoment(column) ? neverNull(stored) : stored
}
