/**
 * @module Values that an expression needs several times. The server has no word for "this value is called x" inside an
 * expression; a row of JSON_TABLE, which sees everything around it, serves as one.
 */
import { commaList, integer, joinSql, keyword, type Sql, sql } from '@engine/core'
import { binaryCollation, type PrintContext, refuse } from './print-context.ts'
import { raiseState } from './raise.ts'

/** What a value is while it has a name. Bytes and intervals cannot have one. */
export type NamedKind = 'text' | 'integer' | 'double' | 'timestamp' | 'date' | 'time' | number

export interface NamedValue {
  readonly value: Sql
  /** A number: DECIMAL with so many digits behind the point. */
  readonly kind: NamedKind
}

/** Pieces up to which a value is written several times rather than named. */
const mostRepeated = 14
/** Pieces up to which a value that cannot be named is written several times. */
const mostUnnamedPieces = 1000

/**
 * `body` gets something that stands for each value, however often it uses it.
 *
 * @param isNameable See `isUnnameable`.
 */
export function once(
  values: readonly NamedValue[],
  context: PrintContext,
  isNameable: boolean,
  body: (...names: readonly Sql[]) => Sql,
): Sql {
  const isLong = values.some(({ value }) => weightOf(value) > mostRepeated)
  if (!isLong) return body(...values.map(({ value }) => value))
  if (!isNameable) {
    const isTooLong = values.some(({ value }) => weightOf(value) > mostUnnamedPieces)
    if (isTooLong)
      return refuse(
        'an expression as long as this around window functions or subqueries',
        undefined,
      )
    return body(...values.map(({ value }) => value))
  }
  const alias = nameOf(context)
  const columns = values.map(
    ({ kind }, index) => sql`${nameAt(index)} ${typeOf(kind)} path ${pathAt(index)} error on error`,
  )
  const collation = binaryCollation(context)
  // A document would be nested as one: with a collation it is a text.
  const items = values.map(({ value, kind }) =>
    kind === 'text' ? sql`(${value} collate ${collation})` : value,
  )
  const row = sql`json_array(${commaList(items)})`
  const names = values.map(({ kind }, index) => {
    const name = sql`${alias}.${nameAt(index)}`
    return kind === 'text' ? sql`(${name} collate ${collation})` : name
  })
  return sql`(select ${body(...names)} from json_table(coalesce(${row}, ${raiseState('54000')}), '$' columns (${joinSql(columns, ', ')})) as ${alias})`
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
export function typeOf(kind: NamedKind): Sql {
  switch (kind) {
    case 'text':
      return sql`mediumtext`
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

/** How long a fragment is, in pieces. */
export function weightOf(fragment: Sql): number {
  let weight = 0
  for (const piece of fragment.pieces) {
    weight += typeof piece === 'object' && 'pieces' in piece ? weightOf(piece) : 1
    if (weight > 100_000) return weight
  }
  return weight
}
