/** @module Tables that join two others many to many. */
import type { Relationship } from './catalog.ts'
import type { IntrospectedTable } from './introspection.ts'
import { type AddRelationship, namesThrough } from './relationship-names.ts'

/** What a junction refers to, by a foreign key or a declared one. */
export type JunctionKey = Pick<
  IntrospectedTable['foreignKeys'][number],
  'columns' | 'table' | 'references'
>

/**
 * A table with a key that is made of two of its foreign keys joins the two others, whatever else it has: columns, more
 * foreign keys. The two may share a column, of the tenant say.
 */
export function addJunction(
  table: IntrospectedTable,
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

/** @returns undefined where there is none, or where several could be meant. */
function pairOf(
  { primaryKey, uniqueKeys }: IntrospectedTable,
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

/** Neither of the two is all of the key: it would lead to one row, not to many. */
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
 * Which tables could be meant by a relation that is called like its far table, beside its own junction: with one more
 * junction in the database the name may mean another, so nothing that has to stay as it is can go by it.
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
