import { hash } from 'node:crypto'
import {
  type CompiledStatement,
  type GatewayError,
  type PlanStep,
  type RowShape,
  sqlOf,
  type ValueSource,
} from '@engine/core/adapter'
import type { SqlType, TypeSystem } from '@engine/core/catalog'
import {
  createArrayEncoder,
  createLatencyEstimate,
  createObjectEncoder,
  type LatencyEstimate,
} from '@engine/core/driver'
import type { OutputColumn } from '@engine/core/tree'
import { type ExpectedColumns, expectColumns } from './expected-columns.ts'
import { cellForm, type RowLayout } from './protocol/json-rows.ts'

/** What the adapter knows about a compiled statement besides its SQL. */
export interface PostgresHints {
  readonly steps: readonly StepHints[]
  readonly layouts: Readonly<Record<RowShape, RowLayout>>
  /** Runs in its client's transaction though it does not write. */
  readonly belongsToTransaction: boolean
  /** The error of a statement that reads numbers of sequences, in a session that drew none. Undefined for all others. */
  readonly noNumbers: (() => GatewayError) | undefined
  /**
   * What it may share with statements of other callers: a read its connection, an INSERT that runs no code of a user its
   * transaction. Undefined: nothing.
   */
  readonly shares: 'connection' | 'transaction' | undefined
  /** For a statement that shares something. */
  readonly latency: LatencyEstimate | undefined
  /** Number of result columns: cells after them belong to the engine. */
  readonly columnCount: number
  /** The types of the columns of the answer. */
  readonly expects: ExpectedColumns
}

export interface StepHints {
  /** Name of the prepared statement: it identifies its text. */
  readonly statementName: string
  /** Delimiters between the elements of an array, by parameter. */
  readonly delimiters: readonly string[]
}

export interface NativeStatement {
  readonly steps: readonly PlanStep[]
  readonly columns: readonly OutputColumn[]
  readonly isWrite: boolean
  /** See `isPlainInsert`. */
  readonly isPlainInsert?: boolean
  readonly belongsToTransaction?: boolean
  readonly noNumbers?: PostgresHints['noNumbers']
}

/** SQL that is ready to run, with everything that is computed once for all executions. */
export function nativeStatement(native: NativeStatement, types: TypeSystem): CompiledStatement {
  const { steps, columns, isWrite, belongsToTransaction = false, noNumbers } = native
  const shares = sharedBy(native)
  const hints: PostgresHints = {
    steps: steps.map((step) => ({
      statementName: hash('sha256', sqlOf(step), 'base64url').slice(0, 22),
      delimiters: step.parameters.map((source) => delimiterOf(source, types)),
    })),
    layouts: rowLayouts(columns, types),
    columnCount: columns.length,
    shares,
    latency: shares && createLatencyEstimate(),
    belongsToTransaction,
    noNumbers,
    expects: expectColumns(
      columns.map(({ type }) => type.oid),
      isWrite,
      (oid) => JSON.stringify(types.wireKind(oid)),
    ),
  }
  return {
    steps,
    needsTransaction: steps.length > 1 || steps.some((step) => step.checkColumn !== undefined),
    isWrite,
    columns,
    hints: { postgres: hints },
  }
}

function sharedBy({
  steps,
  isWrite,
  isPlainInsert = false,
  belongsToTransaction = false,
}: NativeStatement): PostgresHints['shares'] {
  if (!isWrite) return belongsToTransaction || !isPlainQuery(steps) ? undefined : 'connection'
  const [step, another] = steps
  const isOneStep = another === undefined && step?.checkColumn === undefined
  return isPlainInsert && isOneStep ? 'transaction' : undefined
}

function isPlainQuery([step, another]: readonly PlanStep[]): boolean {
  return (
    another === undefined &&
    step?.yields === 'result' &&
    step.checkColumn === undefined &&
    step.visibleColumn === undefined
  )
}

/** The hints that `nativeStatement` left. */
export function hintsOf(statement: CompiledStatement): PostgresHints {
  return statement.hints?.['postgres'] as PostgresHints
}

function rowLayouts(columns: readonly OutputColumn[], types: TypeSystem): PostgresHints['layouts'] {
  const encoded = columns.map(({ name, type }) => ({ name, kind: types.wireKind(type.oid) }))
  const { length } = columns
  return {
    array: {
      forms: encoded.map((column) => {
        const encode = createArrayEncoder([column])
        return cellForm(column.kind, (text) => encode([text]).slice(1, -1))
      }),
      encode: createArrayEncoder(encoded),
    },
    object: { forms: undefined, encode: createObjectEncoder(encoded) },
    cells: {
      forms: undefined,
      encode: (cells) => JSON.stringify(cells.length === length ? cells : cells.slice(0, length)),
    },
  }
}

function delimiterOf(source: ValueSource, types: TypeSystem): string {
  const type = typeOfSource(source)
  const elementOid = type === undefined ? undefined : types.elementTypeOid(type.oid)
  return elementOid === undefined ? ',' : (types.typeByOid(elementOid)?.delimiter ?? ',')
}

function typeOfSource(source: ValueSource): SqlType | undefined {
  switch (source.from) {
    case 'request':
    case 'constant':
    case 'requestTime':
      return source.type
    case 'caller':
      return source.slot.type
    case 'clampedLimit':
    case 'step':
      return undefined
  }
}
