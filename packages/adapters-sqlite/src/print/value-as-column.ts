import type { SqlType } from '@engine/core/catalog'
import type { Sql } from '@engine/core/print'
import type { ColumnReference } from '@engine/core/tree'
import { anyValue, type PrintContext } from './print-context.ts'

/** A printed value as an expression of a tree: a column that prints as the value. */
export function valueAsColumn(value: Sql, type: SqlType, context: PrintContext): ColumnReference {
  const relation = context.nextId()
  context.relations.set(relation, {
    column: () => ({ ...anyValue, sql: value, isBare: false }),
  })
  return { kind: 'column', relation, column: 0, type }
}
