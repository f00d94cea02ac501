/** @module `lag(x, n, default)`: the rows without a row n places before them are those with small row numbers. */
import type { Expression, WindowCall } from '../bind/tree/expression.ts'
import { unsupportedConstruct } from '../bind/tree/unsupported.ts'
import {
  compare,
  countOfRows,
  integer,
  type LowerContext,
  numbering,
} from './expression-builders.ts'

/** `expression` itself unless it is lag or lead with a default. */
export function lowerLagDefault(expression: Expression, context: LowerContext): Expression {
  if (context.dialect.hasLagDefault || expression.kind !== 'window') return expression
  const [value, distance, otherwise] = expression.args
  const { name } = expression.function
  if (value === undefined || distance === undefined || otherwise === undefined) return expression
  if (name !== 'lag' && name !== 'lead') return expression
  const isWhole = distance.kind === 'constant' && /^\d+$/.test(String(distance.value))
  if (!isWhole) {
    const construct = `${name}() with a default over a distance that is no constant`
    throw unsupportedConstruct(construct, context.dialect.database, expression.position)
  }
  const { partitionBy, orderBy } = expression
  const number = numbering('row_number', { partitionBy, orderBy }, context)
  const places = integer(Number(distance.value))
  const isMissing =
    name === 'lag'
      ? compare('<=', number, places, context)
      : compare('>', compare('+', number, places, context), rowsIn(expression, context), context)
  const found: WindowCall = { ...expression, args: [value, distance] }
  return {
    kind: 'case',
    whens: [{ condition: isMissing, result: otherwise }],
    otherwise: found,
    type: expression.type,
  }
}

/** The number of rows of the partition. */
function rowsIn({ partitionBy }: WindowCall, context: LowerContext): WindowCall {
  return { ...countOfRows(context), partitionBy, orderBy: [] }
}
