import type { ColumnReference, Sql, SqlType } from '@engine/core/adapter'
import { anyValue, type PrintContext } from './print-context.ts'

/** A printed value as an expression of a tree: a column that prints as the value. */
export function valueAsColumn(value: Sql, type: SqlType, context: PrintContext): ColumnReference {
  const relation = context.nextId()
  context.relations.set(relation, {
    column: () => ({ ...anyValue, sql: value, isBare: false }),
  })
  return { kind: 'column', relation, column: 0, type }
}
