/** @module The foreign keys that a write can have violated, for databases that do not report it: SQLite. */
import type { Violation } from '../../foundation/errors.ts'
import type { Connection, ForeignKey, Table } from './catalog.ts'
import { foreignKeyName } from './table-constraints.ts'

/** The change that a write made. */
export interface Written {
  readonly table: Table
  /** Names of the columns with new values: all columns of a new row. */
  readonly set: ReadonlySet<string>
  /** Names of the columns whose old values are gone: all columns where rows are deleted. */
  readonly gone: ReadonlySet<string>
  readonly isDelete: boolean
}

export function isForeignKeyViolation(sqlState: string | undefined): boolean {
  return sqlState === '23503' || sqlState === '23001'
}

/** @returns the table alone where it is certain, nothing where several tables are possible. Triggers are not considered. */
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
  // A row that is deleted or changed with its parent may itself be referred to.
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

/** Columns that a cascade deletes or changes. */
function namesIn(each: TableKey, isDelete: boolean): ReadonlySet<string> {
  return new Set(isDelete ? each.table.columns.map(({ name }) => name) : columnsOf(each))
}
