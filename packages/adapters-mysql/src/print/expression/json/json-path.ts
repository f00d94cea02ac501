import { joinSql, type Sql, sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { constantText } from '../../constant-text.ts'
import type { PrintContext } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { elementsOf } from '../array/array-elements.ts'
import { jsonExtract, jsonType } from './server-json.ts'

/** A key of an object, as a step of a path. */
export function keyPath(key: Sql): Sql {
  return sql`concat('$."', replace(replace(${key}, '\\\\', '\\\\\\\\'), '"', '\\\\"'), '"')`
}

/** The steps of a path that can only be keys; undefined for any other. */
export function constantKeys(
  path: Expression,
  context: PrintContext,
): readonly string[] | undefined {
  const steps = elementsOf(path, context)?.map((each) =>
    each.kind === 'constant' ? each.value : undefined,
  )
  return steps !== undefined && steps.length > 0 && steps.every(isKey) ? steps : undefined
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && !/^-?\d+$/.test(value)
}

/** `$."a"."b"` */
export function membersPath(keys: readonly string[]): string {
  const steps = keys.map((key) => `."${key.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)
  return `$${steps.join('')}`
}

/**
 * `changed`, unless the path of keys meets an array, where PostgreSQL requires an index, or the document is a scalar.
 *
 * @param isAdded An empty array is an error too: a value would be added to it.
 */
export function throughObjects(
  document: Sql,
  keys: readonly string[],
  changed: Sql,
  isAdded: boolean,
  context: PrintContext,
): Sql {
  const isList = (value: Sql) => {
    const isArray = sql`${jsonType(value, context)} = 'ARRAY'`
    return isAdded ? isArray : sql`${isArray} and json_length(${value}) > 0`
  }
  const places = [
    document,
    ...keys.slice(0, -1).map((_, index) => {
      const path = constantText(membersPath(keys.slice(0, index + 1)))
      return jsonExtract(document, path, context)
    }),
  ]
  const lists = places.map((place) => sql`when ${isList(place)} then ${raiseState('22P02')}`)
  const isScalar = sql`${jsonType(document, context)} not in ('OBJECT', 'ARRAY')`
  return sql`case ${joinSql(lists, ' ')} when ${isScalar} then ${raiseState('22023')} else ${changed} end`
}
