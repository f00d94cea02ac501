import { unreachable } from '../../../foundation/unreachable.ts'
import type { Assignment, BoundStatement, Write } from '../../bind/tree/bound-query.ts'
import { visitStatement } from '../../bind/tree/visit-query.ts'
import type { Written } from '../../catalog/possible-foreign-keys.ts'

/** @returns undefined where the statement writes no table, or several. */
export function writtenTable(statement: BoundStatement): Written | undefined {
  const writes: Write[] = []
  visitStatement(statement, { write: (write) => void writes.push(write) })
  const [write, another] = writes
  return write === undefined || another !== undefined ? undefined : written(write)
}

function written(write: Write): Written {
  const { table } = write.target
  const all = new Set(table.columns.map(({ name }) => name))
  const none = new Set<string>()
  const named = (assignments: readonly Assignment[]) =>
    new Set(assignments.map(({ column }) => table.columns[column]?.name ?? ''))
  switch (write.kind) {
    case 'insert': {
      const action = write.onConflict?.action
      const gone = action?.kind === 'update' ? named(action.assignments) : none
      return { table, set: all, gone, isDelete: false }
    }
    case 'update': {
      const changed = named(write.assignments)
      return { table, set: changed, gone: changed, isDelete: false }
    }
    case 'delete':
      return { table, set: none, gone: all, isDelete: true }
    default:
      return unreachable(write)
  }
}
