/** @module SQL that creates empty tables for the tables that a caller may see: one schema for each connection. */
import type {
  IndexOrder,
  VisibleCatalog,
  VisibleColumn,
  VisibleConnection,
  VisibleTable,
} from '@engine/core/server'
import { isCheckDefinition } from './check-definition.ts'
import { mirrorDefault } from './mirror-default.ts'
import { mirrorSequence, ownershipSteps, sequenceSteps } from './mirror-sequence.ts'
import { builtinTypeName, createType, ownTypes, typeName } from './mirror-types.ts'
import { quoteName, quoteText } from './sql-text.ts'

/** One step; where the first SQL fails the next is tried, and where all fail the step is left out. */
export type MirrorStep = readonly string[]

/**
 * All steps, in an order that works. Names come from the catalog, never from the client's SQL. `loadParser` must have
 * resolved once.
 *
 * @param role receives the caller's rights.
 */
export function mirrorSteps({ connections }: VisibleCatalog, role: string): readonly MirrorStep[] {
  return [
    ...connections.flatMap((connection) => tableSteps(connection, quoteName(role))),
    // A foreign key may refer to a table of another connection.
    ...connections.flatMap((connection) => constraintsSteps(connection, quoteName(role))),
  ]
}

type TableSteps = (table: VisibleTable, address: string) => readonly MirrorStep[]

function eachTable({ name, tables }: VisibleConnection, steps: TableSteps): readonly MirrorStep[] {
  return tables.flatMap((table) => steps(table, `${quoteName(name)}.${quoteName(table.name)}`))
}

function tableSteps(connection: VisibleConnection, role: string): readonly MirrorStep[] {
  const schema = quoteName(connection.name)
  return [
    [`create schema ${schema}; grant usage on schema ${schema} to ${role}`],
    ...ownTypes(connection).map((type): MirrorStep => [createType(connection, type)]),
    ...sequenceSteps(connection, role),
    ...eachTable(connection, (table, address) => [relation(connection, table, address)]),
    ...eachTable(connection, (table, address) => ownershipSteps(connection, table, address)),
    ...eachTable(connection, keys),
  ]
}

function constraintsSteps(connection: VisibleConnection, role: string): readonly MirrorStep[] {
  const schema = quoteName(connection.name)
  return [
    ...eachTable(connection, indexes),
    ...eachTable(connection, (table, address) => checks(table, address, schema)),
    ...eachTable(connection, (table, address) => foreignKeys(table, address, schema)),
    ...eachTable(connection, comments),
    ...eachTable(connection, (table, address) => grants(table, address, role)),
  ]
}

function relation(connection: VisibleConnection, table: VisibleTable, address: string): MirrorStep {
  const listed = (nameOf: typeof typeName, write: (name: string, type: string) => string) =>
    table.columns
      .map(({ column }) => write(quoteName(column.name), nameOf(connection, column.type)))
      .join(', ')
  if (table.kind === 'view') {
    const create = (nameOf: typeof typeName) => {
      const columns = listed(nameOf, (name, type) => `null::${type} as ${name}`)
      return `create view ${address} as select ${columns} where false`
    }
    return [create(typeName), create(builtinTypeName)]
  }
  const create = (columns: string) => `create table ${address} (${columns})`
  const plain = (name: string, type: string) => `${name} ${type}`
  return [
    ...new Set([
      create(table.columns.map((column) => columnSql(connection, table, column)).join(', ')),
      create(table.columns.map((column) => columnSql(connection, undefined, column)).join(', ')),
    ]),
    create(listed(typeName, plain)),
    create(listed(builtinTypeName, plain)),
  ]
}

/** One by one: a key over a type that has no order here is left out alone. */
function keys(
  { kind, primaryKey, uniqueKeys, keyNames = [] }: VisibleTable,
  address: string,
): readonly MirrorStep[] {
  if (kind === 'view') return []
  const add = (kindOfKey: string, columns: readonly string[]): MirrorStep => {
    const known = keyNames.find((key) => isSameList(key.columns, columns))
    return constraintSteps(address, known?.name, `${kindOfKey} (${names(columns)})`)
  }
  return [
    ...(primaryKey.length === 0 ? [] : [add('primary key', primaryKey)]),
    ...uniqueKeys.map((key) => add('unique', key)),
  ]
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i])
}

/** The second step has no name: where the name is taken, PostgreSQL chooses one. */
function constraintSteps(
  address: string,
  name: string | undefined,
  definition: string,
): MirrorStep {
  const unnamed = `alter table ${address} add ${definition}`
  return name === undefined
    ? [unnamed]
    : [`alter table ${address} add constraint ${quoteName(name)} ${definition}`, unnamed]
}

/** @param table undefined: without its sequence's name and options. */
function columnSql(
  connection: VisibleConnection,
  table: VisibleTable | undefined,
  visible: VisibleColumn,
): string {
  const { name, type, nullable } = visible.column
  const typeSql = typeName(connection, type)
  const isNumber = connection.types.typeByOid(type.oid)?.category === 'N'
  const byDefault = mirrorDefault(visible, {
    name: typeSql,
    isNumber,
    sequence: table && mirrorSequence(connection, table, visible),
    schema: connection.name,
  })
  return [
    quoteName(name),
    byDefault.kind === 'serial' ? byDefault.typeName : typeSql,
    ...(byDefault.kind === 'clause' ? [byDefault.sql] : []),
    ...(nullable ? [] : ['not null']),
  ].join(' ')
}

const indexOrders: Readonly<Record<IndexOrder, string>> = {
  asc: '',
  'asc nulls first': ' nulls first',
  desc: ' desc',
  'desc nulls last': ' desc nulls last',
}

function indexes({ kind, indexes: plain }: VisibleTable, address: string): readonly MirrorStep[] {
  if (kind === 'view') return []
  return plain.map(({ name, columns, orders = [] }): MirrorStep => {
    const keys = columns.map(
      (column, i) => `${quoteName(column)}${indexOrders[orders[i] ?? 'asc']}`,
    )
    return [`create index ${quoteName(name)} on ${address} (${keys.join(', ')})`]
  })
}

/** Functions of a check are searched only in the schemas of the mirrors: a check that needs others is left out. */
function checks(
  { kind, checks: all }: VisibleTable,
  address: string,
  schema: string,
): readonly MirrorStep[] {
  if (kind === 'view') return []
  const sound = all.filter(({ definition }) => isCheckDefinition(definition))
  return sound.map(
    ({ name, definition }): MirrorStep => [
      `set local search_path = ${schema}; alter table ${address} add constraint ${quoteName(name)} ${definition}`,
    ],
  )
}

function foreignKeys(table: VisibleTable, address: string, schema: string): readonly MirrorStep[] {
  if (table.kind === 'view') return []
  return table.foreignKeys.map((key): MirrorStep => {
    const targetSchema = key.connection === undefined ? schema : quoteName(key.connection)
    const target = `${targetSchema}.${quoteName(key.table)} (${names(key.references)})`
    const onDelete = key.onDelete === undefined ? '' : ` on delete ${key.onDelete}`
    const onUpdate = key.onUpdate === undefined ? '' : ` on update ${key.onUpdate}`
    const columns = names(key.columns)
    const definition = `foreign key (${columns}) references ${target}${onDelete}${onUpdate}`
    return constraintSteps(address, key.name, definition)
  })
}

function comments(table: VisibleTable, address: string): readonly MirrorStep[] {
  const ofTable =
    table.comment === undefined
      ? []
      : [[`comment on ${table.kind} ${address} is ${quoteText(table.comment)}`]]
  const ofColumns = table.columns.flatMap(({ column }) =>
    column.comment === undefined
      ? []
      : [
          [
            `comment on column ${address}.${quoteName(column.name)} is ${quoteText(column.comment)}`,
          ],
        ],
  )
  return [...ofTable, ...ofColumns]
}

/** A grant on the whole table where all its columns are granted: hidden columns are not in the mirror. */
function grants(table: VisibleTable, address: string, role: string): readonly MirrorStep[] {
  const columnsOf = (isGranted: (column: VisibleColumn) => boolean, operation: string) => {
    const granted = table.columns.filter(isGranted)
    if (granted.length === 0) return []
    const isWhole = granted.length === table.columns.length
    return [
      isWhole ? operation : `${operation} (${names(granted.map(({ column }) => column.name))})`,
    ]
  }
  const may = new Set(table.operations)
  const privileges = [
    ...(may.has('select') ? columnsOf(({ isReadable }) => isReadable, 'select') : []),
    ...(may.has('insert') ? columnsOf(({ isInsertable }) => isInsertable, 'insert') : []),
    ...(may.has('update') ? columnsOf(({ isUpdatable }) => isUpdatable, 'update') : []),
    ...(may.has('delete') ? ['delete'] : []),
  ]
  return privileges.length === 0
    ? []
    : [[`grant ${privileges.join(', ')} on ${address} to ${role}`]]
}

function names(columns: readonly string[]): string {
  return columns.map(quoteName).join(', ')
}
