import type { Assignment, InsertWrite, OnConflict } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import type { Table } from '../../catalog/catalog.ts'
import type { Access } from '../access/access.ts'
import { denial } from '../access/denial.ts'
import { allOf, whenTrue } from '../combination/kleene.ts'
import { filterExpression } from '../filter/filter-expression.ts'
import { maskWith } from './mask-with.ts'
import { readRules, selectPermissions } from './read-rules.ts'
import { requireReadableParts } from './readable-parts.ts'
import { presetAssignments } from './with-presets.ts'
import { checkExpression, writeRules } from './write-rules.ts'

/** ON CONFLICT, with the conditions on the rows that it conflicts with. */
export interface AuthorizedConflict {
  readonly onConflict: OnConflict | undefined
  readonly existing: Expression | undefined
  /** May refer to `oldConditions`, which are TRUE for a new row. */
  readonly check: Expression | undefined
  readonly oldConditions: readonly Expression[]
}

/**
 * DO UPDATE is an UPDATE of the existing row: it needs the right to see and to change it, else the row is skipped as if it did
 * not exist. The proposed row must satisfy the INSERT's check in either case.
 */
export function authorizeConflict(
  write: InsertWrite,
  access: Access,
  nextId: () => number,
): AuthorizedConflict {
  const { onConflict, target } = write
  if (onConflict === undefined) {
    return { ...unconditional, onConflict }
  }
  verifyArbiter(onConflict, access, target.table)
  const { action } = onConflict
  if (action.kind === 'nothing') {
    return { ...unconditional, onConflict }
  }
  requireReadableParts(action.assignments, target.table, access)
  const columns = action.assignments.map(({ column }) => column)
  const rules = writeRules(access, target.table, 'update', columns)
  const read = readRules(access, target.table)
  const rows = whenTrue(allOf([read.rows, rules.rows]))
  const mask = maskWith(read.cells, target.oldRow, nextId)
  const { check, oldConditions } = checkExpression(rules, target, target.oldRow, nextId)
  return {
    onConflict: {
      ...onConflict,
      action: {
        ...action,
        assignments: [
          ...action.assignments.map(
            (assignment): Assignment => ({
              ...assignment,
              value:
                assignment.value.kind === 'default' ? assignment.value : mask(assignment.value),
            }),
          ),
          ...presetAssignments(rules.presets, target.newRow),
        ],
        where: action.where && mask(action.where),
      },
    },
    existing: rows.kind === 'true' ? undefined : filterExpression(rows, target.oldRow, nextId),
    check,
    oldConditions,
  }
}

const unconditional = { existing: undefined, check: undefined, oldConditions: [] } as const

/** A named unique key reveals whether a row with it exists: its columns must be readable. */
function verifyArbiter(onConflict: OnConflict, access: Access, table: Table): void {
  const granting = selectPermissions(access, table)
  const isReadable = (column: number) => granting.some(({ select }) => select.columns.has(column))
  if (granting.length > 0 && (onConflict.target?.columns ?? []).every(isReadable)) return
  throw denial({
    access,
    table: `${table.connection}.${table.name}`,
    operation: 'select',
    evaluated: access.permissionsFor(table).map(({ name }) => name),
    reason: 'ON CONFLICT needs the right to read the key',
  })
}
