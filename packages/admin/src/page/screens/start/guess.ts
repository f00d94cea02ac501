/** @module First rules of a role, guessed from names of columns and from foreign keys. A person reads them before they are saved. */
import type { CatalogTable } from '../../api/answers.ts'

export type Tables = Readonly<Record<string, CatalogTable>>

export type Filter = Readonly<Record<string, unknown>>

/** A column by which rows belong to a caller. */
export interface Scope {
  readonly column: string
  /** The field of the caller that it equals: `$user.<field>`. */
  readonly field: string
  /** How many tables have the column. */
  readonly tables: number
}

/** What ties the rows of a table to a caller. */
export interface Tie {
  readonly kind: 'column' | 'itself' | 'relation'
  /** The column of the condition; the relation for `relation`. */
  readonly by: string
  readonly where: Filter
}

/** Nouns of columns that say whose a row is, most telling first. */
const groups =
  'tenant organisation organization org company workspace account team customer client member employee'.split(
    ' ',
  )
/** Nouns that mean the account itself: its id is `$user.id`. */
const accounts = 'user owner author profile'.split(' ')
const nouns = [...groups, ...accounts]

/** Words of columns that no caller should read. */
const secrets = new Set(
  'password passwd passphrase pwd secret token hash salt otp totp mfa pin ssn cvv cvc iban credential credentials salary wage apikey'.split(
    ' ',
  ),
)
const secretPairs = /(?:^| )(?:api|private|signing|encryption) key(?: |$)|(?:^| )card number(?: |$)/

/** `passwordHash`, `password_hash`: `password hash`. */
export function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
}

export function looksSecret(column: string): boolean {
  const words = wordsOf(column)
  return words.split(' ').some((word) => secrets.has(word)) || secretPairs.test(words)
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

/** Columns that tie rows to a caller: the one of most tables first. */
export function scopesOf(tables: Tables): readonly Scope[] {
  const counts = new Map<string, number>()
  for (const { columns } of Object.values(tables)) {
    for (const column of Object.keys(columns)) {
      if (nounOf(column) !== undefined) counts.set(column, (counts.get(column) ?? 0) + 1)
    }
  }
  return [...counts]
    .map(([column, count]): Scope => ({ column, field: fieldOf(column), tables: count }))
    .toSorted((a, b) => b.tables - a.tables || rankOf(a.column) - rankOf(b.column))
}

function rankOf(column: string): number {
  return nouns.indexOf(nounOf(column) ?? '')
}

/** Relations are followed this far from a table that has the column. */
const mostSteps = 2

/** What ties each table to the caller, by table; tables that nothing ties are left out. */
export function tiesOf(
  connection: string,
  tables: Tables,
  { column, field }: Pick<Scope, 'column' | 'field'>,
): ReadonlyMap<string, Tie> {
  const ties = new Map<string, Tie>()
  const own = (kind: Tie['kind'], by: string): Tie => ({
    kind,
    by,
    where: { [by]: `$user.${field}` },
  })
  for (const [name, table] of Object.entries(tables)) {
    if (Object.hasOwn(table.columns, column)) ties.set(name, own('column', column))
  }
  for (const name of [...ties.keys()]) {
    for (const key of tables[name]?.foreignKeys ?? []) {
      const [to] = key.references
      const isOfColumn = key.columns.length === 1 && key.columns[0] === column
      if (!isOfColumn || to === undefined || ties.has(key.table)) continue
      if (Object.hasOwn(tables, key.table)) ties.set(key.table, own('itself', to))
    }
  }
  for (let step = 0; step < mostSteps; step += 1) {
    const known = new Map(ties)
    for (const [name, table] of Object.entries(tables)) {
      if (known.has(name)) continue
      const [relation, target] = parentOf(connection, table, known) ?? []
      if (relation === undefined || target === undefined) continue
      ties.set(name, { kind: 'relation', by: relation, where: { [relation]: target.where } })
    }
  }
  return ties
}

/** A relation from a foreign key of the table to a table that is tied to the caller. */
function parentOf(
  connection: string,
  { relationships, columns }: CatalogTable,
  known: ReadonlyMap<string, Tie>,
): readonly [relation: string, tie: Tie] | undefined {
  for (const [relation, { table, type }] of Object.entries(relationships)) {
    if (type !== 'many-to-one' || Object.hasOwn(columns, relation)) continue
    const tie = table.startsWith(`${connection}.`)
      ? known.get(table.slice(connection.length + 1))
      : undefined
    if (tie !== undefined) return [relation, tie]
  }
  return undefined
}
