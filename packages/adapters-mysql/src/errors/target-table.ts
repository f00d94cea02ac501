import { type Column, oids, type Table } from '@engine/core/catalog'

/** Facts about the written table that the server's messages lack. */
export interface TargetTable {
  /** Its name on the server. */
  readonly name: string
  /** Columns by name of the unique index, in the order of the key. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  /** Required columns of dates without a default that this adapter's sessions can store. */
  readonly requiredDates: ReadonlySet<string>
}

/** Indexes over parts of columns or over expressions are left out: they have no list of columns. */
export function targetTable({ native, columns, primaryKey, uniqueKeys }: Table): TargetTable {
  const keys = new Map<string, readonly string[]>()
  for (const key of [primaryKey, ...uniqueKeys]) {
    const isOver = (index: string) =>
      columns.every((column) => key.includes(column.ordinal) === indexesOf(column).includes(index))
    const names = key.map((ordinal) => columns[ordinal]?.name ?? '')
    for (const index of new Set(columns.flatMap(indexesOf))) {
      if (isOver(index)) keys.set(index, names)
    }
  }
  const dates = columns.filter((column) => !column.nullable && !column.hasDefault && isDate(column))
  return { name: native.name, keys, requiredDates: new Set(dates.map(({ name }) => name)) }
}

function isDate({ type }: Column): boolean {
  return type.oid === oids.date || type.oid === oids.timestamp || type.oid === oids.timestamptz
}

function indexesOf({ native }: Column): readonly string[] {
  const indexes = native?.['uniqueIndexes']
  return Array.isArray(indexes) ? indexes.filter((name) => typeof name === 'string') : []
}
