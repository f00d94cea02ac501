/** @module What a statement gives a column to store. */
import {
  type Assignment,
  type Column,
  type Expression,
  explainSqlState,
  GatewayError,
  type Sql,
  sql,
} from '@engine/core'
import { factsOf } from './facts.ts'
import { type PrintContext, print, refuse } from './print-context.ts'
import { raiseState } from './raise.ts'
import { nativeOf } from './row-key.ts'

/** A cell of VALUES. The server takes NULL in the place of a number of its own, PostgreSQL does not. */
export function printCell(
  column: Column,
  cell: Expression | { readonly kind: 'default' },
  context: PrintContext,
): Sql {
  const isNumbered = nativeOf(column).isAutoIncrement === true
  if (cell.kind === 'default') return isNumbered ? sql`null` : sql`default`
  const value = print(cell, context)
  if (!isNumbered || !factsOf(cell, context).isNullable) return value
  if (cell.kind === 'constant') throw notNull()
  return neverNull(value)
}

/** Fails for NULL, which would get a number from the server. */
export function neverNull(value: Sql): Sql {
  return sql`coalesce(${value}, ${raiseState('23502')})`
}

function notNull(): GatewayError {
  const { problem, message } = explainSqlState('23502', true)
  return new GatewayError(problem, message, { sqlState: '23502' })
}

/** What an assignment of an UPDATE stores. */
export function assignedValue(column: Column, { value }: Assignment, context: PrintContext): Sql {
  if (value.kind !== 'default') return print(value, context)
  return nativeOf(column).isAutoIncrement === true
    ? refuse(`DEFAULT of the column ${column.name} in SET`, undefined)
    : sql`default`
}
