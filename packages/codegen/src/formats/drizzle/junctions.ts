/** @module The tables between the two sides of many-to-many relations: the schema does not contain their names. */
import type { NamedColumn, NamedTable } from './named-tables.ts'
import { type Side, sameColumns } from './side.ts'

export interface Junction {
  readonly table: NamedTable
  /** Its columns towards the source and towards the target. */
  readonly from: readonly NamedColumn[]
  readonly to: readonly NamedColumn[]
}

/**
 * Finds the junction of a many-to-many relation among tables with two keys, or with two keys that are parts of the
 * primary key. `<table>_via_<junction>` names it; otherwise it is the one that no such relation names.
 *
 * @returns undefined where it is not certain: between a table and itself, or when there are several candidates.
 */
export function junctionFinder(sides: readonly Side[]): (side: Side) => Junction | undefined {
  const keys = sides.filter(({ type }) => type === 'many-to-one')
  const keysBySource = Map.groupBy(keys, ({ source }) => source)
  const keysByTarget = Map.groupBy(keys, ({ target }) => target)
  const sidesBySource = Map.groupBy(sides, ({ source }) => source)
  const candidatesFor = ({ source, from, target, to }: Side): readonly Junction[] => {
    const tables = new Set(keysByTarget.get(source)?.map((key) => key.source))
    return [...tables].flatMap((table) =>
      joiningKeys(table, keysBySource.get(table) ?? [], [source, from], [target, to]),
    )
  }
  return (side) => {
    if (side.source === side.target) return undefined
    const candidates = candidatesFor(side)
    const named = candidates.find(({ table }) => side.name.endsWith(`_via_${table.name}`))
    if (named !== undefined) return named
    const siblings = (sidesBySource.get(side.source) ?? []).filter(
      (other) => other !== side && other.target === side.target,
    )
    const unnamed = candidates.filter(
      ({ table }) => !siblings.some(({ name }) => name.endsWith(`_via_${table.name}`)),
    )
    return unnamed.length === 1 ? unnamed[0] : undefined
  }
}

type End = readonly [table: NamedTable, columns: readonly NamedColumn[]]

/** @param own keys of the table. @returns at most one junction. */
function joiningKeys(
  table: NamedTable,
  own: readonly Side[],
  near: End,
  far: End,
): readonly Junction[] {
  const leadingTo = ([target, columns]: End) =>
    own.filter((key) => key.target === target && sameColumns(key.to, columns))
  const pairs = leadingTo(near).flatMap(({ from }) =>
    leadingTo(far).map((key) => ({ table, from, to: key.from })),
  )
  const joining = own.length === 2 ? pairs : pairs.filter(isKeyOfJunction)
  return joining.length === 1 ? joining : []
}

function isKeyOfJunction({ table, from, to }: Junction): boolean {
  const columns = new Set([...from, ...to])
  return table.columns.every((column) => column.primaryKey === columns.has(column))
}
