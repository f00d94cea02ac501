/** @module `to_json(t)`, `row_to_json(t.*)`: where a name may mean a FROM item as one value. */
import type { ColumnRef } from '@pgsql/types'
import { unsupported } from '../../sql/bind-error.ts'
import { requireRowValues } from '../coercion/row-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { nameParts, onlyFields } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'

/** A column, or the whole row that the name or `t.*` means as an argument. */
export function bindColumnOrRow(
  reference: ColumnRef,
  environment: ExpressionEnvironment,
): Expression {
  onlyFields(reference, 'a column', ['fields', 'location'])
  const { fields = [], location: position } = reference
  const { scope } = environment
  const last = fields.at(-1)
  if (last === undefined || !('A_Star' in last)) {
    return scope.column(nameParts(fields, 'this column', position), position)
  }
  const parts = nameParts(fields.slice(0, -1), 'this star', position)
  const row = parts.length === 0 ? undefined : scope.wholeRow(parts, position)
  if (row === undefined) throw unsupported('a star as an argument', position)
  return row
}

/** A column, or a whole row where the database has rows as values. */
export function bindColumn(reference: ColumnRef, environment: ExpressionEnvironment): Expression {
  const { fields = [], location: position } = reference
  if (fields.some((field) => 'A_Star' in field)) {
    requireRowValues(environment, 'a star here', position)
  }
  const column = bindColumnOrRow(reference, environment)
  if (column.kind === 'wholeRow') requireRowValues(environment, 'a whole row here', position)
  return column
}
