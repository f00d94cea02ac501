/** @module UNION, INTERSECT and EXCEPT. */

import { GatewayError } from '@engine/core/adapter'
import type { SqlType } from '@engine/core/catalog'
import {
  columnName,
  columnNames,
  columnsOf,
  commaList,
  hasTail,
  integer,
  type Sql,
  sortedColumn,
  sql,
} from '@engine/core/print'
import type { Query, RelationId, SetQuery } from '@engine/core/tree'
import { groupKeyOf, sortKeyOf } from '../expression/comparison/comparison.ts'
import { sortTerm } from '../expression/comparison/print-sort-keys.ts'
import {
  aliasOf,
  anyValue,
  classOfType,
  type OutputForm,
  type PrintContext,
  type PrintedQuery,
  refuse,
  requireApart,
  type ValueProperties,
} from '../print-context.ts'
import { printLimit } from '../print-limit.ts'
import { comparesNatively } from '../type-class.ts'
import { commonProperties } from '../value-properties.ts'
import { withWholeTexts } from './whole-text.ts'

/** Without its WITH part. Columns are in the form of expressions. */
export function printSetOperation(
  query: SetQuery,
  context: PrintContext,
  form: OutputForm,
): PrintedQuery {
  const { sql: compound, columns } = printCompound(query, context, form)
  return { sql: withTail(query, compound, columns, form, context), columns }
}

/** Decimals with different scales become text in both arms. */
function printCompound(query: SetQuery, context: PrintContext, form: OutputForm): PrintedQuery {
  const wanted = form === 'stored' ? 'value' : form
  if (!query.all && isNeverComparable(query, wanted, context)) {
    return printByGroups(query, context, wanted)
  }
  const native = printArms(query, context, wanted)
  const isMixed = native.columns.some(
    (properties, index) => isDecimal(query, index, context) && properties.scale === undefined,
  )
  if (isMixed && wanted === 'value') {
    return query.all ? printArms(query, context, 'text') : printByGroups(query, context, wanted)
  }
  if (query.all || areComparable(query, native.columns, wanted, context)) return native
  return printByGroups(query, context, wanted)
}

function isDecimal({ columns }: Query, index: number, context: PrintContext): boolean {
  const type = columns[index]?.type
  return type !== undefined && classOfType(type, context) === 'numeric'
}

/** Are equal values identical in printed form? */
function areComparable(
  query: SetQuery,
  columns: readonly ValueProperties[],
  form: OutputForm,
  context: PrintContext,
): boolean {
  if (form === 'key') return true
  return query.columns.every(({ type }, index) => {
    const typeClass = classOfType(type, context)
    if (!comparesNatively(typeClass)) return false
    return typeClass !== 'numeric' || form === 'working' || columns[index]?.scale !== undefined
  })
}

/** Can equal values differ in printed form, whatever the columns contain? */
function isNeverComparable({ columns }: Query, form: OutputForm, context: PrintContext): boolean {
  if (form === 'key') return false
  return columns.some(({ type }) => {
    const typeClass = classOfType(type, context)
    return !comparesNatively(typeClass) || (typeClass === 'numeric' && form === 'text')
  })
}

function printArms(query: SetQuery, context: PrintContext, form: OutputForm): PrintedQuery {
  const left = printArm(query.left, query, true, context, form)
  const right = printArm(query.right, query, false, context, form)
  const words = { union: sql`union`, intersect: sql`intersect`, except: sql`except` }
  const word = query.all ? sql`${words[query.operator]} all` : words[query.operator]
  const columns = left.columns.map((one, index) =>
    commonProperties([one, right.columns[index] ?? anyValue]),
  )
  return { sql: sql`${left.sql} ${word} ${right.sql}`, columns }
}

/** An arm in nested parentheses is a derived table for the server, which sees fewer columns. */
function printArm(
  arm: Query,
  whole: SetQuery,
  isFirst: boolean,
  context: PrintContext,
  form: OutputForm,
): PrintedQuery {
  if (arm.kind === 'setOperation' && arm.ctes.length === 0 && !hasTail(arm)) {
    const isOpen = isFirst && bindsAlike(arm, whole)
    // Columns of an arm without its own parentheses are those of the whole: their scales are checked there.
    const printed =
      isOpen && arm.all && form !== 'stored'
        ? printArms(arm, context, form)
        : printCompound(arm, context, form)
    if (!isOpen) requireApart(arm, 'a set operation in parentheses', context)
    return isOpen ? printed : { ...printed, sql: sql`(${printed.sql})` }
  }
  const printed = context.printQuery(withWholeTexts(withoutIdleOrder(arm), context), context, form)
  if (arm.ctes.length > 0 || arm.kind === 'values') {
    requireApart(arm, 'WITH in a set operation', context)
    return asDerived(printed, context)
  }
  return { ...printed, sql: sql`(${printed.sql})` }
}

/** Removes ORDER BY from an arm without LIMIT: the order has no effect. */
function withoutIdleOrder(arm: Query): Query {
  return arm.limit === undefined && arm.offset === undefined ? { ...arm, orderBy: [] } : arm
}

/** `a union b except c` is evaluated from left to right, but INTERSECT first. */
function bindsAlike(arm: SetQuery, whole: SetQuery): boolean {
  return (arm.operator === 'intersect') === (whole.operator === 'intersect')
}

function asDerived({ sql: text, columns }: PrintedQuery, context: PrintContext): PrintedQuery {
  const alias = aliasOf(context.nextId(), context)
  const names = columnsOf(alias, columns)
  return { sql: sql`(select ${commaList(names)} from (${text}) as ${alias})`, columns }
}

/** Values that are equal without being identical are compared by their keys, in groups of both arms' rows. */
function printByGroups(query: SetQuery, context: PrintContext, form: OutputForm): PrintedQuery {
  if (query.all) return refuse('INTERSECT or EXCEPT ALL over values of this type', undefined)
  requireApart(query, 'a set operation over values of this type', context)
  const [left, right] = [query.left, query.right].map((arm) =>
    context.printQuery(arm, context, form === 'value' ? 'text' : form),
  )
  if (left === undefined || right === undefined)
    throw new GatewayError('internal', 'an arm is missing')
  const columns = left.columns.map((one, index) =>
    commonProperties([one, right.columns[index] ?? anyValue]),
  )
  const relation = context.nextId()
  const alias = aliasOf(relation, context)
  registerColumns(relation, alias, columns, context)
  const names = columnNames(columns)
  const keys = query.columns.map(({ type }, column) =>
    groupKeyOf({ kind: 'column', relation, column, type }, context),
  )
  const arms = [left, right].map((arm, side) => {
    const own = aliasOf(context.nextId(), context)
    return sql`(select ${integer(side)} as side, ${names} from (${arm.sql}) as ${own})`
  })
  const having = {
    union: sql``,
    intersect: sql` having count(distinct ${alias}.side) = 2`,
    except: sql` having max(${alias}.side) = 0`,
  }
  const outputs = columnsOf(alias, columns)
  const [first, second] = arms
  const source = sql`(${first ?? sql``} union all ${second ?? sql``}) as ${alias}`
  return {
    sql: sql`select ${commaList(outputs)} from ${source} group by ${commaList(keys)}${having[query.operator]}`,
    columns,
  }
}

function registerColumns(
  relation: RelationId,
  alias: Sql,
  columns: readonly ValueProperties[],
  context: PrintContext,
): void {
  context.relations.set(relation, {
    column: (index) => ({
      ...(columns[index] ?? anyValue),
      sql: sql`${alias}.${columnName(index)}`,
      isBare: false,
    }),
  })
}

/** ORDER BY names result columns; those that must be converted are sorted around the compound. */
function withTail(
  query: SetQuery,
  compound: Sql,
  columns: readonly ValueProperties[],
  form: OutputForm,
  context: PrintContext,
): Sql {
  const limit = printLimit(query)
  if (query.orderBy.length === 0) return sql`${compound}${limit}`
  const keys = query.orderBy.map((key) => {
    const index = sortedColumn(key)
    const type = query.columns[index]?.type
    if (type === undefined) throw new GatewayError('internal', 'a sort key is missing')
    return { key, index, type, properties: columns[index] ?? anyValue }
  })
  if (areComparable(query, columns, form, context)) {
    const terms = keys.map(({ key, index, properties }) =>
      sortTerm(integer(index + 1), columnName(index), key, properties.isNullable),
    )
    return sql`${compound} order by ${commaList(terms)}${limit}`
  }
  requireApart(query, 'a set operation over values of this type', context)
  const relation = context.nextId()
  const alias = aliasOf(relation, context)
  registerColumns(relation, alias, columns, context)
  const terms = keys.map(({ key, index, type, properties }) => {
    const value = sortKeyOf(columnOf(relation, index, type), context)
    return sortTerm(value, value, key, properties.isNullable)
  })
  const names = columnsOf(alias, query.columns)
  return sql`select ${commaList(names)} from (${compound}) as ${alias} order by ${commaList(terms)}${limit}`
}

function columnOf(relation: RelationId, column: number, type: SqlType) {
  return { kind: 'column', relation, column, type } as const
}
