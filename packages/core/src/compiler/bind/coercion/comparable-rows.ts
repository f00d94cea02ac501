import { bindError } from '../../sql/bind-error.ts'
import type { PgOperator } from '../../sql-types/pg-type.ts'
import type { RowField, SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import { fieldsOfType } from './row-type.ts'

/**
 * PostgreSQL compares rows, and arrays of rows, field by field, and finds out only then whether it can.
 *
 * @throws {GatewayError} `badRequest` (42804) for fields of different types or another number of them, (42883) for a type that cannot
 *   be compared.
 */
export function requireComparableRows(
  operator: PgOperator,
  left: SqlType,
  right: SqlType,
  position: number | undefined,
  types: TypeSystem,
): void {
  if (operator.name === '||') return
  const isOrdered = operator.name !== '=' && operator.name !== '<>'
  const comparesBytes = operator.name.startsWith('*')
  const compare = (some: readonly RowField[], others: readonly RowField[]): void => {
    if (some.length !== others.length) throw mismatch(differentLengths, position)
    for (const [i, { type }] of some.entries()) {
      const other = others[i]?.type ?? type
      if (other.oid !== type.oid) throw mismatch(dissimilar(type, other, i, types), position)
      const fields = fieldsOfType(type, types)
      if (fields !== undefined) compare(fields, fieldsOfType(other, types) ?? fields)
      else if (!comparesBytes) requireComparison(type, isOrdered, position, types)
    }
  }
  const fields = fieldsOfRows(left, types)
  const others = fieldsOfRows(right, types)
  if (fields !== undefined && others !== undefined) compare(fields, others)
}

/** Of a row, or of the elements of an array of rows. */
function fieldsOfRows(type: SqlType, types: TypeSystem): readonly RowField[] | undefined {
  return fieldsOfType({ ...type, oid: types.elementTypeOid(type.oid) ?? type.oid }, types)
}

function requireComparison(
  { oid }: SqlType,
  isOrdered: boolean,
  position: number | undefined,
  types: TypeSystem,
): void {
  const comparison = types.comparison(oid)
  if (isOrdered ? comparison?.less !== undefined : comparison !== undefined) return
  const wanted = isOrdered ? 'a comparison function' : 'an equality operator'
  const message = `could not identify ${wanted} for type ${types.formatType(oid)}`
  throw bindError(message, { sqlState: '42883', position })
}

const differentLengths = 'cannot compare record types with different numbers of columns'

function dissimilar(left: SqlType, right: SqlType, index: number, types: TypeSystem): string {
  const [one, other] = [left, right].map(({ oid }) => types.formatType(oid))
  return `cannot compare dissimilar column types ${one} and ${other} at record column ${index + 1}`
}

function mismatch(message: string, position: number | undefined): Error {
  return bindError(message, { sqlState: '42804', position })
}
