/** @module Functions of arrays. */

import { oids } from '@engine/core/catalog'
import { keyword, type Sql, sql } from '@engine/core/print'
import type { FunctionCall } from '@engine/core/tree'
import {
  binaryCollation,
  nullSql,
  type PrintContext,
  print,
  refuse,
  tableText,
} from '../../print-context.ts'
import { classOf } from '../../type-class.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'
import { letExpressions } from '../binding/named-kind.ts'
import { jsonTable } from '../json/json-table.ts'
import { jsonString } from '../json/json-text.ts'
import type { CallPrinter, CallPrinters } from './function-printers.ts'

const nothing = nullSql

/** The length of the first dimension, the only one. NULL for an empty array. */
const lengthOf: CallPrinter = ([array = nothing, dimension = nothing], expression, context) =>
  // The server evaluates the first argument of nullif() twice.
  letValues(
    [{ value: array, kind: 'text' }],
    context,
    canBind(expression),
    (list = nothing) => sql`if(${dimension} = 1, nullif(json_length(${list}), 0), null)`,
  )

function joinArray(expression: FunctionCall, context: PrintContext): Sql {
  const [array, separator, instead] = expression.args
  if (array === undefined || separator === undefined)
    return refuse('array_to_string', expression.position)
  const typeClass = classOf(
    context.types,
    context.types.elementTypeOid(array.type.oid) ?? oids.text,
  )
  if (typeClass === 'float8' || typeClass === 'bytea' || typeClass === 'float4') {
    return refuse('array_to_string of this type', expression.position)
  }
  const values = [
    { value: print(array, context), kind: 'text' },
    { value: print(separator, context), kind: 'text' },
  ] as const
  return letValues(values, context, canBind(expression), (list = nothing, mark = nothing) => {
    const alias = keyword(`j${context.nextId()}`)
    const text = typeClass === 'bool' ? sql`left(${alias}.v, 1)` : sql`${alias}.v`
    const shown = instead === undefined ? text : sql`coalesce(${text}, ${print(instead, context)})`
    const joined = sql`(select group_concat(concat(${mark}, ${shown}) order by ${alias}.n separator '') from ${jsonTable(list, sql`n for ordinality, v ${tableText(context)} path '$'`, alias, context)})`
    const all = sql`coalesce(substring(${joined}, char_length(${mark}) + 1), '')`
    return sql`(if(isnull(${list}) or isnull(${mark}), null, ${all}) collate ${binaryCollation(context)})`
  })
}

/** Splits at a mark that JSON writes without escapes. */
function splitText(expression: FunctionCall, context: PrintContext): Sql {
  const [text, mark] = expression.args
  const known = mark?.kind === 'constant' ? mark.value : undefined
  if (text === undefined || mark === undefined || typeof known !== 'string') {
    return refuse('string_to_array with a mark that is not constant', expression.position)
  }
  if (!/^[ -!#-/:-@[\]^_{-~]+$/.test(known) || known.includes('/')) {
    return refuse('string_to_array with this mark', expression.position)
  }
  return letValues(
    [{ value: print(text, context), kind: 'text' }],
    context,
    canBind(text),
    (name = nothing) =>
      sql`if(${name} = '', '[]', concat('[', replace(${jsonString(name)}, ${print(mark, context)}, '","'), ']'))`,
  )
}

function positionOf(expression: FunctionCall, context: PrintContext): Sql {
  const [array, element] = expression.args
  if (array === undefined || element === undefined)
    return refuse('array_position', expression.position)
  const typeClass = classOf(context.types, element.type.oid)
  const isText = typeClass === 'text' || typeClass === 'uuid'
  const isInteger = typeClass === 'int4' || typeClass === 'int8' || typeClass === 'int2'
  if (!isText && !isInteger) return refuse('array_position of this type', expression.position)
  // The element is compared with every other one.
  return letExpressions([array, element], context, (list = nothing, value = nothing) => {
    const alias = keyword(`j${context.nextId()}`)
    const column = isText ? sql`v ${tableText(context)} path '$'` : sql`v bigint path '$'`
    const same = isText
      ? sql`cast(${alias}.v as binary) <=> cast(${value} as binary)`
      : sql`${alias}.v <=> ${value}`
    return sql`(select min(${alias}.n) from ${jsonTable(list, sql`n for ordinality, ${column}`, alias, context)} where ${same})`
  })
}

export const arraySpecials: Readonly<
  Record<string, (expression: FunctionCall, context: PrintContext) => Sql>
> = {
  'array_to_string(anyarray,text)': joinArray,
  'array_to_string(anyarray,text,text)': joinArray,
  'string_to_array(text,text)': splitText,
  'array_position(anycompatiblearray,anycompatible)': positionOf,
}

export const arrayFunctions: CallPrinters = {
  'array_length(anyarray,int4)': lengthOf,
  'array_upper(anyarray,int4)': lengthOf,
  'array_lower(anyarray,int4)': ([array = nothing, dimension = nothing]) =>
    sql`if(${dimension} = 1 and json_length(${array}) > 0, 1, null)`,
  'cardinality(anyarray)': ([array = nothing]) => sql`json_length(${array})`,
}
