/** @module The relations of each table, as Drizzle declares them. */
import { camelCase } from '../../names/identifier.ts'
import { createNameSpace, type NameSpace } from '../../names/name-space.ts'
import { type Junction, junctionFinder } from './junctions.ts'
import type { NamedColumn, NamedTable } from './named-tables.ts'
import { pairsOf } from './pairs.ts'
import { type Side, sidesOf } from './side.ts'

/**
 * - `owner`: to one row; this table holds the key
 * - `one`: to one row or none; the other table holds the key
 * - `many`: to any number of rows; the other table holds the key
 * - `through`: to any number of rows by a junction
 */
export type LinkKind = 'owner' | 'one' | 'many' | 'through'

export interface Link {
  readonly kind: LinkKind
  /** Name of the relation in Drizzle. */
  readonly key: string
  readonly target: NamedTable
  readonly from: readonly NamedColumn[]
  readonly to: readonly NamedColumn[]
  readonly junction: Junction | undefined
  /** The same on both sides of a pair; undefined where no other pair joins the two tables. */
  readonly pairName: string | undefined
}

/** A relation and its Drizzle form. */
interface Found {
  readonly side: Side
  readonly kind: LinkKind
  readonly pairName: string | undefined
  readonly junction: Junction | undefined
}

/** Relations by table, in the order of their names. */
export function linksOf(tables: readonly NamedTable[]): ReadonlyMap<NamedTable, readonly Link[]> {
  const sides = sidesOf(tables)
  const bySource = Map.groupBy(
    [...pairedLinks(sides), ...throughLinks(sides)],
    ({ side }) => side.source,
  )
  return new Map(
    tables.map((table): [NamedTable, readonly Link[]] => {
      const keys = createNameSpace(table.columns.map(({ key }) => key))
      const found = (bySource.get(table) ?? []).sort(byName)
      return [table, found.map((each) => linkOf(each, keys))]
    }),
  )
}

function pairedLinks(sides: readonly Side[]): readonly Found[] {
  const pairs = pairsOf(sides)
  const byTables = Map.groupBy(pairs, ({ owner }) => tablesKey(owner))
  const names = createNameSpace([])
  return pairs.flatMap(({ owner, other }): Found[] => {
    const isAlone = byTables.get(tablesKey(owner))?.length === 1 && owner.source !== owner.target
    const pairName = isAlone ? undefined : names.take(pairText(owner))
    const common = { pairName, junction: undefined }
    const own: Found = { ...common, side: owner, kind: 'owner' }
    if (other === undefined) return [own]
    return [own, { ...common, side: other, kind: other.type === 'one-to-one' ? 'one' : 'many' }]
  })
}

function throughLinks(sides: readonly Side[]): readonly Found[] {
  const junctionOf = junctionFinder(sides)
  return sides.flatMap((side): Found[] => {
    const junction = side.type === 'many-to-many' ? junctionOf(side) : undefined
    return junction === undefined ? [] : [{ side, kind: 'through', pairName: undefined, junction }]
  })
}

/** By name; later additions are last. */
function byName({ side: left }: Found, { side: right }: Found): number {
  if (left.isAdded !== right.isAdded) return left.isAdded ? 1 : -1
  return left.name < right.name ? -1 : 1
}

/** The same text for both directions. */
function tablesKey({ source, target }: Side): string {
  return [source.path, target.path].sort().join('\0')
}

/** `main.orders.buyer_id -> main.customers.id`: no other pair of the file has it, unless two keys have the same columns. */
function pairText({ source, target, from, to }: Side): string {
  const text = (table: NamedTable, columns: readonly NamedColumn[]) =>
    columns.map(({ name }) => `${table.path}.${name}`).join(', ')
  return `${text(source, from)} -> ${text(target, to)}`
}

function linkOf({ side, kind, pairName, junction }: Found, keys: NameSpace): Link {
  const key = camelCase(side.name, 'relation')
  const { target, from, to } = side
  return { kind, key: keys.take(key, `${key}Relation`), target, from, to, junction, pairName }
}
