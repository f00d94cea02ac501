/** @module Arrays: constructors, elements, lists of elements. */

import { commaList, type Sql, sql } from '@engine/core/print'
import type { ArrayConstructor, Subscript } from '@engine/core/tree'
import { classOfType, type PrintContext, refuse } from '../print-context.ts'
import { arrayItemText, elementColumn, elementValue } from './array/array-element.ts'
import { elementJson } from './forms/array-item.ts'

export function printArray(expression: ArrayConstructor, context: PrintContext): Sql {
  const { elements, type, position } = expression
  const element = context.types.elementTypeOid(type.oid)
  if (element === undefined) return refuse('an array of this type', position)
  if (elements.length === 0) return sql`'[]'`
  const parts = elements.flatMap((each, index) => [
    index === 0 ? sql`'['` : sql`','`,
    elementJson(each, context),
  ])
  return sql`concat(${commaList([...parts, sql`']'`])})`
}

export function printSubscript(expression: Subscript, context: PrintContext): Sql {
  const text = arrayItemText(expression, context)
  const { type, position } = expression
  elementColumn(type, context, position)
  switch (classOfType(type, context)) {
    case 'int2':
    case 'int4':
    case 'int8':
      return sql`cast(${text} as signed)`
    case 'bool':
      return sql`(${text} = 'true')`
    case 'float8':
      return sql`cast(${text} as double)`
    case 'date':
      return sql`cast(${text} as date)`
    case 'time':
      return sql`cast(${text} as time(6))`
    case 'timestamp':
      return sql`cast(${text} as datetime(6))`
    default:
      return elementValue(text, type, context)
  }
}
