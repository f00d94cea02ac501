/** @module Operators of json and jsonb. */

import { keyword, type Sql, sql } from '@engine/core/print'
import type { Expression, OperatorCall } from '@engine/core/tree'
import { constantText } from '../../constant-text.ts'
import {
  binaryCollation,
  nullSql,
  type PrintContext,
  print,
  refuse,
  tableText,
} from '../../print-context.ts'
import { isInteger, type TypeClass } from '../../type-class.ts'
import { elementsOf } from '../array/array-elements.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'
import { documentOf, partOf } from './document.ts'
import { jsonContains } from './json-contains.ts'
import { constantKeys, keyPath, membersPath, throughObjects } from './json-path.ts'
import { asText } from './json-step.ts'
import { listArgument } from './json-table.ts'
import { joinedDocuments, withoutIndex, withoutKey } from './jsonb-edit.ts'
import { jsonType, ofServer } from './server-json.ts'

/** Undefined where the operands are not documents. */
export function printDocuments(
  expression: OperatorCall,
  leftClass: TypeClass,
  rightClass: TypeClass,
  context: PrintContext,
): Sql | undefined {
  const { operator, left, right } = expression
  if (left === undefined || (leftClass !== 'json' && leftClass !== 'jsonb')) return undefined
  const canBeNamed = canBind(left) && canBind(right)
  requireKeysOnce(left)
  const document = () => documentOf(left, context)
  const other = () => documentOf(right, context)
  switch (operator.name) {
    case '->':
    case '->>':
    case '#>':
    case '#>>': {
      const found = partOf(expression, context)
      if (found === undefined) return undefined
      return operator.name.endsWith('>>')
        ? asText(found, context, canBeNamed)
        : ofServer(found, context)
    }
    case '@>':
      return jsonContains(document(), other(), context, canBeNamed)
    case '<@':
      return jsonContains(other(), document(), context, canBeNamed)
    case '?':
      return hasKey(document(), print(right, context), context, canBeNamed)
    case '?|':
    case '?&':
      return hasKeys(operator.name, document(), print(right, context), context, canBeNamed)
    case '#-': {
      const keys = constantKeys(right, context)
      if (keys === undefined) return undefined
      return letValues(
        [{ value: document(), kind: 'text' }],
        context,
        canBeNamed,
        (name = nullSql) => {
          const path = constantText(membersPath(keys))
          const changed = ofServer(sql`json_remove(${name}, ${path})`, context)
          return throughObjects(name, keys, changed, false, context)
        },
      )
    }
    case '||':
      return joinedDocuments(document(), other(), context, canBeNamed)
    case '-':
      if (isInteger(rightClass)) {
        return withoutIndex(document(), print(right, context), context, canBeNamed)
      }
      if (rightClass === 'text') {
        return withoutKey(document(), print(right, context), context, canBeNamed)
      }
      return elementsOf(right, context)?.reduce(
        (from, key) => withoutKey(from, print(key, context), context, canBeNamed, 'document'),
        document(),
      )
    default:
      return undefined
  }
}

/** `'{"a": 1, "a": 2}'::json -> 'a'` is 2, but 1 on the server; a jsonb loses repeated keys when it is bound. */
function requireKeysOnce(document: Expression): void {
  const value = document.kind === 'constant' ? document.value : undefined
  if (typeof value !== 'string') return
  const written = [...value.matchAll(/"(?:[^"\\]|\\.)*"\s*:/g)].length
  let parsed = 0
  JSON.parse(value, (_, part: unknown) => {
    if (part !== null && typeof part === 'object' && !Array.isArray(part)) {
      parsed += Object.keys(part).length
    }
    return part
  })
  if (written !== parsed) refuse('json that has a key twice', document.position)
}

/** A key of an object, or a string in an array. */
function hasKey(document: Sql, key: Sql, context: PrintContext, canBeNamed: boolean): Sql {
  const values = [
    { value: document, kind: 'text' },
    { value: key, kind: 'text' },
  ] as const
  return letValues(values, context, canBeNamed, (name = nullSql, text = nullSql) =>
    keyTest(name, text, context),
  )
}

function keyTest(document: Sql, key: Sql, context: PrintContext): Sql {
  const alias = keyword(`j${context.nextId()}`)
  const item = sql`json_extract(${document}, concat('$[', ${alias}.n - 1, ']'))`
  const inArray = sql`exists (select 1 from json_table(${listArgument(document, context)}, '$[*]' columns (n for ordinality)) as ${alias} where ${jsonType(item, context)} = 'STRING' and cast(json_unquote(${item}) as char) = ${key})`
  return sql`case ${jsonType(document, context)} when 'OBJECT' then json_contains_path(${document}, 'one', ${keyPath(key)}) when 'ARRAY' then if(isnull(${key}), null, ${inArray}) when 'STRING' then cast(json_unquote(${document}) as char) = ${key} else if(isnull(${document}) or isnull(${key}), null, 0) end`
}

function hasKeys(
  operator: '?|' | '?&',
  document: Sql,
  keys: Sql,
  context: PrintContext,
  canBeNamed: boolean,
): Sql {
  const values = [
    { value: document, kind: 'text' },
    { value: keys, kind: 'text' },
  ] as const
  return letValues(values, context, canBeNamed, (name = nullSql, list = nullSql) => {
    const alias = keyword(`j${context.nextId()}`)
    const test = keyTest(name, sql`(${alias}.v collate ${binaryCollation(context)})`, context)
    const from = sql`json_table(${listArgument(list, context)}, '$[*]' columns (v ${tableText(context)} path '$')) as ${alias} where ${alias}.v is not null`
    const found =
      operator === '?|'
        ? sql`exists (select 1 from ${from} and ${test})`
        : sql`not exists (select 1 from ${from} and not ${test})`
    return sql`if(isnull(${name}) or isnull(${list}), null, ${found})`
  })
}
