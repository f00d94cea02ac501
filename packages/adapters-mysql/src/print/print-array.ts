/** @module Arrays: constructors, elements, lists of elements. */
import {
  type ArrayConstructor,
  type Constant,
  commaList,
  type Expression,
  oids,
  type Sql,
  type SqlType,
  type Subscript,
  sql,
} from '@engine/core'
import { arrayItemText, elementColumn, elementJson, elementValue } from './array-item.ts'
import { classOfType, type PrintContext, print, refuse } from './print-context.ts'

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

/** The elements of an array that is spelled out or constant, one expression each; undefined for any other. */
export function elementsOf(
  array: Expression,
  context: PrintContext,
): readonly Expression[] | undefined {
  if (array.kind === 'array') return array.elements
  if (array.kind !== 'constant' || array.value === null || typeof array.value === 'string') {
    return undefined
  }
  const oid = context.types.elementTypeOid(array.type.oid) ?? oids.text
  const type: SqlType = { oid, typmod: -1 }
  if (array.value.some((each) => each !== null && typeof each !== 'string')) return undefined
  return array.value.map((value): Constant => ({ kind: 'constant', value, type }))
}
