/** @module Which rows a table refers to: its foreign keys, and columns that are named like one. */
import type { Column, Connection, Table } from '@engine/core/catalog'
import { singular, wordsOf } from './column-names.ts'
import type { RowFilter } from './row-filter.ts'

export interface Reference {
  /** Columns of the table that refers. */
  readonly columns: readonly Column[]
  /** The table that it refers to. */
  readonly table: Table
  /** Columns of that table, in the order of `columns`. */
  readonly to: readonly string[]
  /** A foreign key is declared. */
  readonly isDeclared: boolean
  /** Name of the relation; undefined: there is none, or a column has the name. */
  readonly relation: string | undefined
}

/** The declared foreign keys, then the columns that are named like one: `project_id` beside a table `projects`. */
export function referencesOf(
  table: Table,
  connection: Pick<Connection, 'tables'>,
): readonly Reference[] {
  if (table.kind !== 'table') return []
  const declared = table.foreignKeys.flatMap((key): readonly Reference[] => {
    const target = connection.tables.get(key.table)
    const columns = key.columns.flatMap((at) => table.columns[at] ?? [])
    if (target === undefined) return []
    const relation = relationOf(table, columns, key)
    return [{ columns, table: target, to: key.references, isDeclared: true, relation }]
  })
  const known = new Set(declared.flatMap(({ columns }) => columns))
  const named = table.columns.flatMap((column) => {
    if (known.has(column)) return []
    const target = [...connection.tables.values()].find((each) => isNamed(column, table, each))
    const key = target && keyOf(target)
    return target === undefined || key === undefined
      ? []
      : [
          {
            columns: [column],
            table: target,
            to: [key.name],
            isDeclared: false,
            relation: undefined,
          },
        ]
  })
  return [...declared, ...named]
}

/** The reference by this column alone. */
export function referenceBy(
  column: string,
  references: readonly Reference[],
): Reference | undefined {
  return references.find(({ columns: [first, ...more] }) => {
    return more.length === 0 && first?.name === column
  })
}

/**
 * The condition on the row that is referred to, as a condition on the row that refers:
 * `{ tenant_id: 1 }` is `{ project: { tenant_id: 1 } }`, or an `$exists` where no relation has a name of its own.
 */
export function through(reference: Reference, filter: RowFilter): RowFilter {
  const { columns, table, to, relation } = reference
  const at = (name: string) => columns[to.indexOf(name)]?.name
  const names = Object.keys(filter)
  // A condition on the key is one on the column that holds it.
  if (names.length > 0 && names.every((name) => isPlain(filter[name]) && at(name) !== undefined)) {
    return Object.fromEntries(names.map((name) => [at(name), filter[name]]))
  }
  if (relation !== undefined) return { [relation]: filter }
  const joined = Object.fromEntries(to.map((name) => [name, { $outer: at(name) }]))
  const clashes = names.some((name) => Object.hasOwn(joined, name))
  const where = clashes ? { $and: [joined, filter] } : { ...joined, ...filter }
  return { $exists: { table: `${table.connection}.${table.name}`, where } }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string'
}

function relationOf(
  table: Table,
  columns: readonly Column[],
  key: Table['foreignKeys'][number],
): string | undefined {
  const from = columns.map(({ name }) => name).join('\0')
  return [...table.relationships.values()].find(
    (relation) =>
      // In a filter the name is that of the column.
      table.columns.every(({ name }) => name !== relation.name) &&
      (relation.type === 'many-to-one' || relation.type === 'one-to-one') &&
      relation.table === key.table &&
      relation.from.join('\0') === from &&
      relation.to.join('\0') === key.references.join('\0'),
  )?.name
}

/** The primary key of one column. */
export function keyOf({ primaryKey, columns, kind }: Table): Column | undefined {
  const [ordinal, ...more] = primaryKey
  return ordinal === undefined || more.length > 0 || kind !== 'table' ? undefined : columns[ordinal]
}

const integers: ReadonlySet<number> = new Set([20, 21, 23])

/** Values of the one can be values of the other. */
export function areComparable(a: Column, b: Column): boolean {
  return a.type.oid === b.type.oid || (integers.has(a.type.oid) && integers.has(b.type.oid))
}

function isNamed(column: Column, table: Table, target: Table): boolean {
  const key = keyOf(target)
  if (key === undefined || !areComparable(column, key)) return false
  const words = wordsOf(column.name)
  const isOwnKey = keyOf(table) === column
  if (target === table) return !isOwnKey && parentNames.test(words)
  const [, noun] = /^(.+?) ?(?:id|uuid|key|no)$/.exec(words) ?? []
  if (noun === undefined) return false
  const plain = wordsOf(target.name.split('.').at(-1) ?? '').replace(/^(?:app|auth|wp|tbl) /, '')
  return singular(plain) === noun
}

const parentNames = /\b(?:parent|reply to|in reply to|root|previous|original)(?: (?:id|uuid|no))?$/
