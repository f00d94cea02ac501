/** @module Cells of answers as texts that can be compared. */
import { canonical, jsonText } from './raw-values.ts'
import type { ReadPath } from './read-paths.ts'
import type { Cell } from './reference.ts'

/** The rows of an answer, each cell as its JSON text; numbers keep their digits. */
export function jsonRows(answer: string): string[][] {
  const { rows } = JSON.parse(answer, ((_: string, value: unknown, { source = '' }) =>
    typeof value === 'number' ? { number: source } : value) as never) as { rows: unknown[][] }
  return rows.map((row) =>
    row.map((cell) =>
      isNumber(cell) ? cell.number : JSON.stringify(cell).replaceAll(numberObject, '$1'),
    ),
  )
}

const numberObject = /\{"number":"(-?[0-9.eE+-]+)"\}/g

function isNumber(cell: unknown): cell is { readonly number: string } {
  return (
    typeof cell === 'object' && cell !== null && 'number' in cell && Object.keys(cell).length === 1
  )
}

export function spelled(path: ReadPath, type: string, cell: Cell, isReference: boolean): string {
  if (cell === null) return 'null'
  if (path.spelling === 'json') {
    return isReference ? jsonCell(type, String(cell)) : jsonSpelling(type, String(cell))
  }
  const isJson = type === 'json' || type === 'jsonb'
  if (path.spelling === 'text') return isJson ? jsonText(String(cell)) : String(cell)
  const bytes = Buffer.isBuffer(cell) ? cell : Buffer.from(cell, 'hex')
  // JSONB in binary begins with a version.
  return isJson ? jsonText(bytes.toString('utf8', type === 'jsonb' ? 1 : 0)) : bytes.toString('hex')
}

/** PostgreSQL's text of a value as Engine's JSON has it. */
export function jsonCell(type: string, text: string | null): string {
  if (text === null) return 'null'
  switch (type) {
    case 'boolean':
      return text === 't' ? 'true' : 'false'
    case 'smallint':
    case 'integer':
      return text
    case 'real':
    case 'double precision':
      return Number.isFinite(Number(text))
        ? String(canonical({ type }, text))
        : JSON.stringify(text)
    case 'json':
    case 'jsonb':
      return jsonText(text)
    default:
      return JSON.stringify(text)
  }
}

export function jsonSpelling(type: string, text: string): string {
  switch (type) {
    case 'real':
    case 'double precision':
      return text.startsWith('"') ? text : String(canonical({ type }, text))
    case 'json':
    case 'jsonb':
      return jsonText(text)
    default:
      return text
  }
}
