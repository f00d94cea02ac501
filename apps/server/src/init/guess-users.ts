/** @module The tables whose rows may be the people who sign in. */
import { unfilledAtSignUp } from '@engine/auth'
import type { Column, Connection, Table } from '@engine/core/catalog'
import {
  isForeignTable,
  isSecretTable,
  isToolTable,
  userTableRank,
  wordsOf,
} from './column-names.ts'

/** A table with a row for each user. */
export interface UserTable {
  readonly table: Table
  /** Its primary key: `$user.<key>`. */
  readonly key: Column
  /** Columns that need a value which a sign-up does not have. */
  readonly unfilled: readonly string[]
}

/** Candidates, the most probable first. */
export function guessUserTables(connection: Connection): readonly UserTable[] {
  const ranked = [...connection.tables.values()].flatMap((table) => {
    const found = userTableOf(table)
    const rank = found === undefined ? 0 : rankOf(table, connection)
    return found === undefined || rank === 0 ? [] : [{ found, rank }]
  })
  return ranked.toSorted((a, b) => b.rank - a.rank).map(({ found }) => found)
}

/** @returns undefined for a view, and a table without a primary key of one column. */
export function userTableOf(table: Table): UserTable | undefined {
  const [ordinal, ...more] = table.primaryKey
  const key = ordinal === undefined || more.length > 0 ? undefined : table.columns[ordinal]
  if (key === undefined || table.kind !== 'table') return undefined
  const unfilled = unfilledAtSignUp(table, key).map(({ name }) => name)
  return { table, key, unfilled }
}

function rankOf(table: Table, connection: Connection): number {
  if ([isToolTable, isSecretTable, isForeignTable].some((is) => is(table.name))) return 0
  const named = userTableRank(table.name)
  const hasAddress = table.columns.some(({ name }) => /\be ?mail\b/.test(wordsOf(name)))
  if (named === 0 || (named < 6 && !hasAddress)) return 0
  const referring = [...connection.tables.values()].filter(({ foreignKeys }) =>
    foreignKeys.some((key) => key.table === table.key),
  )
  return 2 * named + (hasAddress ? 5 : 0) + Math.min(referring.length, 5)
}
