/** @module Reads the server's messages. `bytes` from `start` to `end` is a message without its header. */
import type { Cells } from '@engine/core/adapter'
import { DatabaseError } from 'pg'

/** The cells of a DataRow. */
export function cellsOf(bytes: Buffer, start: number): Cells {
  const count = bytes.readInt16BE(start)
  const cells = new Array<string | null>(count)
  let position = start + 2
  for (let index = 0; index < count; index++) {
    const size = bytes.readInt32BE(position)
    position += 4
    if (size < 0) {
      cells[index] = null
      continue
    }
    cells[index] = bytes.toString('utf8', position, position + size)
    position += size
  }
  return cells
}

const letterT = 0x74

/** Returns whether a boolean cell of a DataRow is true. */
export function isTrue(bytes: Buffer, start: number, column: number): boolean {
  if (column >= bytes.readInt16BE(start)) return false
  let position = start + 2
  for (let index = 0; index < column; index++) {
    position += 4 + Math.max(0, bytes.readInt32BE(position))
  }
  return bytes.readInt32BE(position) === 1 && bytes[position + 4] === letterT
}

/** Types of the columns of a RowDescription. */
export function columnTypes(bytes: Buffer, start: number): readonly number[] {
  const count = bytes.readInt16BE(start)
  const oids: number[] = []
  let position = start + 2
  for (let index = 0; index < count; index++) {
    // After the name: table, column, then the type.
    const name = bytes.indexOf(0, position)
    oids.push(bytes.readUInt32BE(name + 7))
    position = name + 19
  }
  return oids
}

/** The tag of a CommandComplete: `UPDATE 3`. */
export function commandTag(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, end - 1)
}

/** Content of an ErrorResponse, as node-postgres reports it. */
export function databaseError(bytes: Buffer, start: number, end: number): DatabaseError {
  const fields = new Map<string, string>()
  let position = start
  while (position < end && bytes[position] !== 0) {
    const stop = bytes.indexOf(0, position + 1)
    fields.set(
      String.fromCharCode(bytes[position] ?? 0),
      bytes.toString('utf8', position + 1, stop),
    )
    position = stop + 1
  }
  const error = new DatabaseError(fields.get('M') ?? '', end - start, 'error')
  for (const [code, name] of errorFields) {
    const text = fields.get(code)
    if (text !== undefined) error[name] = text
  }
  return error
}

/** @see PostgreSQL, "Error and Notice Message Fields" */
const errorFields = [
  ['S', 'severity'],
  ['C', 'code'],
  ['D', 'detail'],
  ['H', 'hint'],
  ['P', 'position'],
  ['p', 'internalPosition'],
  ['q', 'internalQuery'],
  ['W', 'where'],
  ['s', 'schema'],
  ['t', 'table'],
  ['c', 'column'],
  ['d', 'dataType'],
  ['n', 'constraint'],
  ['F', 'file'],
  ['L', 'line'],
  ['R', 'routine'],
] as const satisfies readonly (readonly [string, keyof DatabaseError])[]
