/** @module Runs or opens statements of the engine. */
import type { Cells } from '@engine/core/adapter'
import type {
  CursorRows,
  SessionCursor,
  SessionStatement,
  StatementDescription,
} from '@engine/core/session'
import { wireError } from '../../errors/wire-error.ts'
import type { ValueSettings } from '../../values/cell-format.ts'
import { currentRowOf } from '../cursors/current-row.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import { type Completion, completionOf } from '../results/completion.ts'
import type { ResultShape } from '../results/result-shape.ts'
import type { RowSink } from '../results/row-sink.ts'
import type { RowSource } from '../results/row-source.ts'
import { shapeOf } from '../results/shape-of-plan.ts'
import { hasRows } from './prepare-statement.ts'

export interface QueryRun {
  readonly request: SessionStatement
  readonly params: Cells
  /** Is called with the plan that will run, and may refuse it. */
  readonly check?: ((description: StatementDescription) => void) | undefined
  /** See `SessionStatement`; only for `openQuery`. */
  readonly isCursor?: boolean
}

export interface OpenedQuery {
  readonly source: RowSource
  readonly shape: ResultShape
  /** Set for the query of a cursor: then rows may have more cells than `shape`. */
  readonly cursor: CursorRows | undefined
}

/** Runs a statement to its end. */
export async function runQuery(
  parts: SessionParts,
  { request, params, check }: QueryRun,
  sink: RowSink,
): Promise<Completion> {
  const { client, block, running, limits } = parts
  const numbers = parts.lookups.numbers()
  if (block.isReadOnly()) refuseWrite(await client.describe(request, running.signal()))
  block.noteStatement()
  let hasBegun = false
  const begin = (description: StatementDescription) => {
    hasBegun = true
    check?.(description)
    if (hasRows(description)) sink.begin(shapeOf(description, numbers, parts.lookups.values()))
  }
  const isWhole = sink.isWhole === true
  const statement = isWhole ? inPieces(request, limits.maxCursorRows) : request
  const { description, rowCount, truncated } = await client.execute(statement, {
    params,
    overflow: isWhole ? 'error' : limits.overflow,
    signal: running.signal(),
    correlationId: running.correlationId(),
    currentRow: currentRowOf(parts.portals),
    receiver: { begin, row: sink.row, hold: sink.hold },
  })
  if (!hasBegun) begin(description)
  if (truncated) warnTruncated(parts, rowCount)
  return completionOf(description.operation, rowCount)
}

/** Rows of a read, for a client that fetches them in pieces. Only while a transaction is open. */
export async function openQuery(
  parts: SessionParts,
  { request, params, check, isCursor = false }: QueryRun,
): Promise<OpenedQuery> {
  const { client, block, running, limits, memory } = parts
  const numbers = parts.lookups.numbers()
  block.noteStatement()
  const cursor = await client.open(inPieces(request, limits.maxCursorRows, isCursor), {
    params,
    overflow: limits.overflow,
    signal: running.signal(),
    correlationId: running.correlationId(),
  })
  check?.(cursor.description)
  memory.take(cursor.bufferedBytes)
  const values = parts.lookups.values()
  const shape = inCurrentEncoding(parts, values, (seen) =>
    shapeOf(cursor.description, numbers, seen),
  )
  return { source: rowsOf(parts, cursor), shape, cursor: cursor.description.cursor }
}

/** Rows that are fetched after SET client_encoding are sent in the encoding of that time. */
function inCurrentEncoding(
  { settings }: SessionParts,
  values: ValueSettings,
  shapeWith: (values: ValueSettings) => ResultShape,
): ResultShape {
  const shape = shapeWith(values)
  return {
    fields: shape.fields,
    encoder: (formats) => {
      const encoding = settings.clientEncoding()
      return (encoding === values.encoding ? shape : shapeWith({ ...values, encoding })).encoder(
        formats,
      )
    },
  }
}

/** @throws {GatewayError} 25006 */
export function refuseWrite({ isWrite, operation }: StatementDescription): void {
  if (!isWrite) return
  const message = `cannot execute ${operation.toUpperCase()} in a read-only transaction`
  throw wireError('25006', message, 'permissionDenied')
}

/** A truncated answer gets a warning. */
export function warnTruncated(parts: SessionParts, rowCount: number): void {
  parts.warn('01000', `the answer ends after ${rowCount} rows: the limit allows no more`)
}

const reads = new WeakMap<SessionStatement, SessionStatement>()
const cursors = new WeakMap<SessionStatement, SessionStatement>()

/** The statement with the limit of those that are read in pieces; the same object for the same statement. */
function inPieces(request: SessionStatement, maxRows: number, isCursor = false): SessionStatement {
  const pieces = isCursor ? cursors : reads
  const known = pieces.get(request)
  if (known?.maxRows === maxRows) return known
  const made = { ...request, maxRows, isCursor }
  pieces.set(request, made)
  return made
}

function rowsOf(parts: SessionParts, cursor: SessionCursor): RowSource {
  let count = 0
  let held = cursor.bufferedBytes
  return {
    fetch: async (wanted) => {
      const rows = await cursor.fetch(wanted)
      count += rows.length
      if (rows.length < wanted && cursor.truncated()) warnTruncated(parts, count)
      return rows
    },
    close: () => {
      parts.memory.give(held)
      held = 0
      return cursor.close()
    },
  }
}
