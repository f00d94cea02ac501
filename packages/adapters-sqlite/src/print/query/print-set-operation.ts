/** @module UNION, INTERSECT and EXCEPT. SQLite has no parentheses around arms and one precedence for all. */

import { GatewayError } from '@engine/core/adapter'
import {
  columnName,
  columnNames,
  columnsOf,
  commaList,
  hasTail,
  integer,
  joinSql,
  type Sql,
  sortedColumn,
  sql,
} from '@engine/core/print'
import type { Query, SetQuery } from '@engine/core/tree'
import { keyOfValue } from '../expression/comparison.ts'
import { sortTerm } from '../expression/print-sort-keys.ts'
import {
  aliasOf,
  anyValue,
  classOfType,
  type PrintContext,
  type PrintedQuery,
  refuse,
  type ValueProperties,
} from '../print-context.ts'
import { printLimit } from '../print-limit.ts'
import { comparesNatively } from '../type-class.ts'

/** Without its WITH part. Columns are in the form of expressions. */
export function printSetOperation(query: SetQuery, context: PrintContext): PrintedQuery {
  const compound = printCompound(query, context)
  return {
    sql: withTail(query, compound.sql, compound.columns, context),
    columns: compound.columns,
  }
}

/** SQLite accepts 500 SELECTs in one compound. */
const mostArms = 400

function armCount(query: Query): number {
  return query.kind === 'setOperation' ? armCount(query.left) + armCount(query.right) : 1
}

function printCompound(query: SetQuery, context: PrintContext): PrintedQuery {
  if (armCount(query) > mostArms)
    refuse(`a set operation of more than ${mostArms} queries`, undefined)
  if (query.operator !== 'union' && query.all) {
    throw new GatewayError('internal', 'INTERSECT or EXCEPT ALL was not lowered')
  }
  const isNative = query.columns.every(({ type }) => comparesNatively(classOfType(type, context)))
  if (!query.all && !isNative) return printByGroups(query, context)
  const left = printArm(query.left, context, true)
  const right = printArm(query.right, context, false)
  const words = { union: sql`union`, intersect: sql`intersect`, except: sql`except` }
  const word = query.all ? sql`union all` : words[query.operator]
  return {
    sql: sql`${left.sql} ${word} ${right.sql}`,
    columns: commonColumns(left.columns, right.columns),
  }
}

/** Arms are evaluated from left to right, so that the first one may be a compound itself. */
function printArm(arm: Query, context: PrintContext, isFirst: boolean): PrintedQuery {
  const isPlain = arm.ctes.length === 0 && !hasTail(arm)
  if (isPlain && isFirst && arm.kind === 'setOperation' && isNativeCompound(arm, context)) {
    return printCompound(arm, context)
  }
  const printed = context.printQuery(arm, context, 'value')
  if (isPlain && arm.kind !== 'setOperation') return printed
  return { ...printed, sql: sql`select ${columnNames(arm.columns)} from (${printed.sql})` }
}

function isNativeCompound(arm: Query, context: PrintContext): boolean {
  return arm.columns.every(({ type }) => comparesNatively(classOfType(type, context)))
}

function commonColumns(
  left: readonly ValueProperties[],
  right: readonly ValueProperties[],
): readonly ValueProperties[] {
  return left.map((one, index) => {
    const other: ValueProperties = right[index] ?? anyValue
    return {
      stored: undefined,
      isNullable: one.isNullable || other.isNullable,
      scale: one.scale === other.scale ? one.scale : undefined,
      expandedSize: Math.max(one.expandedSize ?? 1, other.expandedSize ?? 1),
    }
  })
}

/** Values that are equal without being identical are compared by their keys, in groups of both arms' rows. */
function printByGroups(query: SetQuery, context: PrintContext): PrintedQuery {
  const [left, right] = [query.left, query.right].map((arm) =>
    context.printQuery(arm, context, 'value'),
  )
  if (left === undefined || right === undefined)
    throw new GatewayError('internal', 'an arm is missing')
  const alias = aliasOf(context.nextId(), context)
  const columns = commonColumns(left.columns, right.columns)
  const names = columnNames(columns)
  const keys = query.columns.map(({ type }, index) =>
    keyOfValue(
      sql`${alias}.${columnName(index)}`,
      classOfType(type, context),
      { ...anyValue, scale: columns[index]?.scale },
      context,
    ),
  )
  const arms = [left, right].map(
    (arm, side) => sql`select ${integer(side)} as side, ${names} from (${arm.sql})`,
  )
  // With min() alone SQLite takes the other columns from the row that has the least side: the first query's.
  const having = {
    union: sql` having min(${alias}.side) >= 0`,
    intersect: sql` having min(${alias}.side) = 0 and count(distinct ${alias}.side) = 2`,
    except: sql` having max(${alias}.side) = 0`,
  }
  const outputs = columnsOf(alias, columns)
  const source = sql`(${joinSql(arms, ' union all ')}) as ${alias}`
  return {
    sql: sql`select ${commaList(outputs)} from ${source} group by ${commaList(keys)}${having[query.operator]}`,
    columns,
  }
}

/** ORDER BY names result columns; those that must be converted are sorted around the compound. */
function withTail(
  query: SetQuery,
  compound: Sql,
  columns: readonly ValueProperties[],
  context: PrintContext,
): Sql {
  const limit = printLimit(query, context)
  if (query.orderBy.length === 0) return sql`${compound}${limit}`
  const indexes = query.orderBy.map((key) => sortedColumn(key))
  const isNative = indexes.every((index) => {
    const type = query.columns[index]?.type
    return type !== undefined && comparesNatively(classOfType(type, context))
  })
  const isNullable = (index: number) => columns[index]?.isNullable ?? true
  if (isNative && !isGrouped(query, context)) {
    const terms = query.orderBy.map((key, index) => {
      const column = indexes[index] ?? 0
      return sortTerm(integer(column + 1), key, isNullable(column))
    })
    return sql`${compound} order by ${commaList(terms)}${limit}`
  }
  const alias = aliasOf(context.nextId(), context)
  const terms = query.orderBy.map((key, index) => {
    const column = indexes[index] ?? 0
    const type = query.columns[column]?.type
    if (type === undefined) throw new GatewayError('internal', 'a sort key is missing')
    const typeClass = classOfType(type, context)
    if (typeClass === 'array') refuse('sorting by arrays', undefined)
    const value = keyOfValue(
      sql`${alias}.${columnName(column)}`,
      typeClass,
      { ...anyValue, scale: undefined },
      context,
    )
    return sortTerm(value, key, isNullable(column))
  })
  const names = columnsOf(alias, query.columns)
  return sql`select ${commaList(names)} from (${compound}) as ${alias} order by ${commaList(terms)}${limit}`
}

function isGrouped(query: SetQuery, context: PrintContext): boolean {
  return !query.all && !isNativeCompound(query, context)
}
