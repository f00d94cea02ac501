/** @module Casts between arrays. */

import { oids, type SqlType } from '@engine/core/catalog'
import { keyword, type Sql, sql } from '@engine/core/print'
import type { Cast } from '@engine/core/tree'
import { classOfType, nullSql, type PrintContext, print, refuse } from '../print-context.ts'
import { isInteger, type TypeClass } from '../type-class.ts'
import { canBind } from './binding/can-bind.ts'
import { letValues } from './binding/let-binding.ts'
import { jsonTable } from './json/json-table.ts'
import { jsonString } from './json/json-text.ts'

const widths: Partial<Readonly<Record<TypeClass, number>>> = { int2: 2, int4: 4, int8: 8 }

/** Elements with the same storage keep it; integers can become text. */
export function castArray(expression: Cast, context: PrintContext): Sql {
  const { operand, type, position } = expression
  const elementOf = (oid: number): SqlType => ({
    oid: context.types.elementTypeOid(oid) ?? oids.text,
    typmod: -1,
  })
  const [source, target] = [elementOf(operand.type.oid), elementOf(type.oid)]
  const [sourceClass, targetClass] = [classOfType(source, context), classOfType(target, context)]
  const value = print(operand, context)
  if (sourceClass === targetClass) return value
  if (isInteger(sourceClass) && isInteger(targetClass)) {
    if ((widths[sourceClass] ?? 0) <= (widths[targetClass] ?? 0)) return value
  }
  if (targetClass === 'text' && (isInteger(sourceClass) || isPlainText(sourceClass))) {
    return isInteger(sourceClass) ? quoted(value, expression, context) : value
  }
  const [from, to] = [source, target].map((each) => context.types.formatType(each.oid))
  return refuse(`a cast from an array of ${from} to one of ${to}`, position)
}

function isPlainText(typeClass: TypeClass): boolean {
  return typeClass === 'numeric' || typeClass === 'uuid' || typeClass === 'date'
}

function quoted(value: Sql, expression: Cast, context: PrintContext): Sql {
  const canBeNamed = canBind(expression.operand)
  return letValues([{ value, kind: 'text' }], context, canBeNamed, (array = nullSql) => {
    const alias = keyword(`j${context.nextId()}`)
    const items = sql`(select group_concat(coalesce(${jsonString(sql`cast(${alias}.v as char)`)}, 'null') order by ${alias}.n separator ',') from ${jsonTable(array, sql`n for ordinality, v bigint path '$'`, alias, context)})`
    return sql`if(isnull(${array}), null, concat('[', coalesce(${items}, ''), ']'))`
  })
}
