/** @module A compiled statement with everything that is prepared once for all executions. */
import {
  type CompiledStatement,
  createTypeSystem,
  misfit,
  type PlanStep,
  type RowShape,
  type SqlType,
} from '@engine/core/adapter'
import {
  type CellKind,
  cellKindOf,
  createStoredRowEncoders,
  type StoredRowEncoder,
  type StoredValue,
} from '@engine/core/values'
import { type ColumnDescription, createColumnGuard } from './values/column-guard.ts'
import type { DriverValue } from './values/driver-value.ts'
import { type ParameterKind, parameterKindOf } from './values/parameter-kind.ts'
import { textOf, valueReader } from './values/stored-value.ts'

export interface Program {
  readonly steps: readonly ProgramStep[]
  readonly isWrite: boolean
  readonly needsTransaction: boolean
  readonly hasColumns: boolean
  /** Checks the columns of a step that yields the result. A write is not checked: it has already run by then. */
  readonly checkColumns: (columns: readonly ColumnDescription[]) => void
  readonly encoders: Readonly<Record<RowShape, (row: readonly DriverValue[]) => string>>
}

export interface ProgramStep extends PlanStep {
  readonly kinds: readonly ParameterKind[]
}

/** The server has no types of its own. */
const types = createTypeSystem()

const programs = new WeakMap<CompiledStatement, Program>()

/** The program of a compiled statement; made once. */
export function programOf(statement: CompiledStatement): Program {
  const known = programs.get(statement)
  if (known !== undefined) return known
  const program = makeProgram(statement)
  programs.set(statement, program)
  return program
}

function makeProgram(statement: CompiledStatement): Program {
  const { steps, columns, isWrite, needsTransaction } = statement
  const cells = columns.map(({ name, type }) => ({ name, cell: cellOf(type) }))
  const { array, object, cells: texts } = createStoredRowEncoders(cells, misfit)
  const read = rowReader(cells.map(({ cell }) => cell))
  return {
    steps: steps.map((step) => ({ ...step, kinds: step.parameters.map(parameterKindOf) })),
    isWrite,
    needsTransaction: needsTransaction || steps.length > 1,
    hasColumns: columns.length > 0,
    checkColumns: isWrite
      ? () => undefined
      : createColumnGuard(
          cells.map(({ cell }) => cell),
          steps.map(({ sql }) => sql).join(';'),
        ),
    encoders: {
      array: encoder(array, read),
      object: encoder(object, read),
      cells: encoder(texts, read),
    },
  }
}

function cellOf(type: SqlType): CellKind {
  return cellKindOf(type, types)
}

function encoder(
  encode: StoredRowEncoder,
  read: (row: readonly DriverValue[]) => readonly StoredValue[],
): (row: readonly DriverValue[]) => string {
  return (row) => encode(read(row))
}

/** Values after the last column are left out. */
function rowReader(
  cells: readonly CellKind[],
): (row: readonly DriverValue[]) => readonly StoredValue[] {
  const readers = cells.map((cell) =>
    cell.kind === 'bytes' || cell.kind === 'boolean' || cell.kind === 'integer'
      ? valueReader(cell)
      : textReader(cell),
  )
  return (row) => readers.map((read, index) => read(row[index] ?? null))
}

/** For types other than bytes: bytes are text that lost its character set. */
function textReader(cell: CellKind): (value: DriverValue) => StoredValue {
  const read = valueReader(cell)
  return (value) => read(Buffer.isBuffer(value) ? (textOf(value) ?? null) : value)
}
