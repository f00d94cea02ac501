import { unreachable } from '../../../foundation/unreachable.ts'
import type {
  DeleteWrite,
  InsertWrite,
  Returning,
  UpdateWrite,
  Write,
} from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import type { Access } from '../access/access.ts'
import { isLeakproof } from '../barrier/leaky-operation.ts'
import { combine, filterExpression } from '../filter/filter-expression.ts'
import { authorizeConflict } from './authorize-conflict.ts'
import { requireEnforceable } from './enforceable-view.ts'
import { maskWith } from './mask-with.ts'
import { readRules, securedTable } from './read-rules.ts'
import { requireReadableParts } from './readable-parts.ts'
import { presetAssignments, withoutDefaults, withPresets } from './with-presets.ts'
import { checkExpression, deleteRows, insertedColumns, writeRules } from './write-rules.ts'

/**
 * Gives a write its presets and its `security`.
 *
 * @throws {GatewayError} `PERMISSION_DENIED` when no permission covers it.
 */
export function authorizeWrite(write: Write, access: Access, nextId: () => number): Write {
  if (access.isFull) return unrestrictedWrite(write, access, nextId)
  const authorized = restrictedWrite(write, access, nextId)
  if (write.target.table.kind === 'view') requireEnforceable(authorized, access)
  return authorized
}

function restrictedWrite(write: Write, access: Access, nextId: () => number): Write {
  switch (write.kind) {
    case 'insert':
      return authorizeInsert(write, access, nextId)
    case 'update':
      return authorizeUpdate(write, access, nextId)
    case 'delete':
      return authorizeDelete(write, access, nextId)
    default:
      return unreachable(write)
  }
}

function unrestrictedWrite(write: Write, access: Access, nextId: () => number): Write {
  const { target } = write
  const rows =
    write.kind === 'insert' ? undefined : securedTable(access, target.table, target.oldRow, nextId)
  return {
    ...write,
    security: {
      rows,
      existing: undefined,
      oldConditions: [],
      check: undefined,
      visible: undefined,
    },
  }
}

function authorizeInsert(write: InsertWrite, access: Access, nextId: () => number): Write {
  const { table, newRow } = write.target
  const columns = insertedColumns(write)
  const rules = writeRules(access, table, 'insert', columns)
  const { check } = checkExpression(rules, write.target, newRow, nextId)
  const narrowed = withPresets(withoutDefaults(write, columns), rules.presets, nextId)
  const conflict = authorizeConflict(write, access, nextId)
  const { returning, visible } = authorizeReturning(write, access, nextId)
  const checks = [check, conflict.check].flatMap((part) => (part === undefined ? [] : [part]))
  return {
    ...narrowed,
    onConflict: conflict.onConflict,
    returning,
    security: {
      rows: undefined,
      existing: conflict.existing,
      oldConditions: conflict.oldConditions,
      check: checks.length === 0 ? undefined : combine('and', checks),
      proposed: write.onConflict && check,
      visible,
    },
  }
}

function authorizeUpdate(write: UpdateWrite, access: Access, nextId: () => number): Write {
  const { table, oldRow, newRow } = write.target
  const columns = write.assignments.map(({ column }) => column)
  requireReadableParts(write.assignments, table, access)
  const rules = writeRules(access, table, 'update', columns)
  const rows = securedTable(access, table, oldRow, nextId, rules.rows)
  const { check, oldConditions } = checkExpression(rules, write.target, rows.base, nextId)
  const { returning, visible } = authorizeReturning(write, access, nextId)
  return {
    ...write,
    assignments: [...write.assignments, ...presetAssignments(rules.presets, newRow)],
    returning,
    security: { rows, existing: undefined, oldConditions, check, visible },
  }
}

function authorizeDelete(write: DeleteWrite, access: Access, nextId: () => number): Write {
  const { table, oldRow } = write.target
  const rows = securedTable(access, table, oldRow, nextId, deleteRows(access, table))
  const { returning } = authorizeReturning(write, access, nextId)
  return {
    ...write,
    returning,
    security: {
      rows,
      existing: undefined,
      oldConditions: [],
      check: undefined,
      visible: undefined,
    },
  }
}

interface AuthorizedReturning {
  readonly returning: Returning | undefined
  /** Stored rows that the caller can see; undefined = all of them, as with a DELETE: a deleted row was visible. */
  readonly visible: Expression | undefined
}

/** RETURNING must not even fail on a stored row that the caller cannot see. */
function authorizeReturning(
  write: Write,
  access: Access,
  nextId: () => number,
): AuthorizedReturning {
  const { returning, target } = write
  // The number of written rows tells nothing that a write without RETURNING does not tell.
  if (returning === undefined || returning.isCounted === true) {
    return { returning, visible: undefined }
  }
  const { rows, cells } = readRules(access, target.table)
  const mask = maskWith(cells, target.newRow, nextId)
  if (rows.kind === 'true' || write.kind === 'delete') {
    return { returning: { ...returning, outputs: returning.outputs.map(mask) }, visible: undefined }
  }
  const isVisible = () => filterExpression(rows, target.newRow, nextId)
  const outputs = returning.outputs.map((output): Expression => {
    const masked = mask(output)
    if (isLeakproof(output, access.connection.types)) return masked
    const whens = [{ condition: isVisible(), result: masked }]
    return { kind: 'case', whens, otherwise: undefined, type: output.type }
  })
  return { returning: { ...returning, outputs }, visible: isVisible() }
}
