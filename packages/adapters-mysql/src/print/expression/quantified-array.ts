/** @module ANY and ALL over arrays. */

import type { SqlType } from '@engine/core/catalog'
import { joinSql, keyword, type Sql, sql } from '@engine/core/print'
import type { ComparisonName, Expression, OperatorCall, QuantifiedArray } from '@engine/core/tree'
import { anyValue, classOfType, type PrintContext, print, refuse } from '../print-context.ts'
import { elementColumn, elementValue } from './array/array-element.ts'
import { elementsOf } from './array/array-elements.ts'
import { letColumns } from './binding/let-columns.ts'
import { keyOf, printInList } from './comparison/comparison.ts'
import { looseColumn } from './comparison/loose-column.ts'
import { mark, mayAllBeNull } from './comparison/uncached-in-subquery.ts'
import { jsonTable } from './json/json-table.ts'

/** @param isFilter NULL has the effect of false, so that the condition can use an index. */
export function printQuantifiedArray(
  expression: QuantifiedArray,
  context: PrintContext,
  isFilter = false,
): Sql {
  const { operator, quantifier, operand, array } = expression
  const elements = elementsOf(array, context)
  if (elements === undefined) {
    return letColumns([operand, array], context, (value = operand, list = array) =>
      overRows({ ...expression, operand: value, array: list }, context, isFilter),
    )
  }
  if (elements.length === 0) return quantifier === 'any' ? sql`false` : sql`true`
  const isListed =
    (operator.name === '=' && quantifier === 'any') ||
    (operator.name === '<>' && quantifier === 'all')
  if (isListed) return printInList(operand, elements, operator.name === '<>', context)
  return letColumns([operand], context, (value = operand) => {
    const tests = elements.map((each) => applied({ ...expression, operand: value }, each, context))
    return quantifier === 'any'
      ? sql`(${joinSql(tests, ' or ')})`
      : sql`(${joinSql(tests, ' and ')})`
  })
}

function applied(
  { operator, operand }: QuantifiedArray,
  element: Expression,
  context: PrintContext,
): Sql {
  const type: SqlType = { oid: operator.resultOid, typmod: -1 }
  const test: OperatorCall = { kind: 'operator', operator, left: operand, right: element, type }
  return print(test, context)
}

/** The array is a value: JSON_TABLE makes rows of its elements. */
function overRows(expression: QuantifiedArray, context: PrintContext, isFilter: boolean): Sql {
  const { operator, quantifier, operand, array, position } = expression
  const oid = context.types.elementTypeOid(array.type.oid)
  if (oid === undefined) return refuse('ANY or ALL over this type', position)
  const type: SqlType = { oid, typmod: -1 }
  const relation = context.nextId()
  const alias = keyword(`j${relation}`)
  const rows = print(array, context)
  const column = sql`v ${elementColumn(type, context, position)} path '$' error on error`
  const from = jsonTable(rows, column, alias, context)
  const value = elementValue(sql`${alias}.v`, type, context)
  const isText = classOfType(type, context) === 'numeric'
  context.relations.set(relation, {
    column: () => ({ ...anyValue, sql: isText ? sql`${alias}.v` : value, isBare: false }),
  })
  const element: Expression = { kind: 'column', relation, column: 0, type }
  const isSame = classOfType(operand.type, context) === classOfType(type, context)
  if (operator.name === ('=' satisfies ComparisonName) && quantifier === 'any' && isSame) {
    const key = keyOf(element, context)
    if (!isFilter && mayAllBeNull([operand], context)) {
      const found = sql`((${keyOf(operand, context)}, ${mark}) in (select ${key}, ${mark} from ${from}))`
      return isNeverNull(array) ? found : sql`(${found} or (isnull(${rows}) and null))`
    }
    const column = looseColumn(operand, context)
    const compared = column?.compared(key, element)
    const isSecond = compared !== undefined && context.traits.faults.joinsOfLists
    const apart = isSecond ? sql`/*+ subquery(intoexists) */ ` : sql``
    const found = sql`(${keyOf(operand, context)} in (select ${apart}${key} from ${from}))`
    const fast =
      column && compared
        ? sql`(${column.sql} in (select ${compared} from ${from}) and ${found})`
        : found
    return isFilter || isNeverNull(array) ? fast : sql`(${fast} or (isnull(${rows}) and null))`
  }
  const outcome = applied(expression, element, context)
  const unknown = sql`when count(*) > count(${outcome}) then null`
  const answer =
    quantifier === 'any'
      ? sql`(select case when max(${outcome}) = 1 then 1 ${unknown} else 0 end from ${from})`
      : sql`(select case when min(${outcome}) = 0 then 0 ${unknown} else 1 end from ${from})`
  return isNeverNull(array) ? answer : sql`case when ${rows} is not null then ${answer} end`
}

function isNeverNull(array: Expression): boolean {
  return array.kind === 'constant' && array.value !== null
}
