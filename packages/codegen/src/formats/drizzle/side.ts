/** @module One relation of the schema, with its tables and columns. */
import type { RelationshipDescription } from '@engine/contract'
import type { NamedColumn, NamedTable } from './named-tables.ts'

export interface Side {
  readonly source: NamedTable
  readonly name: string
  readonly type: RelationshipDescription['type']
  readonly target: NamedTable
  readonly from: readonly NamedColumn[]
  readonly to: readonly NamedColumn[]
  /** Not in the schema: the opposite of a relation that is declared in one direction only. */
  readonly isAdded: boolean
}

/** Relations between tables of the schema; a relation to any other table is left out. */
export function sidesOf(tables: readonly NamedTable[]): readonly Side[] {
  const byPath = new Map(tables.map((table) => [table.path, table]))
  return tables.flatMap((source) =>
    source.relationships.flatMap(({ name, type, table, from: own, to: far }): Side[] => {
      const target = byPath.get(table)
      const from = columnsOf(source, own)
      const to = columnsOf(target, far)
      if (target === undefined || from === undefined || to?.length !== from.length) return []
      return [{ source, target, from, to, name, type, isAdded: false }]
    }),
  )
}

function columnsOf(
  table: NamedTable | undefined,
  names: string | readonly string[],
): readonly NamedColumn[] | undefined {
  const listed = typeof names === 'string' ? [names] : names
  const found = listed.flatMap(
    (name) => table?.columns.find((column) => column.name === name) ?? [],
  )
  return found.length === listed.length ? found : undefined
}

/** The same relation from the other side, where the schema does not contain it. */
export function reverseOf({ source, target, from, to }: Side, type: Side['type']): Side {
  return {
    source: target,
    target: source,
    from: to,
    to: from,
    name: source.name,
    type,
    isAdded: true,
  }
}

export function isReverse(side: Side, other: Side): boolean {
  return (
    side.source === other.target &&
    side.target === other.source &&
    sameColumns(side.from, other.to) &&
    sameColumns(side.to, other.from)
  )
}

export function sameColumns(left: readonly NamedColumn[], right: readonly NamedColumn[]): boolean {
  return left.length === right.length && left.every((column, index) => column === right[index])
}
