/**
 * @module Values that an expression needs several times. The servers have no let-binding inside an expression; a row in FROM of a
 * subquery, which sees all columns around it, serves as one.
 */
import { keyword, type Sql, sql } from '@engine/core/print'
import { binaryCollation, type PrintContext, refuse } from '../../print-context.ts'
import { isVolatileSql } from '../../volatile-sql.ts'
import { jsonRow } from './json-row.ts'
import { lateralBinding } from './lateral-row.ts'
import type { NamedKind, NamedValue } from './named-value.ts'

/** The most pieces of a value that is repeated rather than named. */
const mostRepeated = 14
/** The same for a value that occurs only two or three times. */
export const mostDoubled = 60
/** The most pieces of a repeated value that cannot be named. */
const mostUnnamedPieces = 1000

/**
 * `body` gets a fragment for each value and may use it any number of times: the value itself if it is short and the same on every
 * evaluation; otherwise a name. So the size of the printed text grows linearly with the number of values.
 *
 * @param canBeNamed See `canBind`.
 */
export function letValues(
  values: readonly NamedValue[],
  context: PrintContext,
  canBeNamed: boolean,
  body: (...names: readonly Sql[]) => Sql,
  mostPieces: number = mostRepeated,
): Sql {
  const plain = () => body(...values.map(({ value }) => value))
  if (!values.some(({ value }) => isLong(value, mostPieces))) return plain()
  // An aggregate would belong to the subquery.
  const named = values.filter(({ value }) => value.isBoundToLevel || isLong(value, mostPieces))
  const id = context.nextId()
  const alias = keyword(`v${id}`)
  const names = values.map((each) => {
    const index = named.indexOf(each)
    return index < 0 ? each.value : namedAt(index, each.kind, alias, context)
  })
  const namedBody = canBeNamed && areMovable(named, context) ? body(...names) : undefined
  if (namedBody === undefined || namedBody.isBoundToLevel) {
    requireRepeatable(named)
    return plain()
  }
  return context.traits.hasLateral
    ? lateralBinding(named, namedBody, id, context)
    : sql`(select ${namedBody} from ${jsonRow(named, alias, context)})`
}

/** Aggregates belong to a LATERAL subquery if they stand there and have no argument from outside, such as `count(1)`. */
function areMovable(values: readonly NamedValue[], { traits }: PrintContext): boolean {
  return !traits.hasLateral || values.every(({ value }) => !value.isBoundToLevel)
}

/** Is the value too long to be repeated, or different on each evaluation? */
export function isLong(value: Sql, mostPieces: number = mostRepeated): boolean {
  return value.size > mostPieces || isVolatileSql(value)
}

function requireRepeatable(values: readonly NamedValue[]): void {
  if (values.some(({ value }) => isVolatileSql(value))) {
    refuse(
      'a volatile value that is used several times beside window functions or subqueries',
      undefined,
    )
  }
  if (values.some(({ value }) => value.size > mostUnnamedPieces)) {
    refuse('an expression as long as this around window functions or subqueries', undefined)
  }
}

function namedAt(index: number, kind: NamedKind, alias: Sql, context: PrintContext): Sql {
  const name = sql`${alias}.${keyword(`x${index + 1}`)}`
  switch (kind) {
    case 'document':
      return context.traits.hasJsonType ? name : sql`(${name} collate ${binaryCollation(context)})`
    case 'text':
      return sql`(${name} collate ${binaryCollation(context)})`
    case 'bytes':
      return sql`unhex(${name})`
    default:
      return name
  }
}
