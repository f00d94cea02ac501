/** @module Has a table changed since its statement was compiled? Then its values would be read with the wrong types. */
import { GatewayError } from '@engine/core/adapter'
import type { CellKind } from '@engine/core/values'

/** What the server says about a result column. */
export interface ColumnDescription {
  /** Number of the type in the protocol. */
  readonly columnType: number
  /** Is it not simply the column of a table? */
  readonly isCalculated: boolean
}

/** @see https://mariadb.com/kb/en/result-set-packets/#field-types */
const families: ReadonlyMap<number, Family> = new Map<number, Family>([
  ...[1, 2, 3, 8, 9, 13, 16].map((type) => [type, 'integer'] as const),
  ...[0, 246].map((type) => [type, 'decimal'] as const),
  ...[4, 5].map((type) => [type, 'float'] as const),
  ...[10, 14].map((type) => [type, 'date'] as const),
  [11, 'time'],
  ...[7, 12].map((type) => [type, 'timestamp'] as const),
  ...[15, 245, 247, 248, 249, 250, 251, 252, 253, 254].map((type) => [type, 'text'] as const),
])

type Family = 'integer' | 'decimal' | 'float' | 'date' | 'time' | 'timestamp' | 'text'

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

/** Statements whose columns differ from the expected ones, and for which the catalog has been read again. */
const reported = new Set<string>()
const mostReported = 10_000

/**
 * Compares the columns of tables in a result with the types they were bound with. A difference is reported once, until
 * there is none: by then the catalog has been read again, so the type that the server reports is used.
 *
 * @throws {GatewayError} `staleCatalog`
 */
export function createColumnGuard(
  cells: readonly CellKind[],
  sql: string,
): (columns: readonly ColumnDescription[]) => void {
  const expected = cells.map(familiesOf)
  return (columns) => {
    const isAsBound = expected.every((wanted, index) => {
      const column = columns[index]
      const family = column === undefined ? undefined : families.get(column.columnType)
      return family === undefined || column?.isCalculated || wanted.includes(family)
    })
    if (isAsBound) {
      reported.delete(sql)
      return
    }
    if (reported.has(sql)) return
    if (reported.size === mostReported) reported.clear()
    reported.add(sql)
    throw new GatewayError('staleCatalog', 'The type of a column has changed.')
  }
}
