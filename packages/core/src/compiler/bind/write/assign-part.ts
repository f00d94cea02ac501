/** @module A part of a column in SET, of UPDATE and of ON CONFLICT DO UPDATE. */
import type { Node, ResTarget } from '@pgsql/types'
import type { Column, Table } from '../../catalog/catalog.ts'
import { unsupported } from '../../sql/bind-error.ts'
import { columnNames } from '../scope/column-names.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import type { Assignment } from '../tree/bound-query.ts'
import { assignValue } from './assign-value.ts'
import { targetPart } from './target-part.ts'
import { partAsTarget } from './write-target.ts'

interface PartTarget extends ResTarget {
  readonly indirection: Node[]
}

/** The rest of the column stays: the column is read, too, and must be readable. */
export function assignPart(
  { indirection, val, location: position, name = '' }: PartTarget,
  column: Column,
  table: Table,
  environment: ExpressionEnvironment,
  context: StatementContext,
): Assignment {
  const readable = context.view.readable(table)
  if (readable !== 'all' && !readable.has(column.ordinal)) {
    throw context.view.unknownColumn({
      name,
      table,
      position,
      known: columnNames(table, readable),
    })
  }
  if (val === undefined || 'MultiAssignRef' in val) {
    throw partAsTarget(position)
  }
  if ('SetToDefault' in val) throw unsupported('DEFAULT for a part of a column', position)
  const { part, type } = targetPart(column, indirection, position, environment)
  const value = assignValue(val, { ...column, type }, { operation: 'update' }, environment)
  return { column: column.ordinal, part, value }
}
