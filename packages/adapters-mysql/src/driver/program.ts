/** @module A compiled statement with everything that is prepared once for all executions. */
import {
  type CompiledStatement,
  GatewayError,
  misfit,
  type PlanStep,
  type RowShape,
} from '@engine/core/adapter'
import { createTypeSystem } from '@engine/core/catalog'
import { createLatencyEstimate, type LatencyEstimate } from '@engine/core/driver'
import { cellKindOf, createStoredRowEncoders, type ParameterKind } from '@engine/core/values'
import { type InsertStep, insertionOf } from '../print/step/insert-step.ts'
import { storedColumnsOf } from '../print/step/result-step.ts'
import { type CatalogReading, createColumnGuard } from '../values/column-guard.ts'
import type { DriverValue } from '../values/driver-value.ts'
import { type JsonColumn, jsonColumn } from '../values/json-column.ts'
import { parameterKindOf } from '../values/parameter-kind.ts'
import { reportedCell } from '../values/reported-type.ts'
import type { WireColumn } from './protocol/column-definition.ts'
import {
  createRowFormat,
  type JsonField,
  type RowShape as JsonShape,
  type RowFormat,
} from './protocol/json-rows.ts'

export interface Program {
  readonly steps: readonly ProgramStep[]
  /** Steps whose rows are inserted one by one. */
  readonly insertedOneByOne: ReadonlySet<number>
  readonly isWrite: boolean
  readonly needsTransaction: boolean
  /** Of a read that may share a connection with others; undefined for any other statement. */
  readonly latency: LatencyEstimate | undefined
  readonly hasColumns: boolean
  readonly shapes: Readonly<Record<Exclude<RowShape, 'cells'>, JsonShape>>
  /** A row for the wire protocol, as JSON. */
  readonly encodeCells: (row: readonly DriverValue[]) => string
  /** Bytes of the last answer: those of the next one are expected to be as many. */
  lastSize: number
}

export interface ProgramStep extends PlanStep {
  readonly insertion: InsertStep['inserts'] | undefined
  readonly kinds: readonly ParameterKind[]
  /**
   * How the rows of these columns are read: by the types that the step was compiled for.
   *
   * @param isStored the step has written, and cannot be undone: a column of another type is read as the server reports it.
   * @throws {GatewayError} `staleCatalog` for a column of another type.
   */
  readonly formatOf: (columns: readonly WireColumn[], isStored: boolean) => RowFormat
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
  const { steps, columns, isWrite, needsTransaction, hints } = statement
  const cells = columns.map(({ name, type }) => ({ name, cell: cellKindOf(type, types) }))
  const kinds = cells.map(({ cell }) => cell)
  const answer = kinds.map(jsonColumn)
  const reading = hints?.['reading'] as CatalogReading | undefined
  const { cells: encodeTexts } = createStoredRowEncoders(cells, misfit)
  return {
    steps: steps.map((step) => ({
      ...step,
      insertion: insertionOf(step),
      kinds: step.parameters.map(parameterKindOf),
      formatOf:
        step.yields === 'result'
          ? createFormats(answer, createColumnGuard(kinds, storedColumnsOf(step), reading))
          : createFormats([], () => true),
    })),
    insertedOneByOne: new Set(steps.flatMap((step) => insertionOf(step)?.eachOf ?? [])),
    isWrite,
    needsTransaction: needsTransaction || steps.length > 1,
    latency:
      isWrite || hints?.['outlastsItself'] === true || !isPlainQuery(steps)
        ? undefined
        : createLatencyEstimate(),
    hasColumns: columns.length > 0,
    shapes: { array: arrayShape(kinds.length), object: objectShape(columns) },
    encodeCells: (row) => encodeTexts(answer.map(({ read }, index) => read(row[index] ?? null))),
    lastSize: 0,
  }
}

function isPlainQuery([step, another]: readonly PlanStep[]): boolean {
  return another === undefined && step?.yields === 'result' && step.visibleColumn === undefined
}

/** Every connection has lists of its own for the same columns. */
function createFormats(
  answer: readonly JsonColumn[],
  accepts: (columns: readonly WireColumn[]) => boolean,
): ProgramStep['formatOf'] {
  const formats = new WeakMap<readonly WireColumn[], RowFormat>()
  return (columns, isStored) => {
    const known = formats.get(columns)
    if (known !== undefined) return known
    if (!accepts(columns)) {
      if (isStored) return createRowFormat(columns, asReported(answer, columns))
      throw new GatewayError('staleCatalog', 'The type of a column has changed.')
    }
    const format = createRowFormat(columns, answer)
    formats.set(columns, format)
    return format
  }
}

function asReported(
  answer: readonly JsonColumn[],
  columns: readonly WireColumn[],
): readonly JsonColumn[] {
  return answer.map((bound, index) => {
    const column = columns[index]
    return column === undefined || column.isCalculated ? bound : jsonColumn(reportedCell(column))
  })
}

/** `[1,"a"]` */
function arrayShape(count: number): JsonShape {
  const fields = Array.from(
    { length: count },
    (_, column): JsonField => ({ before: Buffer.from(column === 0 ? '' : ','), column }),
  )
  return { open: '[', fields, close: ']' }
}

/** `{"id":1,"name":"a"}`; of columns with the same name the last one wins. */
function objectShape(columns: CompiledStatement['columns']): JsonShape {
  const last = new Map(columns.map(({ name }, column) => [name, column]))
  const fields = [...last].map(
    ([name, column], position): JsonField => ({
      before: Buffer.from(`${position === 0 ? '' : ','}${JSON.stringify(name)}:`),
      column,
    }),
  )
  return { open: '{', fields, close: '}' }
}
