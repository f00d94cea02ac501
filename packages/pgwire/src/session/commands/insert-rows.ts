/** @module Writes many rows into one table by INSERT statements of the engine. */
import { GatewayError } from '@engine/core'
import type { SessionStatement } from '@engine/core/server'
import type { CopyRow } from '../../copy/copy-codec.ts'
import { copyContext } from '../../copy/copy-error.ts'
import { again } from '../../errors/wire-error.ts'
import type { Format } from '../../protocol/frontend-message.ts'
import { runQuery } from '../execute/run-query.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import { createParameterReader } from '../results/bound-parameters.ts'
import { collectingSink } from '../results/row-sink.ts'
import { asCopy, type CopyTable, quoted } from './copy-table.ts'

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

/** @throws {GatewayError} the engine's errors for the table and its columns. */
export async function createRowInserter(
  parts: SessionParts,
  table: CopyTable,
  format: Format,
): Promise<RowInserter> {
  const width = table.columns.length
  const searchPath = parts.settings.searchPath()
  const shownSql = `COPY ${table.quotedName} (${table.columns.map(quoted).join(', ')}) FROM STDIN`
  const requestOf = (rows: number, parameterOids: readonly number[]): SessionStatement => ({
    sql: insertSql(table, rows),
    parameterOids,
    searchPath,
    shownSql,
  })
  const { client, running } = parts
  const description = await asCopy(table, () => client.describe(requestOf(1, []), running.signal()))
  const oids = description.parameterTypes.map(({ oid }) => oid)
  const numbers = await parts.lookups.numbers()
  const readRow = createParameterReader(description, (oid) =>
    numbers.typeOid(description.connection, oid),
  )
  const requests = batchSizes
    .filter((rows) => rows === 1 || rows * width <= mostValues)
    .map((rows) => ({ rows, request: requestOf(rows, Array(rows).fill(oids).flat()) }))
  const [largest] = requests
  let waiting: CopyRow[] = []
  let written = 0

  /** Lines were read as text already: their cells are UTF-8. */
  let last = parts.lookups.values()
  let inUtf8 = { ...last, encoding: undefined }
  const settingsOfCells = () => {
    const values = parts.lookups.values()
    if (format === 1) return values
    if (values !== last) inUtf8 = { ...values, encoding: undefined }
    last = values
    return inUtf8
  }
  const read = ({ cells }: CopyRow) =>
    readRow(
      {
        parameters: cells.map((cell) => (typeof cell === 'string' ? Buffer.from(cell) : cell)),
        parameterFormats: [format],
        resultFormats: [],
      },
      settingsOfCells(),
    )
  const write = async (rows: readonly CopyRow[], request: SessionStatement) => {
    try {
      const params = rows.flatMap(read)
      await runQuery(parts, { request, params }, collectingSink())
    } catch (error) {
      throw inContext(error, rows)
    }
    written += rows.length
  }
  /** Adds the line and the value, where the error is about a value. */
  const inContext = (error: unknown, rows: readonly CopyRow[]): unknown => {
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
  /** Writes statements of at least this number of rows; the remaining rows wait. */
  const drain = async (least: number) => {
    for (const { rows, request } of requests) {
      if (rows < least) break
      let start = 0
      for (; waiting.length - start >= rows; start += rows) {
        await write(waiting.slice(start, start + rows), request)
      }
      waiting = waiting.slice(start)
    }
  }

  return {
    add: async (rows) => {
      waiting = waiting.length === 0 ? [...rows] : [...waiting, ...rows]
      if (waiting.length >= (largest?.rows ?? 1)) await drain(largest?.rows ?? 1)
    },
    finish: async () => {
      await drain(1)
      return written
    },
  }
}

function insertSql(
  { quotedName, columns, overridesIdentity }: CopyTable,
  rowCount: number,
): string {
  const names = columns.map(quoted).join(', ')
  const overriding = overridesIdentity ? ' OVERRIDING SYSTEM VALUE' : ''
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const values = columns.map((_, column) => `$${row * columns.length + column + 1}`)
    return `(${values.join(', ')})`
  })
  return `INSERT INTO ${quotedName} (${names})${overriding} VALUES ${rows.join(', ')}`
}
