/** @module Writes many rows into one table by INSERT statements of the engine. */
import { GatewayError } from '@engine/core'
import type { Cells } from '@engine/core/adapter'
import type { SessionStatement, StatementDescription } from '@engine/core/session'
import type { CopyRow } from '../../copy/copy-codec.ts'
import { copyContext } from '../../copy/copy-error.ts'
import { again } from '../../errors/wire-error.ts'
import type { Format } from '../../protocol/frontend-message.ts'
import { runQuery } from '../execute/run-query.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import { createParameterReader } from '../results/bound-parameters.ts'
import { collectingSink } from '../results/row-sink.ts'
import { asCopy, type CopyTable, quoted } from './copy-table.ts'
import { filteredSql, insertSql } from './insert-sql.ts'

export interface RowInserter {
  /** @throws {GatewayError} the engine's errors for the rows. */
  add(rows: readonly CopyRow[]): Promise<void>
  /** Writes the remaining rows. @returns how many rows were written */
  finish(): Promise<number>
}

/** Maximum values of one statement. */
const mostValues = 2_000

/** Rows of one statement: as many as fit, and fewer for the remaining rows. */
const batchSizes = [128, 16, 1]

/** A statement for so many rows. */
interface Batch {
  readonly rows: number
  readonly request: SessionStatement
}

/**
 * @param where a condition on the values: other rows are left out
 * @throws {GatewayError} the engine's errors for the table, its columns and the condition
 */
export async function createRowInserter(
  parts: SessionParts,
  table: CopyTable,
  format: Format,
  where?: string,
): Promise<RowInserter> {
  const { client, running, lookups } = parts
  const width = table.columns.length
  const searchPath = parts.settings.searchPath()
  const shownSql = `COPY ${table.quotedName} (${table.columns.map(quoted).join(', ')}) FROM STDIN`
  const plain = { sql: insertSql(table, 1), parameterOids: [], searchPath, shownSql }
  const description = await asCopy(table, () => client.describe(plain, running.signal()))
  const typeOids = description.parameterTypes.map(({ oid }) => oid)
  const requestOf = (rows: number): SessionStatement => ({
    sql:
      where === undefined ? insertSql(table, rows) : filteredSql(table, description, rows, where),
    parameterOids: Array(rows).fill(typeOids).flat(),
    searchPath,
    shownSql,
  })
  if (where !== undefined) {
    await asFiltered(table, () => client.describe(requestOf(1), running.signal()))
  }
  const batches = batchSizes
    .filter((rows) => rows === 1 || rows * width <= mostValues)
    .map((rows) => ({ rows, request: requestOf(rows) }))
  const numbers = lookups.numbers()
  const readRow = createParameterReader(description, (oid) =>
    numbers.typeOid(description.connection, oid),
  )
  const read = createRowReader(parts, readRow, format)
  return new BatchInserter(batches, async (rows, request) => {
    try {
      const params = rows.flatMap(read)
      const { count = 0 } = await runQuery(parts, { request, params }, collectingSink())
      return count
    } catch (error) {
      throw inContext(error, rows, table, description)
    }
  })
}

/** A class: the rows that wait, and the count of those that are written, change together (decision 0088). */
class BatchInserter implements RowInserter {
  /** Largest first. */
  readonly #batches: readonly Batch[]
  readonly #write: (rows: readonly CopyRow[], request: SessionStatement) => Promise<number>
  readonly #largest: number
  #waiting: CopyRow[] = []
  #written = 0

  constructor(
    batches: readonly Batch[],
    write: (rows: readonly CopyRow[], request: SessionStatement) => Promise<number>,
  ) {
    this.#batches = batches
    this.#write = write
    this.#largest = batches[0]?.rows ?? 1
  }

  async add(rows: readonly CopyRow[]): Promise<void> {
    this.#waiting = this.#waiting.length === 0 ? [...rows] : [...this.#waiting, ...rows]
    if (this.#waiting.length >= this.#largest) await this.#drain(this.#largest)
  }

  async finish(): Promise<number> {
    await this.#drain(1)
    return this.#written
  }

  /** Writes statements of at least this number of rows; the remaining rows wait. */
  async #drain(least: number): Promise<void> {
    for (const { rows, request } of this.#batches) {
      if (rows < least) break
      let start = 0
      for (; this.#waiting.length - start >= rows; start += rows) {
        const batch = this.#waiting.slice(start, start + rows)
        const written = await this.#write(batch, request)
        this.#written += written
      }
      this.#waiting = this.#waiting.slice(start)
    }
  }
}

/** Reads the values of a row. Lines were read as text already: their cells are UTF-8. */
function createRowReader(
  { lookups }: SessionParts,
  readRow: ReturnType<typeof createParameterReader>,
  format: Format,
): (row: CopyRow) => Cells {
  let last = lookups.values()
  let inUtf8 = { ...last, encoding: undefined }
  const settingsOfCells = () => {
    const values = lookups.values()
    if (format === 1) return values
    if (values !== last) inUtf8 = { ...values, encoding: undefined }
    last = values
    return inUtf8
  }
  return ({ cells }) =>
    readRow(
      {
        parameters: cells.map((cell) => (typeof cell === 'string' ? Buffer.from(cell) : cell)),
        parameterFormats: [format],
        resultFormats: [],
      },
      settingsOfCells(),
    )
}

/** Adds the line and the value, where the error is about a value. */
function inContext(
  error: unknown,
  rows: readonly CopyRow[],
  table: CopyTable,
  description: StatementDescription,
): unknown {
  if (!(error instanceof GatewayError)) return error
  for (const { line, cells } of rows) {
    for (const [i, cell] of cells.entries()) {
      if (typeof cell !== 'string') continue
      const { oid = 0, typmod = -1 } = description.parameterTypes[i] ?? {}
      const read = description.types.parseInput(oid, typmod, cell, 'assignment')
      if (read.ok) continue
      return new GatewayError('invalidValue', read.message, {
        cause: error,
        sqlState: read.sqlState,
        details: { context: copyContext(table.name, line, table.columns[i], cell) },
      })
    }
  }
  const [first] = rows
  if (rows.length > 1 || first === undefined) return again(error, {})
  const text = error.sqlState === '23505' ? undefined : first.text
  return again(error, { context: copyContext(table.name, first.line, undefined, text) })
}

/** @throws {GatewayError} errors of the condition; 0A000 for a column that may be one of those that are not copied */
function asFiltered<Result>(table: CopyTable, work: () => Promise<Result>): Promise<Result> {
  return asCopy(table, work).catch((error: unknown) => {
    const isUnknown = error instanceof GatewayError && error.problem === 'unknownColumn'
    if (!isUnknown || table.columns.length === table.allColumns.length) throw error
    const message = 'COPY FROM WHERE of columns that are not copied is not supported'
    throw new GatewayError('unsupported', message, { sqlState: '0A000', cause: error })
  })
}
