/** @module `WHERE CURRENT OF`: the current row of a cursor, and PostgreSQL's errors where there is none. */
import type {
  CurrentRowOf,
  CursorReference,
  CursorRows,
  RowPlace,
  RowPlaceTexts,
} from '@engine/core/session'
import { wireError } from '../../errors/wire-error.ts'
import type { Cursor } from './cursor.ts'
import type { Portals } from './portals.ts'

type Table = CursorReference['table']

/**
 * Finds current rows of a session's cursors.
 *
 * @throws {GatewayError} from the function: 34000 for an unknown cursor, 24000 for one without such a row, 0A000 for a portal of
 *   Bind.
 */
export function currentRowOf(portals: Portals): CurrentRowOf {
  return ({ cursor: name, table }) => {
    const portal = portals.get(name, 'cursor')
    if (portals.isSettled(portal)) {
      throw invalidState(`cursor "${name}" is held from a previous transaction`)
    }
    if (portal.currentRow === undefined) {
      throw wireError('0A000', 'WHERE CURRENT OF a portal of Bind is not supported: use DECLARE')
    }
    return portal.currentRow(table)
  }
}

/**
 * @param rows undefined for rows that do not come from the engine.
 * @throws {GatewayError} 24000
 */
export function currentRowIn(
  name: string,
  cursor: Cursor,
  rows: CursorRows | undefined,
  table: Table,
): RowPlaceTexts {
  const column = placeOf(name, rows, table)
  const row = cursor.current()
  const tableOid = row?.[column]
  const ctid = row?.[column + 1]
  if (typeof tableOid !== 'string' || typeof ctid !== 'string') {
    throw invalidState(`cursor "${name}" is not positioned on a row`)
  }
  return { tableOid, ctid }
}

/** The column of the row with the number of its table. */
function placeOf(name: string, rows: CursorRows | undefined, table: Table): number {
  const place = rows?.tables.find((each) => isSameTable(each, table))
  if (place?.column !== undefined) return place.column
  if (rows?.isLocking !== true) {
    throw invalidState(`cursor "${name}" is not a simply updatable scan of table "${table.name}"`)
  }
  throw invalidState(
    place === undefined
      ? `cursor "${name}" does not have a FOR UPDATE/SHARE reference to table "${table.name}"`
      : `cursor "${name}" has multiple FOR UPDATE/SHARE references to table "${table.name}"`,
  )
}

function isSameTable({ table: { connection, name } }: RowPlace, other: Table): boolean {
  return connection === other.connection && name === other.name
}

function invalidState(message: string): Error {
  return wireError('24000', message)
}
