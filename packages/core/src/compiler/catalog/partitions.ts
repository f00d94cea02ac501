/** @module Partitions as tables of their own: they have the columns of their partitioned table, and permissions of their own. */
import type { Column, Connection, Table } from './catalog.ts'
import type { IntrospectedPartition } from './introspection.ts'

/** A table or a partition by its key. */
export function findTable(
  { tables, partitions }: Pick<Connection, 'tables' | 'partitions'>,
  key: string,
): Table | undefined {
  return tables.get(key) ?? partitions?.get(key)
}

/** The tables, then the partitions. */
export function allTables({
  tables,
  partitions,
}: Pick<Connection, 'tables' | 'partitions'>): readonly Table[] {
  return partitions === undefined
    ? [...tables.values()]
    : [...tables.values(), ...partitions.values()]
}

const only = new WeakMap<Table, Table>()

/** `only t`: the table itself where no other table can have its rows. */
export function onlyOf(table: Table): Table {
  if (table.family === undefined || table.kind === 'view') return table
  const known = only.get(table) ?? { ...table, isOnly: true }
  only.set(table, known)
  return known
}

/** Partitions by key; undefined without any. Those with the same columns share them. */
export function partitionsOf(
  found: readonly IntrospectedPartition[],
  tables: ReadonlyMap<string, Table>,
  members: Connection['members'],
): ReadonlyMap<string, Table> | undefined {
  if (found.length === 0) return undefined
  const shared = new Map<Table, readonly Column[]>()
  const partitions = new Map<string, Table>()
  for (const partition of found) {
    const root = tables.get(partition.table)
    if (root === undefined || tables.has(partition.name)) continue
    const columns = shared.get(root) ?? root.columns.map(ownColumn)
    shared.set(root, columns)
    const table = partitionTable(partition, root, columns, members)
    if (table !== undefined) partitions.set(table.key, table)
  }
  return partitions
}

/** A partition may have other defaults, and an identity of its own. */
function ownColumn(column: Column): Column {
  const generated = column.generated === 'always' ? 'always' : 'no'
  return { ...column, generated, hasDefault: true, nativeDefault: undefined, sequences: undefined }
}

/** Undefined for a partition that does not have the columns of its table. */
function partitionTable(
  partition: IntrospectedPartition,
  root: Table,
  shared: readonly Column[],
  members: Connection['members'],
): Table | undefined {
  const { schema, name, nativeName = name, table, columns: names, oid } = partition
  const member = [...(members ?? [])].find(([, each]) => each === schema)
  const order = new Map(names.map((column, ordinal) => [column, ordinal]))
  if (order.size !== shared.length || !shared.every((column) => order.has(column.name))) {
    return undefined
  }
  const placeOf = (ordinal: number): number => order.get(shared[ordinal]?.name ?? '') ?? ordinal
  const isSameOrder = shared.every(({ ordinal }) => placeOf(ordinal) === ordinal)
  const inOrder = (key: readonly number[]) => key.map(placeOf)
  const columns = isSameOrder
    ? shared
    : shared
        .map((column) => ({ ...column, ordinal: placeOf(column.ordinal) }))
        .toSorted((one, other) => one.ordinal - other.ordinal)
  return {
    ...root,
    connection: member?.[0] ?? root.connection,
    name: member === undefined ? name : nativeName,
    key: name,
    native: { schema, name: nativeName },
    oid,
    oids: partition.oids,
    partitionOf: table,
    comment: undefined,
    hasRowSecurity: partition.hasRowSecurity,
    ruledWrites: partition.ruledWrites,
    columns,
    primaryKey: inOrder(root.primaryKey),
    uniqueKeys: root.uniqueKeys.map(inOrder),
    triggerColumns: root.triggerColumns && new Set([...root.triggerColumns].map(placeOf)),
    hasPlainInserts: undefined,
    rowKeys: root.rowKeys?.map(inOrder),
    keyConstraints: undefined,
    foreignKeys: root.foreignKeys.map((key) => ({ ...key, columns: inOrder(key.columns) })),
    checks: undefined,
    indexes: undefined,
  }
}
