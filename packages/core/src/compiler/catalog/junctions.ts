/** @module Tables that join two others many to many. */
import type { Relationship } from './catalog.ts'
import type { CompleteTable } from './complete-introspection.ts'
import type { IntrospectedForeignKey } from './introspection.ts'
import { type AddRelationship, namesThrough } from './relationship-names.ts'

/** A reference of a junction: a foreign key or a declared key. */
export type JunctionKey = Pick<IntrospectedForeignKey, 'columns' | 'table' | 'references'>

/**
 * A table joins two others if two of its foreign keys form one of its keys, whatever other columns and foreign keys it has. The
 * two may share a column, for example the tenant's.
 */
export function addJunction(
  table: CompleteTable,
  foreignKeys: readonly JunctionKey[],
  byName: ReadonlyMap<string, unknown>,
  add: AddRelationship,
): void {
  const pair = pairOf(table, foreignKeys)
  if (pair === undefined || !pair.every((key) => byName.has(key.table))) return
  const [first, second] = pair
  for (const [near, far] of [
    [first, second],
    [second, first],
  ] as const) {
    const through = { table: table.name, from: near.columns, to: far.columns }
    add(near.table, namesThrough(far.table, through), {
      type: 'many-to-many',
      table: far.table,
      from: near.references,
      to: far.references,
      through,
    })
  }
}

/** @returns undefined where there is no pair, or where several pairs are possible. */
function pairOf(
  { primaryKey, uniqueKeys }: CompleteTable,
  foreignKeys: readonly JunctionKey[],
): readonly [JunctionKey, JunctionKey] | undefined {
  const keys = [primaryKey, ...uniqueKeys].filter((key) => key.length > 0)
  const pairs = foreignKeys.flatMap((first, index) =>
    foreignKeys
      .slice(index + 1)
      .filter((second) => keys.some((key) => isMadeOf(key, first.columns, second.columns)))
      .map((second) => [first, second] as const),
  )
  return pairs.length === 1 ? pairs[0] : undefined
}

/** Neither foreign key may be the whole key: it would lead to one row, not to many. */
function isMadeOf(
  key: readonly string[],
  first: readonly string[],
  second: readonly string[],
): boolean {
  const columns = new Set([...first, ...second])
  const isWhole = columns.size === key.length && key.every((column) => columns.has(column))
  return isWhole && first.length < key.length && second.length < key.length
}

/**
 * The other tables that a relation named after its far table could mean, besides its own junction. With one more junction in the
 * database the name may change its meaning, so nothing permanent may depend on it.
 */
export function otherJunctions(
  { name, table, through }: Relationship,
  relations: ReadonlyMap<string, Relationship>,
): readonly string[] {
  if (through === undefined || name !== table) return []
  return [...relations.values()].flatMap((other) =>
    other.table === table && other.through !== undefined && other.through.table !== through.table
      ? [other.through.table]
      : [],
  )
}
