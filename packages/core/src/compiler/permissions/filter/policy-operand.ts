import { isPlainObject } from '../../../foundation/plain-object.ts'
import { type TimeShift, timeShift } from '../../bind/coercion/time-shift.ts'
import type { RelationId } from '../../bind/tree/bound-query.ts'
import type { Expression, RequestTime } from '../../bind/tree/expression.ts'
import { made, operatorCall } from '../../bind/tree/typed-call.ts'
import type { Column, Table } from '../../catalog/catalog.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { toSqlValue } from '../../sql-types/system/sql-value.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import type { CallerSlot } from '../../sql-types/value-source.ts'
import type { FilterContext } from './filter-context.ts'
import { jsonValue } from './json-value.ts'

/** One side of a condition: a constant, a value of the caller, or another column. */
export interface Operand {
  readonly slots: readonly CallerSlot[]
  readonly build: (row: RelationId, outer: RelationId | undefined) => Expression
}

/** A column of the tested row. */
export function columnOperand(column: Column): Operand {
  return {
    slots: [],
    build: (relation) => ({ kind: 'column', relation, column: column.ordinal, type: column.type }),
  }
}

/** A constant of type `type`; a text that is too long for it is a fault. */
export function constantOperand(
  value: unknown,
  type: SqlType,
  context: FilterContext,
  path: string,
): Operand | undefined {
  const { types } = context.connection
  const read = toSqlValue(types, type, jsonValue(types, type, value), 'assignment')
  if (!read.ok || read.value === null) {
    context.faults.add(path, read.ok ? 'null is written as { $isNull: true }' : read.message)
    return undefined
  }
  const constant: Expression = { kind: 'constant', value: read.value, type }
  return { slots: [], build: () => constant }
}

/** A field of the caller, converted to `type`. */
export function callerOperand(
  reference: string,
  type: SqlType,
  context: FilterContext,
  path: string,
): Operand | undefined {
  const slot = callerSlot(reference, type, context)
  if (slot === undefined) {
    context.faults.add(path, `"${reference}" is not of the form $user.<field>`)
    return undefined
  }
  return callerSlotOperand(slot)
}

/** The value of a slot, as one side of a condition. */
export function callerSlotOperand(slot: CallerSlot): Operand {
  return { slots: [slot], build: () => ({ kind: 'caller', slot, type: slot.type }) }
}

/** `'$user.a.b'` as a slot; undefined when it is not of that form. */
export function callerSlot(
  reference: string,
  type: SqlType,
  { connection }: FilterContext,
): CallerSlot | undefined {
  const path = reference.slice('$user.'.length).split('.')
  return path.every((part) => part !== '') ? { path, type, connection: connection.name } : undefined
}

/**
 * Reads the right side of an operator: `'$user.x'`, `{ $col }`, `{ $outer }`, `{ $now }`, `{ $literal }` or a scalar.
 *
 * @param type the type that the value is compared with.
 */
export function parseOperand(
  value: unknown,
  type: SqlType,
  context: FilterContext,
  path: string,
): Operand | undefined {
  if (typeof value === 'string' && value.startsWith('$user.')) {
    return callerOperand(value, type, context, path)
  }
  if (typeof value === 'string' && value.startsWith('$user')) {
    context.faults.add(path, `"${value}" is not of the form $user.<field>`)
    return undefined
  }
  if (!isPlainObject(value)) return constantOperand(value, type, context, path)
  const [key, ...others] = Object.keys(value)
  if (others.length === 0 && key === '$literal') {
    return constantOperand(value[key], type, context, path)
  }
  if (others.length === 0 && key === '$now') return nowOperand(value[key], type, context, path)
  if (others.length === 0 && key === '$col') {
    const column = columnNamed(context.table, value[key], context, `${path}.$col`)
    return column && columnOperand(column)
  }
  if (others.length === 0 && key === '$outer' && context.outer !== undefined) {
    return outerOperand(context.outer, value[key], context, `${path}.$outer`)
  }
  const isJson = type.oid === oids.json || type.oid === oids.jsonb
  if (isJson && !Object.keys(value).some((name) => name.startsWith('$'))) {
    return constantOperand(value, type, context, path)
  }
  context.faults.add(path, 'expects a value, "$user.<field>", $col, $now or $literal')
  return undefined
}

function outerOperand(
  outer: Table,
  name: unknown,
  context: FilterContext,
  path: string,
): Operand | undefined {
  const column = columnNamed(outer, name, context, path)
  if (column === undefined) return undefined
  const { ordinal, type } = column
  return {
    slots: [],
    build: (row, relation) => ({
      kind: 'column',
      relation: relation ?? row,
      column: ordinal,
      type,
    }),
  }
}

function columnNamed(
  table: Table,
  name: unknown,
  { faults }: FilterContext,
  path: string,
): Column | undefined {
  const column = table.columns.find((candidate) => candidate.name === name)
  if (column === undefined) {
    faults.add(path, `${table.connection}.${table.name} has no column "${String(name)}"`)
  }
  return column
}

const timeTypes: readonly number[] = [oids.timestamp, oids.timestamptz, oids.date]

function nowOperand(
  offset: unknown,
  type: SqlType,
  context: FilterContext,
  path: string,
): Operand | undefined {
  if (!timeTypes.includes(type.oid)) {
    context.faults.add(path, '$now is compared with a date or timestamp column')
    return undefined
  }
  const shift = offset === 0 || offset === '' || offset === true ? noShift : shiftOf(offset)
  if (shift === undefined) {
    context.faults.add(path, '$now expects an interval such as "-30d", "+12h", "-1 month" or "0s"')
    return undefined
  }
  const { months, ms } = shift
  const moment: RequestTime = {
    kind: 'requestTime',
    offsetMs: ms,
    calendar: months === 0 ? undefined : { startOfDay: false, months },
    type: { oid: type.oid, typmod: -1 },
  }
  return { slots: [], build: () => moment }
}

const noShift: TimeShift = { months: 0, ms: 0 }

function shiftOf(offset: unknown): TimeShift | undefined {
  return typeof offset === 'string' ? timeShift(offset) : undefined
}

/**
 * Equality of columns of two tables, as the join condition of a relation.
 *
 * @returns an error message where they cannot be compared.
 */
export function equalColumns(
  types: TypeSystem,
  near: Table,
  from: readonly string[],
  far: Table,
  to: readonly string[],
): ((before: RelationId, row: RelationId) => readonly Expression[]) | { readonly error: string } {
  const operands = from.map(
    (name, i) => [operandNamed(near, name), operandNamed(far, to[i])] as const,
  )
  const joined = (before: RelationId, row: RelationId) =>
    operands.map(([left, right]) =>
      operatorCall(types, '=', left.build(before, undefined), right.build(row, undefined)),
    )
  const fault = joined(0, 0).find((call) => 'error' in call)
  return fault !== undefined && 'error' in fault
    ? fault
    : (before, row) => joined(before, row).map(made)
}

/** @throws {Error} when the column does not exist: relations were checked when the catalog was built. */
function operandNamed(table: Table, name: string | undefined): Operand {
  const column = table.columns.find((candidate) => candidate.name === name)
  if (column === undefined) throw new Error(`${table.name} has no column ${name}`)
  return columnOperand(column)
}
