/** @module The unique keys with which the rows of an INSERT could conflict. */

import type { Column, Table } from '@engine/core/catalog'
import { columnAt, commaList, joinSql, type Sql, sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { type PrintContext, print, refuse } from '../print-context.ts'
import { raiseState } from '../raise.ts'
import { defaultExpression, uuidDefault } from './default-cell.ts'
import type { SourceQuery } from './insert-source.ts'
import type { MaterializedRows } from './materialized-rows.ts'
import { asCompared, nativeOf } from './row-key.ts'
import { storedExactly } from './stored-exactly.ts'
import { neverNull } from './stored-value.ts'

/** A part of a unique key in a proposed row. */
export interface KeyPart {
  readonly column: Column
  /** The position among the columns with values, or the default of a column without one. */
  readonly value: number | Expression
}

/**
 * `never`: a part of the key gets a number from the server, a new UUID, or NULL, which equals nothing. `unknown`: only the server knows the
 * value of a part.
 */
export type MetKey = readonly KeyPart[] | 'never' | 'unknown'

export function uniqueKeysOf({ primaryKey, uniqueKeys }: Table): readonly (readonly number[])[] {
  return primaryKey.length === 0 ? uniqueKeys : [primaryKey, ...uniqueKeys]
}

/** A unique key with which the proposed rows could conflict. */
export function metKey(
  table: Table,
  ordinals: readonly number[],
  source: SourceQuery,
  context: PrintContext,
): MetKey {
  const parts: KeyPart[] = []
  let isKnown = true
  for (const ordinal of ordinals) {
    const column = columnAt(table, ordinal)
    const place = source.columns.findIndex((each) => each.ordinal === ordinal)
    if (place >= 0) {
      parts.push({ column, value: place })
      continue
    }
    if (nativeOf(column).isAutoIncrement === true) return 'never'
    // A new UUID is no key of another row.
    if (uuidDefault(column) !== undefined) return 'never'
    const value = defaultExpression(column, context)
    if (value?.kind === 'constant' && value.value === null) return 'never'
    if (value === undefined) isKnown = false
    else parts.push({ column, value })
  }
  return isKnown ? parts : 'unknown'
}

/** Fails when two kept rows have the same key. */
export function oncePerKey(
  key: readonly KeyPart[],
  kept: MaterializedRows,
  state: '0A000' | '21000',
  context: PrintContext,
): Sql {
  const parts = keyParts(key, (place) => kept.column(place).sql, context)
  const present = parts.map((part) => sql`${part} is not null`)
  return sql`select case when count(*) > 1 then ${raiseState(state)} end from ${kept.sql} where ${joinSql(present, ' and ')} group by ${commaList(parts)}`
}

/** As the unique index compares them; without the parts that are the same in all rows. */
export function keyParts(
  key: readonly KeyPart[],
  column: (place: number) => Sql,
  context: PrintContext,
): readonly Sql[] {
  const parts = key.flatMap((part) =>
    typeof part.value === 'number' ? [asCompared(part.column, column(part.value), context)] : [],
  )
  return parts.length > 0 ? parts : refuse('ON CONFLICT with a key of defaults', undefined)
}

export function keyValues(
  key: readonly KeyPart[],
  column: (place: number) => Sql,
  context: PrintContext,
): readonly Sql[] {
  return key.map(({ value }) => (typeof value === 'number' ? column(value) : print(value, context)))
}

export function storedValues(
  { columns, isGuarded }: SourceQuery,
  column: (index: number) => Sql,
  context: PrintContext,
): Sql {
  return commaList(
    columns.map((each, index) => {
      const value = storedExactly(each, column(index), context)
      return isGuarded[index] === true ? neverNull(value) : value
    }),
  )
}
