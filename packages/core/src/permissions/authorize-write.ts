import type {
  Assignment,
  DefaultCell,
  DeleteWrite,
  InsertWrite,
  OnConflict,
  Query,
  RelationId,
  Returning,
  UpdateWrite,
  Write,
} from '../bind/bound-query.ts'
import type { Expression } from '../bind/expression.ts'
import { mapExpression } from '../bind/map-query.ts'
import type { Table } from '../catalog/catalog.ts'
import { unreachable } from '../unreachable.ts'
import type { Access } from './access.ts'
import { denial } from './denial.ts'
import { combine, filterExpression } from './filter-expression.ts'
import type { Presets } from './permission-set.ts'
import { allOf, type PolicyFilter, whenTrue } from './policy-filter.ts'
import { readRules, securedTable, selectPermissions } from './read-rules.ts'
import { checkExpression, deleteRows, insertedColumns, writeRules } from './write-rules.ts'

/**
 * Gives a write its presets and its `security`.
 *
 * @throws {GatewayError} `PERMISSION_DENIED` when no permission covers it.
 */
export function authorizeWrite(write: Write, access: Access, nextId: () => number): Write {
  if (access.isFull) return unrestrictedWrite(write, access, nextId)
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
      oldConditions: [],
      check: checks.length === 0 ? undefined : combine('and', checks),
      visible,
    },
  }
}

/** Leaves out the columns that are DEFAULT in every row: the client does not set them. */
function withoutDefaults(write: InsertWrite, columns: readonly number[]): InsertWrite {
  const { source } = write
  if (source.kind !== 'values' || columns.length === write.columns.length) return write
  const kept = write.columns.map((column) => columns.includes(column))
  if (columns.length === 0 && source.rows.length === 1) {
    return { ...write, columns: [], source: { kind: 'defaults' } }
  }
  if (columns.length === 0) return write
  const rows = source.rows.map((row) => row.filter((_, i) => kept[i]))
  return { ...write, columns, source: { kind: 'values', rows } }
}

function withPresets(write: InsertWrite, presets: Presets, nextId: () => number): InsertWrite {
  if (presets.size === 0) return write
  const added = [...presets].map(([column, { value }]) => ({
    column,
    value: value.build(write.target.newRow, undefined),
  }))
  const kept = write.columns.flatMap((column, i) => (presets.has(column) ? [] : [{ column, i }]))
  const columns = [...kept.map(({ column }) => column), ...added.map(({ column }) => column)]
  const values = added.map(({ value }) => value)
  const { source } = write
  switch (source.kind) {
    case 'defaults':
      return { ...write, columns, source: { kind: 'values', rows: [values] } }
    case 'values': {
      const rows = source.rows.map((row): readonly (Expression | DefaultCell)[] => [
        ...kept.map(({ i }): Expression | DefaultCell => row[i] ?? { kind: 'default' }),
        ...values,
      ])
      return { ...write, columns, source: { kind: 'values', rows } }
    }
    case 'query':
      return { ...write, columns, source: presetQuery(source.query, values, nextId) }
    default:
      return unreachable(source)
  }
}

/** The rows of a query with constant columns behind them. */
function presetQuery(
  query: Query,
  values: readonly Expression[],
  nextId: () => number,
): InsertWrite['source'] {
  const id = nextId()
  const own = query.columns.map(
    ({ type }, column): Expression => ({ kind: 'column', relation: id, column, type }),
  )
  return {
    kind: 'query',
    query: {
      kind: 'select',
      ctes: [],
      columns: [...query.columns, ...values.map(({ type }) => ({ name: '?column?', type }))],
      outputs: [...own, ...values],
      distinct: 'none',
      from: [{ kind: 'subquery', id, query, lateral: false }],
      where: undefined,
      groupBy: undefined,
      isAggregated: false,
      having: undefined,
      locking: [],
      orderBy: [],
      limit: undefined,
      offset: undefined,
    },
  }
}

interface AuthorizedConflict {
  readonly onConflict: OnConflict | undefined
  readonly existing: Expression | undefined
  readonly check: Expression | undefined
}

/**
 * DO UPDATE is an UPDATE of the existing row: it needs the right to see and to change it, else the row is skipped, as
 * if there were none. The proposed row must satisfy the INSERT's check whatever becomes of it.
 */
function authorizeConflict(
  write: InsertWrite,
  access: Access,
  nextId: () => number,
): AuthorizedConflict {
  const { onConflict, target } = write
  if (onConflict === undefined) {
    return { onConflict, existing: undefined, check: undefined }
  }
  verifyArbiter(onConflict, access, target.table)
  const { action } = onConflict
  if (action.kind === 'nothing') {
    return { onConflict, existing: undefined, check: undefined }
  }
  const columns = action.assignments.map(({ column }) => column)
  const rules = writeRules(access, target.table, 'update', columns)
  const read = readRules(access, target.table)
  const rows = whenTrue(allOf([read.rows, rules.rows]))
  const mask = maskWith(read.cells, target.oldRow, nextId)
  const { check } = checkExpression(rules, target, target.oldRow, nextId)
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
  }
}

/** Naming a unique key asks whether a row with it exists: its columns must be readable. */
function verifyArbiter(onConflict: OnConflict, access: Access, table: Table): void {
  const granting = selectPermissions(access, table)
  const isReadable = (column: number) => granting.some(({ select }) => select.columns.has(column))
  if (granting.length > 0 && (onConflict.target ?? []).every(isReadable)) return
  throw denial({
    access,
    table: `${table.connection}.${table.name}`,
    operation: 'select',
    evaluated: access.permissionsFor(table).map(({ name }) => name),
    reason: 'ON CONFLICT needs the right to read the key',
  })
}

function presetAssignments(presets: Presets, row: RelationId): readonly Assignment[] {
  return [...presets].map(([column, { value }]) => ({ column, value: value.build(row, undefined) }))
}

function authorizeUpdate(write: UpdateWrite, access: Access, nextId: () => number): Write {
  const { table, oldRow, newRow } = write.target
  const columns = write.assignments.map(({ column }) => column)
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
  // A deleted row was visible before, which is what RETURNING shows: only its masked cells are left to hide.
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
  /** Stored rows that the caller can see; undefined = all of them. */
  readonly visible: Expression | undefined
}

function authorizeReturning(
  write: Write,
  access: Access,
  nextId: () => number,
): AuthorizedReturning {
  const { returning, target } = write
  if (returning === undefined) return { returning, visible: undefined }
  const { rows, cells } = readRules(access, target.table)
  const mask = maskWith(cells, target.newRow, nextId)
  return {
    returning: { ...returning, outputs: returning.outputs.map(mask) },
    visible: rows.kind === 'true' ? undefined : filterExpression(rows, target.newRow, nextId),
  }
}

/** Replaces the cells of a raw row by what the caller sees of them. */
function maskWith(
  cells: ReadonlyMap<number, PolicyFilter>,
  row: RelationId,
  nextId: () => number,
): (expression: Expression) => Expression {
  if (cells.size === 0) return (expression) => expression
  return (expression) =>
    mapExpression(expression, {
      expression: (part) => {
        const cell =
          part.kind === 'column' && part.relation === row ? cells.get(part.column) : undefined
        if (cell === undefined) return part
        const condition = filterExpression(cell, row, nextId)
        return {
          kind: 'case',
          whens: [{ condition, result: part }],
          otherwise: undefined,
          type: part.type,
        }
      },
    })
}
