/** @module The text of an array: `{1,NULL,"a b"}`. */

import { oids } from '@engine/core/catalog'
import { keyword, type Sql, sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
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
import { jsonTable } from '../json/json-table.ts'

export function arrayText(expression: Expression, context: PrintContext): Sql {
  const element = context.types.elementTypeOid(expression.type.oid) ?? oids.text
  const typeClass = classOf(context.types, element)
  const value = [{ value: print(expression, context), kind: 'text' }] as const
  return letValues(value, context, canBind(expression), (array = nullSql) => {
    const item = keyword(`j${context.nextId()}`)
    const text = spelling(sql`${item}.v`)
    switch (typeClass) {
      case 'array':
      case 'record':
      case 'other':
      case 'float4':
      case 'float8':
        return refuse('text of an array of this type', expression.position)
      default:
    }
    const shown =
      typeClass === 'bool'
        ? sql`left(${item}.v, 1)`
        : typeClass === 'bytea'
          ? sql`concat('"\\\\\\\\x', ${item}.v, '"')`
          : text
    const items = sql`(select group_concat(if(isnull(${item}.v), 'NULL', ${shown}) order by ${item}.n separator ',') from ${jsonTable(array, sql`n for ordinality, v ${tableText(context)} path '$'`, item, context)})`
    return sql`(if(isnull(${array}), null, concat('{', coalesce(${items}, ''), '}')) collate ${binaryCollation(context)})`
  })
}

/** In quotes where the text would otherwise be ambiguous. */
function spelling(text: Sql): Sql {
  const quoted = sql`concat('"', replace(replace(${text}, '\\\\', '\\\\\\\\'), '"', '\\\\"'), '"')`
  const needsQuotes = sql`(${text} = '' or ${text} regexp '[{},"[:space:]]' or locate('\\\\', ${text}) > 0 or lower(${text}) = 'null')`
  return sql`if(${needsQuotes}, ${quoted}, ${text})`
}
