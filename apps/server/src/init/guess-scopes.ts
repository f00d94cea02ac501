/** @module Columns that may say whose a row is, for callers of any kind: accounts, API keys, tokens. */
import type { Connection, Table } from '@engine/core/catalog'
import type { RulesScope } from '@engine/http'
import { wordsOf } from './column-names.ts'
import { referenceBy, referencesOf } from './references.ts'
import type { RowFilter } from './row-filter.ts'

/** A column by which rows belong to a caller, whatever signs in. */
export interface Scope {
  readonly column: string
  /** Its value is `$user.<field>`. */
  readonly field: string
  /** It names a group of people, not one. */
  readonly isGroup: boolean
  /** The table that it refers to. */
  readonly target: Table | undefined
}

/** Nouns of groups of people, most telling first. */
const groups = [
  'tenant',
  'organisation',
  'organization',
  'org',
  'company',
  'workspace',
  'account',
  'team',
]
/** Nouns of one person with a row, whose key is a field of a token or an API key. */
const persons = ['customer', 'client', 'member', 'employee']
/** Nouns that mean the account itself: its id is `$user.id`. */
const accounts = ['user', 'owner', 'author', 'profile']
const nouns = [...groups, ...persons, ...accounts]

/** The column of most tables first. */
export function scopesOf(tables: Iterable<Table>): readonly RulesScope[] {
  const counts = new Map<string, number>()
  for (const { columns } of tables) {
    for (const { name } of columns) {
      if (nounOf(name) !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return [...counts]
    .map(([column, count]): RulesScope => ({ column, field: fieldOf(column), tables: count }))
    .toSorted((a, b) => b.tables - a.tables || rankOf(a.column) - rankOf(b.column))
}

/** The scope with what the catalog knows about its column. */
export function scopeOf({ column, field }: RulesScope, connection: Connection): Scope {
  const target = [...connection.tables.values()]
    .map((table) => referenceBy(column, referencesOf(table, connection))?.table)
    .find((table) => table !== undefined)
  return { column, field, isGroup: groups.includes(nounOf(column) ?? ''), target }
}

/** The rows of the caller: by the column, or those that the column refers to. */
export function scopeFilter(
  table: Table,
  { column, field, target }: Scope,
  connection: Connection,
): RowFilter | undefined {
  const value = `$user.${field}`
  if (table.columns.some(({ name }) => name === column)) return { [column]: value }
  if (table !== target) return undefined
  const found = [...connection.tables.values()]
    .map((each) => referenceBy(column, referencesOf(each, connection)))
    .find((reference) => reference?.table === table)
  return found?.to[0] === undefined ? undefined : { [found.to[0]]: value }
}

/** `tenant` of `tenant_id`; undefined for a column that says nothing about a caller. */
function nounOf(column: string): string | undefined {
  const words = wordsOf(column)
  if (['owner', 'created by', 'owned by'].includes(words)) return 'owner'
  const [, noun = ''] = /^(\w+) (?:id|uuid|no|number|key)$/.exec(words) ?? []
  return nouns.includes(noun) ? noun : undefined
}

function fieldOf(column: string): string {
  const noun = nounOf(column) ?? ''
  return accounts.includes(noun) ? 'id' : wordsOf(column).replaceAll(' ', '_')
}

function rankOf(column: string): number {
  return nouns.indexOf(nounOf(column) ?? '')
}
