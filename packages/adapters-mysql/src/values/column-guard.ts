/** @module Has a table changed since its statement was compiled? Then its values would be read with the wrong types. */
import type { Column } from '@engine/core/catalog'
import type { CellKind } from '@engine/core/values'
import { type DescribedColumn, reportedType, storedType } from './reported-type.ts'

/** What the server says about a result column. */
export interface ColumnDescription extends DescribedColumn {
  /** Is it not simply the column of a table? */
  readonly isCalculated: boolean
}

/** The catalog as the adapter of a statement has read it. */
export interface CatalogReading {
  /** When the last reading began that found what the statements are compiled with, in milliseconds. */
  beganAt: number
}

/**
 * Compares the columns of a result with the types they were bound with: exactly where the column of a table is shown as it is
 * stored. A difference that is still there after the catalog has been read again is none: a view may report other types.
 *
 * @param stored by output, as in `ResultStep`.
 * @param reading undefined: the catalog is never read again.
 * @returns whether values of the columns are read right.
 */
export function createColumnGuard(
  cells: readonly CellKind[],
  stored: readonly (Column | undefined)[],
  reading: CatalogReading | undefined,
): (columns: readonly ColumnDescription[]) => boolean {
  const accept = cells.map((cell, index) => acceptance(cell, stored[index]))
  /** When columns were first reported, by their types. */
  const reports = new Map<string, number>()
  return (columns) => {
    const isAsBound = accept.every((accepts, index) => {
      const column = columns[index]
      return column === undefined || column.isCalculated || accepts(reportedType(column))
    })
    if (isAsBound) return true
    const key = columns.map(reportedType).join()
    const reportedAt = reports.get(key)
    if (reportedAt !== undefined && reading !== undefined && reading.beganAt > reportedAt)
      return true
    reports.set(key, reportedAt ?? performance.now())
    return false
  }
}

function acceptance(cell: CellKind, column: Column | undefined): (reported: string) => boolean {
  if (column !== undefined) {
    const type = storedType(column)
    return (reported) => reported === type
  }
  const wanted = familiesOf(cell)
  return (reported) => {
    const family = familyOf(reported)
    return family === undefined || wanted.includes(family)
  }
}

type Family = 'integer' | 'decimal' | 'float' | 'date' | 'time' | 'timestamp' | 'text'

function familyOf(reported: string): Family | undefined {
  switch (reported) {
    case 'boolean':
    case 'integer':
    case 'bigint':
    case 'bit':
    case 'bits':
      return 'integer'
    case 'float':
    case 'double':
      return 'float'
    case 'date':
    case 'time':
    case 'timestamp':
      return reported
    case 'timestamptz':
      return 'timestamp'
    case 'other':
      return undefined
    default:
      return reported.startsWith('numeric') ? 'decimal' : 'text'
  }
}

/** The families in which values of a kind are stored, or that calculations on them return. */
function familiesOf({ kind }: CellKind): readonly Family[] {
  switch (kind) {
    case 'boolean':
    case 'integer':
    case 'bigint':
      return ['integer', 'decimal']
    case 'decimal':
      return ['integer', 'decimal', 'text']
    case 'float4':
    case 'float8':
      return ['integer', 'decimal', 'float']
    case 'date':
      return ['date', 'text']
    case 'time':
      return ['time', 'text']
    case 'timestamp':
    case 'timestamptz':
      return ['timestamp', 'date', 'text']
    case 'bytes':
      return ['text', 'integer']
    default:
      return ['text']
  }
}
