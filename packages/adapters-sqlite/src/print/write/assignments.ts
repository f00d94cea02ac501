/** @module SET lists. */

import type { Column, Table } from '@engine/core/catalog'
import { columnAt, commaList, identifier, type Sql, sql } from '@engine/core/print'
import type { Assignment } from '@engine/core/tree'
import { type PrintContext, print, refuse } from '../print-context.ts'
import { defaultValue } from './default-value.ts'
import { storedForm } from './store-value.ts'

/** `"a" = ..., "b" = ...` */
export function printAssignments(
  table: Table,
  assignments: readonly Assignment[],
  context: PrintContext,
): Sql {
  return commaList(
    assignments.map((each) => {
      const column = columnAt(table, each.column)
      return sql`${identifier(column.name)} = ${assignedValue(column, each, context)}`
    }),
  )
}

/** The value that an assignment stores. */
export function assignedValue(column: Column, { value }: Assignment, context: PrintContext): Sql {
  if (value.kind !== 'default') return storedForm(column, print(value, context), context)
  return (
    defaultValue(column, context) ??
    refuse(`DEFAULT of the column ${column.name} in SET`, undefined)
  )
}
