/**
 * @module A table → the text of its file: unchanged records exactly as they were, and those that were changed or added.
 */
import type { CompiledStatement, Session } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { noTypmod } from '@engine/core/values'
import type { LoadedColumn, LoadedTable } from '../load/load-job.ts'
import { quoted, rowNumberName, textTableName } from '../load/make-table.ts'
import { cellText, quotedCell } from './cell-text.ts'
import { sqlTypeOf } from './sql-type.ts'

/** Number of rows in memory at the same time. */
const pageRows = 5_000

/** Time limit for one page, in milliseconds. */
const pageTimeoutMs = 60_000

const byteOrderMark = '\uFEFF'

/** @param session the one of the transaction that changed the table */
export async function* tableText(session: Session, loaded: LoadedTable): AsyncIterable<string> {
  const { format } = loaded
  const { header, lineEnd, encoding } = format
  if (encoding.markLength > 0) yield byteOrderMark
  if (header !== undefined) yield header + lineEnd
  const statement = pageStatement(loaded)
  let last = 0
  for (;;) {
    const { rows } = await session.execute({
      statement,
      values: [[String(last)]],
      rowShape: 'array',
      maxRows: pageRows,
      timeoutMs: pageTimeoutMs,
      signal: undefined,
    })
    const page = JSON.parse(`[${Buffer.from(rows).toString()}]`) as readonly (readonly unknown[])[]
    yield page.map((row) => recordText(row, loaded) + lineEnd).join('')
    if (page.length < pageRows) return
    last = Number(page.at(-1)?.[0])
  }
}

/** The number of the row, its record if unchanged, and its values. */
function recordText(row: readonly unknown[], { columns, format }: LoadedTable): string {
  const [, line, ...values] = row
  if (typeof line === 'string') return line
  const cells = columns.map((column, index) =>
    quotedCell(cellText(values[index], column), format, format.quoted[index] === true),
  )
  // A reader would skip an empty line.
  return cells.length === 1 && cells[0] === '' ? '""' : cells.join(format.delimiter)
}

function pageStatement({ table, columns }: LoadedTable): CompiledStatement {
  // The format exists: without it, the table would not have been loaded for writing.
  const rowNumber = `t.${rowNumberName(columns) ?? 'rowid'}`
  const values = columns.map(storedValue)
  const int8 = { oid: oids.int8, typmod: noTypmod }
  const text = { oid: oids.text, typmod: noTypmod }
  return {
    steps: [
      {
        sql: `select ${rowNumber}, x.line, ${values.join(', ')} from ${quoted(table)} t
          left join ${quoted(textTableName(table))} x on x.id = ${rowNumber}
          where ${rowNumber} > ?1 order by ${rowNumber} limit ${pageRows}`,
        parameters: [{ from: 'constant', value: '0', type: int8 }],
        yields: 'result',
        checkColumn: undefined,
        visibleColumn: undefined,
      },
    ],
    needsTransaction: false,
    isWrite: false,
    columns: [
      { name: 'row', type: int8 },
      { name: 'line', type: text },
      ...columns.map(({ name, type }) => ({
        name,
        type: type.kind === 'json' ? text : sqlTypeOf(type),
      })),
    ],
    hints: undefined,
  }
}

/** JSON as stored: with all digits of its numbers. */
function storedValue({ name, type }: LoadedColumn): string {
  const value = `t.${quoted(name)}`
  return type.kind === 'json' ? `cast(${value} as text)` : value
}
