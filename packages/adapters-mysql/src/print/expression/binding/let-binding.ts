/**
 * @module Values that an expression needs several times. The server has no let-binding inside an expression; a row of JSON_TABLE,
 * which sees all columns around it, serves as one.
 */
import { commaList, integer, joinSql, keyword, type Sql, sql } from '@engine/core/adapter'
import { binaryCollation, type PrintContext, refuse, tableText } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { isVolatileSql } from '../../volatile-sql.ts'

/** The kind of a named value. Intervals cannot be named. */
export type NamedKind =
  | 'text'
  | 'bytes'
  | 'integer'
  | 'float'
  | 'double'
  | 'timestamp'
  | 'date'
  | 'time'
  | number

export interface NamedValue {
  readonly value: Sql
  /** A number: DECIMAL with this number of digits after the point. */
  readonly kind: NamedKind
}

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
  const alias = nameOf(context)
  const names = values.map((each) => {
    const index = named.indexOf(each)
    return index < 0 ? each.value : namedAt(index, each.kind, alias, context)
  })
  const namedBody = canBeNamed ? body(...names) : undefined
  if (namedBody === undefined || namedBody.isBoundToLevel) {
    requireRepeatable(named)
    return plain()
  }
  const columns = named.map(
    ({ kind }, index) =>
      sql`${nameAt(index)} ${typeOf(kind, context)} path ${pathAt(index)} error on error`,
  )
  const row = sql`json_array(${commaList(named.map((each) => itemOf(each, context)))})`
  return sql`(select ${namedBody} from json_table(coalesce(${row}, ${raiseState('54000')}), '$' columns (${joinSql(columns, ', ')})) as ${alias})`
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

/** A document would be nested as a document: with a collation it is a text. */
function itemOf({ value, kind }: NamedValue, context: PrintContext): Sql {
  switch (kind) {
    case 'text':
      return sql`(${value} collate ${binaryCollation(context)})`
    case 'bytes':
      return sql`hex(${value})`
    default:
      return value
  }
}

function namedAt(index: number, kind: NamedKind, alias: Sql, context: PrintContext): Sql {
  const name = sql`${alias}.${nameAt(index)}`
  switch (kind) {
    case 'text':
      return sql`(${name} collate ${binaryCollation(context)})`
    case 'bytes':
      return sql`unhex(${name})`
    default:
      return name
  }
}

function nameOf(context: PrintContext): Sql {
  return keyword(`v${context.nextId()}`)
}

function nameAt(index: number): Sql {
  return keyword(`x${index + 1}`)
}

function pathAt(index: number): Sql {
  return sql`'$[${integer(index)}]'`
}

/** The type of a column of JSON_TABLE. */
export function typeOf(kind: NamedKind, context: PrintContext): Sql {
  switch (kind) {
    case 'text':
    case 'bytes':
      return tableText(context)
    case 'float':
      return sql`float`
    case 'integer':
      return sql`bigint`
    case 'double':
      return sql`double`
    case 'timestamp':
      return sql`datetime(6)`
    case 'date':
      return sql`date`
    case 'time':
      return sql`time(6)`
    default:
      return sql`decimal(65, ${integer(kind)})`
  }
}
