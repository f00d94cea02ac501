/**
 * @module How a cell becomes JSON without a JavaScript value between: by the type of the server's column and the type for clients.
 * Only for pairs whose JSON is plain from the bytes; all others are read and encoded.
 */
import type { CellKind } from '@engine/core/values'
import { wireTypes } from './binary-row.ts'
import type { WireColumn } from './column-definition.ts'

/**
 * - `integer`, `quotedInteger`, `boolean`: of an integer of at most 32 bits
 * - `long`, `quotedLong`, `longBoolean`: of an integer of 64 bits
 * - `digits`: ASCII in quotes, without escapes
 * - `text`: UTF-8 with escapes
 * - `uuid`: lower case
 * - `date`, `timestamp`, `timestamptz`: of numbers for year, month, day ...
 */
export type CellForm =
  | 'integer'
  | 'quotedInteger'
  | 'boolean'
  | 'long'
  | 'quotedLong'
  | 'longBoolean'
  | 'digits'
  | 'text'
  | 'uuid'
  | 'date'
  | 'timestamp'
  | 'timestamptz'

type Family = 'integer' | 'long' | 'decimal' | 'date' | 'moment' | 'text' | 'other'

function familyOf({ columnType }: WireColumn): Family {
  switch (columnType) {
    case wireTypes.tiny:
    case wireTypes.short:
    case wireTypes.long:
    case wireTypes.int24:
    case wireTypes.year:
      return 'integer'
    case wireTypes.longLong:
      return 'long'
    case wireTypes.newDecimal:
      return 'decimal'
    case wireTypes.date:
      return 'date'
    case wireTypes.timestamp:
    case wireTypes.dateTime:
      return 'moment'
    default:
      return texts.has(columnType) ? 'text' : 'other'
  }
}

/** VARCHAR, ENUM, SET, the BLOBs, which are the TEXTs, too, VAR_STRING and CHAR. */
const texts: ReadonlySet<number> = new Set([15, 247, 248, 249, 250, 251, 252, 253, 254])

/** @returns undefined for a cell that is read and encoded. */
export function cellForm(cell: CellKind, column: WireColumn): CellForm | undefined {
  const family = familyOf(column)
  const { kind } = cell
  switch (kind) {
    case 'integer':
      return family === 'integer' ? 'integer' : family === 'long' ? 'long' : undefined
    case 'bigint':
      return family === 'integer' ? 'quotedInteger' : family === 'long' ? 'quotedLong' : undefined
    case 'boolean':
      return family === 'integer' ? 'boolean' : family === 'long' ? 'longBoolean' : undefined
    case 'decimal':
      return family === 'decimal' && !isWhole(column, cell.scale) ? 'digits' : undefined
    case 'date':
      return family === 'date' ? 'date' : undefined
    case 'timestamp':
    case 'timestamptz':
      return family === 'moment' ? kind : undefined
    case 'text':
    case 'uuid':
      return family === 'text' ? kind : undefined
    default:
      return undefined
  }
}

/** Does the type of the cell have a fraction that the column has not? */
function isWhole({ decimals }: WireColumn, scale: number | undefined): boolean {
  return decimals === 0 && scale !== undefined && scale > 0
}
