/** @module The tables between the two sides of many-to-many relations: the schema does not name them. */
import type { NamedColumn, NamedTable } from './named-tables.ts'
import { type Side, sameColumns } from './side.ts'

export interface Junction {
  readonly table: NamedTable
  /** Its columns towards the source and towards the target. */
  readonly from: readonly NamedColumn[]
  readonly to: readonly NamedColumn[]
}

/**
 * Finds the junction of a many-to-many relation among tables with two keys, or with two that its primary key is made of. `<table>_via_<junction>` names it; else it is
 * the one that no such relation names.
 *
 * @returns undefined where it is not certain: between a table and itself, or when several could be meant.
 */
export function junctionOf(side: Side, sides: readonly Side[]): Junction | undefined {
  if (side.source === side.target) return undefined
  const candidates = candidatesFor(side, sides)
  const named = candidates.find(({ table }) => side.name.endsWith(`_via_${table.name}`))
  if (named !== undefined) return named
  const siblings = sides.filter(
    (other) => other !== side && other.source === side.source && other.target === side.target,
  )
  const unnamed = candidates.filter(
    ({ table }) => !siblings.some(({ name }) => name.endsWith(`_via_${table.name}`)),
  )
  return unnamed.length === 1 ? unnamed[0] : undefined
}

function candidatesFor(side: Side, sides: readonly Side[]): readonly Junction[] {
  const keys = sides.filter(({ type }) => type === 'many-to-one')
  return [...Map.groupBy(keys, ({ source }) => source)].flatMap(([table, own]): Junction[] => {
    const leadsTo = (target: NamedTable, columns: readonly NamedColumn[]) =>
      own.filter((key) => key.target === target && sameColumns(key.to, columns))
    const pairs = leadsTo(side.source, side.from).flatMap((near) =>
      leadsTo(side.target, side.to).map((far) => ({ table, from: near.from, to: far.from })),
    )
    const joining = own.length === 2 ? pairs : pairs.filter(isKeyOfJunction)
    return joining.length === 1 ? joining : []
  })
}

function isKeyOfJunction({ table, from, to }: Junction): boolean {
  const columns = new Set([...from, ...to])
  return table.columns.every((column) => column.primaryKey === columns.has(column))
}
