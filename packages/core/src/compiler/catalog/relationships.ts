/** @module Relations between tables, seen from both ends, and their names. */

import type { Connection, Relationship } from './catalog.ts'
import type { CompleteTable } from './complete-introspection.ts'
import { addConfigured } from './configured-relationships.ts'
import type { IntrospectedForeignKey } from './introspection.ts'
import { addJunction } from './junctions.ts'
import type { RelationshipConfig } from './relationship-config.ts'
import { type AddRelationship, namesFrom, namesTowards } from './relationship-names.ts'

type Configured = Readonly<Record<string, Readonly<Record<string, RelationshipConfig>>>>

/** Relations by table, then by name. */
export type RelationshipMap = ReadonlyMap<string, ReadonlyMap<string, Relationship>>

/**
 * Names follow one rule, so that they are predictable:
 * - towards the referenced table: the foreign-key column without `_id`, else the referenced table
 * - from it: the referencing table, with `_by_<column>` where several keys join the same two tables
 * - through a junction: the far table, with `_via_<junction>` when that is taken, and `_by_<column>` of the junction after it for
 *   the way back from a table to itself
 *
 * A table of a further schema, `auth.users`, is `users` in these names, or `auth_users` when that is taken.
 *
 * A relation that the configuration declares gets a reverse by the same rule, and changes no name of a found relation.
 */
export function relationshipsOf(
  connection: Pick<Connection, 'name' | 'members'>,
  tables: readonly CompleteTable[],
  configured: Configured,
  onFault: (path: string, message: string) => void,
): RelationshipMap {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const found = new Map(tables.map((table) => [table.name, new Map<string, Relationship>()]))
  const add: AddRelationship = (table, names, relation) => {
    const relations = found.get(table)
    const candidates = names.flatMap((name) => plainNames(name, relation, byName))
    const name = candidates.find((candidate) => relations?.has(candidate) === false)
    if (relations !== undefined && name !== undefined) relations.set(name, { name, ...relation })
  }
  for (const table of tables) {
    for (const key of table.foreignKeys) {
      if (byName.has(key.table)) addForeignKey(table, key, add)
    }
  }
  for (const table of tables) addJunction(table, table.foreignKeys, byName, add)
  addConfigured({ connection, found, byName, add }, configured, onFault)
  return found
}

/** A name that contains the names of tables, without their schemas first. */
function plainNames(
  name: string,
  { table, through }: Omit<Relationship, 'name'>,
  byName: ReadonlyMap<string, CompleteTable>,
): readonly string[] {
  let plain = name
  let full = name
  for (const address of [table, through?.table ?? table]) {
    const { schema, nativeName } = byName.get(address) ?? {}
    if (nativeName === undefined || nativeName === address) continue
    plain = plain.replaceAll(address, nativeName)
    full = full.replaceAll(address, `${schema}_${nativeName}`)
  }
  return plain === full ? [plain] : [plain, full]
}

function addForeignKey(
  table: CompleteTable,
  key: IntrospectedForeignKey,
  add: AddRelationship,
): void {
  const isOne = isUnique(table, key.columns)
  add(table.name, namesTowards(key.columns, key.table), {
    type: isOne ? 'one-to-one' : 'many-to-one',
    table: key.table,
    from: key.columns,
    to: key.references,
    through: undefined,
  })
  const siblings = table.foreignKeys.filter((other) => other.table === key.table)
  const [bare, ...more] = namesFrom(key.columns, table.name)
  add(key.table, siblings.length > 1 ? more : [bare, ...more], {
    type: isOne ? 'one-to-one' : 'one-to-many',
    table: table.name,
    from: key.references,
    to: key.columns,
    through: undefined,
  })
}

function isUnique(table: CompleteTable, columns: readonly string[]): boolean {
  return [table.primaryKey, ...table.uniqueKeys].some(
    (key) => key.length > 0 && key.every((column) => columns.includes(column)),
  )
}
