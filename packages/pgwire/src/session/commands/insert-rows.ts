/** @module Writes many rows into one table by INSERT statements of the engine. */
import { GatewayError } from '@engine/core'
import type { SessionStatement, StatementDescription, TypeSystem } from '@engine/core/server'
import { type Oid, oids } from '@engine/core/values'
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
  const width = table.columns.length
  const searchPath = parts.settings.searchPath()
  const shownSql = `COPY ${table.quotedName} (${table.columns.map(quoted).join(', ')}) FROM STDIN`
  const { client, running } = parts
  const plain = { sql: insertSql(table, 1), parameterOids: [], searchPath, shownSql }
  const description = await asCopy(table, () => client.describe(plain, running.signal()))
  const typeOids = description.parameterTypes.map(({ oid }) => oid)
  const requestOf = (rows: number, parameterOids: readonly number[]): SessionStatement => ({
    sql:
      where === undefined ? insertSql(table, rows) : filteredSql(table, description, rows, where),
    parameterOids,
    searchPath,
    shownSql,
  })
  if (where !== undefined) {
    await asFiltered(table, () => client.describe(requestOf(1, typeOids), running.signal()))
  }
  const numbers = await parts.lookups.numbers()
  const readRow = createParameterReader(description, (oid) =>
    numbers.typeOid(description.connection, oid),
  )
  const requests = batchSizes
    .filter((rows) => rows === 1 || rows * width <= mostValues)
    .map((rows) => ({ rows, request: requestOf(rows, Array(rows).fill(typeOids).flat()) }))
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
      const { count = 0 } = await runQuery(parts, { request, params }, collectingSink())
      written += count
    } catch (error) {
      throw inContext(error, rows)
    }
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

/** @throws {GatewayError} errors of the condition; 0A000 for a column that may be one of those that are not copied */
function asFiltered<Result>(table: CopyTable, work: () => Promise<Result>): Promise<Result> {
  return asCopy(table, work).catch((error: unknown) => {
    const isUnknown = error instanceof GatewayError && error.problem === 'unknownColumn'
    if (!isUnknown || table.columns.length === table.allColumns.length) throw error
    const message = 'COPY FROM WHERE of columns that are not copied is not supported'
    throw new GatewayError('unsupported', message, { sqlState: '0A000', cause: error })
  })
}

function insertSql(table: CopyTable, rowCount: number): string {
  const rows = rowsOf(rowCount, table.columns.length, (parameter) => parameter)
  return `${insertInto(table)} VALUES ${rows}`
}

/** The condition sees values of the columns' types, as they will be stored. */
function filteredSql(
  table: CopyTable,
  { parameterTypes, types }: Pick<StatementDescription, 'parameterTypes' | 'types'>,
  rowCount: number,
  where: string,
): string {
  const names = table.columns.map(quoted).join(', ')
  const rows = rowsOf(rowCount, table.columns.length, (parameter, column) => {
    const { oid } = parameterTypes[column] ?? {}
    const typmod = table.typmods[column] ?? -1
    if (oid === undefined || typmod === -1 || limitsLength(types, oid)) return parameter
    return `${parameter}::${types.formatType(oid, typmod)}`
  })
  const source = `(VALUES ${rows}) AS ${quoted(table.name)} (${names})`
  return `${insertInto(table)} SELECT ${names} FROM ${source} WHERE ${where}`
}

const lengthTypes: ReadonlySet<Oid> = new Set([oids.varchar, oids.bpchar, oids.bit, oids.varbit])

/** A cast would cut a text that is too long, where INSERT refuses it. */
function limitsLength(types: TypeSystem, oid: Oid): boolean {
  return lengthTypes.has(types.baseTypeOid(oid))
}

function insertInto({ quotedName, columns, overridesIdentity }: CopyTable): string {
  const overriding = overridesIdentity ? ' OVERRIDING SYSTEM VALUE' : ''
  return `INSERT INTO ${quotedName} (${columns.map(quoted).join(', ')})${overriding}`
}

/** `($1, $2), ($3, $4)` */
function rowsOf(
  rowCount: number,
  width: number,
  write: (parameter: string, column: number) => string,
): string {
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const values = Array.from({ length: width }, (_, column) =>
      write(`$${row * width + column + 1}`, column),
    )
    return `(${values.join(', ')})`
  })
  return rows.join(', ')
}
