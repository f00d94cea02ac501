/** @module Which foreign key a write can have violated, for databases that do not say: SQLite. */
import type { Violation } from '../../foundation/errors.ts'
import type { Connection, ForeignKey, Table } from './catalog.ts'
import { foreignKeyName } from './table-constraints.ts'

/** What was written. */
export interface Written {
  readonly table: Table
  /** New values of which columns, by name: of all of a new row. */
  readonly set: ReadonlySet<string>
  /** Old values of which columns are gone, by name: all where rows are deleted. */
  readonly gone: ReadonlySet<string>
  readonly isDelete: boolean
}

export function isForeignKeyViolation(sqlState: string | undefined): boolean {
  return sqlState === '23503' || sqlState === '23001'
}

/** @returns the table alone where it is certain, nothing where several tables are possible. Triggers are not foreseen. */
export function onlyPossibleForeignKey(
  connection: Connection,
  written: Written,
): Violation | undefined {
  const possible = possibleForeignKeys(connection, written)
  const [first] = possible
  if (first === undefined || possible.some(({ table }) => table !== first.table)) return undefined
  const { schema, name } = first.table.native
  const constraint = possible.length === 1 ? foreignKeyName(first.table, first.key) : undefined
  return { schema, table: name, constraint }
}

interface TableKey {
  readonly table: Table
  readonly key: ForeignKey
}

/** Keys of the written table that get new values, and keys that refer to values which are gone. */
function possibleForeignKeys(
  { tables }: Connection,
  { table, set, gone, isDelete }: Written,
): readonly TableKey[] {
  const all = [...tables.values()].flatMap((each) =>
    each.foreignKeys.map((key): TableKey => ({ table: each, key })),
  )
  const found = new Set(
    all.filter((each) => each.table === table && columnsOf(each).some((name) => set.has(name))),
  )
  const lost = [{ table, columns: gone }]
  const seen = new Set<TableKey>()
  // A row that goes or changes with the one that it refers to may be referred to itself.
  for (const { table: parent, columns } of lost) {
    for (const each of all) {
      const { table: target, references, onDelete, onUpdate } = each.key
      if (tables.get(target) !== parent || seen.has(each)) continue
      if (!references.some((name) => columns.has(name))) continue
      seen.add(each)
      if ((isDelete ? onDelete : onUpdate) !== 'cascade') found.add(each)
      else lost.push({ table: each.table, columns: namesIn(each, isDelete) })
    }
  }
  return [...found]
}

function columnsOf({ table, key }: TableKey): readonly string[] {
  return key.columns.map((ordinal) => table.columns[ordinal]?.name ?? '')
}

/** Columns that a cascade takes away or changes. */
function namesIn(each: TableKey, isDelete: boolean): ReadonlySet<string> {
  return new Set(isDelete ? each.table.columns.map(({ name }) => name) : columnsOf(each))
}
