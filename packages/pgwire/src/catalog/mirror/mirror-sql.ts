/** @module SQL that creates empty tables for the tables that a caller may see: one schema for each connection. */
import type { IndexKey, IndexOrder } from '@engine/core/catalog'
import type {
  VisibleCatalog,
  VisibleColumn,
  VisibleConnection,
  VisibleIndex,
  VisibleTable,
} from '@engine/core/session'
import { type CatalogNumbers, catalogNumbers } from '../catalog-numbers.ts'
import { ownTypes, tableOfRows } from '../own-types.ts'
import { isCheckDefinition } from './check-definition.ts'
import { relationStep } from './mirror-relation.ts'
import { ownershipSteps, sequenceSteps } from './mirror-sequence.ts'
import type { MirrorStep } from './mirror-step.ts'
import { arrayNames, createType, typeComment } from './mirror-types.ts'
import { presetNumbers } from './preset-numbers.ts'
import { quoteName, quoteText } from './sql-text.ts'

/**
 * All steps, in an order that works. Names come from the catalog, never from the client's SQL. `loadParser` must have
 * resolved once.
 *
 * @param role receives the caller's rights.
 */
export function mirrorSteps(visible: VisibleCatalog, role: string): readonly MirrorStep[] {
  const { connections } = visible
  const numbers = catalogNumbers(visible)
  return [
    ...connections.flatMap((connection) => tableSteps(connection, numbers, quoteName(role))),
    // A foreign key may refer to a table of another connection.
    ...connections.flatMap((connection) => constraintsSteps(connection, numbers, quoteName(role))),
  ]
}

type TableSteps = (table: VisibleTable, address: string) => readonly MirrorStep[]

function eachTable({ name, tables }: VisibleConnection, steps: TableSteps): readonly MirrorStep[] {
  return tables.flatMap((table) => steps(table, `${quoteName(name)}.${quoteName(table.name)}`))
}

function tableSteps(
  connection: VisibleConnection,
  numbers: CatalogNumbers,
  role: string,
): readonly MirrorStep[] {
  const schema = quoteName(connection.name)
  const types = ownTypes(connection)
  const rowTables = new Set(types.flatMap((type) => tableOfRows(connection, type) ?? []))
  return [
    [`create schema ${schema}; grant usage on schema ${schema} to ${role}`],
    ...sequenceSteps(connection, numbers, role),
    ...types.flatMap((type): readonly MirrorStep[] => {
      const table = tableOfRows(connection, type)
      if (table !== undefined) return [relationStep(connection, table, numbers)]
      const step = createType(connection, type, numbers)
      return step.length === 0 ? [] : [step]
    }),
    ...arrayNames(connection, types, numbers),
    ...types.flatMap((type) => typeComment(connection, type)),
    ...eachTable(connection, (table) =>
      rowTables.has(table) ? [] : [relationStep(connection, table, numbers)],
    ),
    ...eachTable(connection, (table, address) => ownershipSteps(connection, table, address)),
    ...eachTable(connection, (table, address) => keys(table, address, numbers)),
  ]
}

function constraintsSteps(
  connection: VisibleConnection,
  numbers: CatalogNumbers,
  role: string,
): readonly MirrorStep[] {
  const schema = quoteName(connection.name)
  return [
    ...eachTable(connection, (table, address) => indexes(table, address, numbers)),
    ...eachTable(connection, (table, address) => checks(table, address, schema)),
    ...eachTable(connection, (table, address) => foreignKeys(table, address, schema)),
    ...eachTable(connection, comments),
    ...eachTable(connection, (table, address) => grants(table, address, role)),
  ]
}

/** One by one: a key over a type that has no order here is left out alone. */
function keys(
  { kind, primaryKey, uniqueKeys, keyNames = [], indexes: others }: VisibleTable,
  address: string,
  numbers: CatalogNumbers,
): readonly MirrorStep[] {
  if (kind === 'view') return []
  const add = (kindOfKey: string, columns: readonly string[]): MirrorStep => {
    const known = keyNames.find((key) => isSameList(key.columns, columns))
    const index = numbers.numberOf('key', address, kindOfKey, ...columns)
    const steps = constraintSteps(address, known?.name, `${kindOfKey} (${names(columns)})`)
    return steps.map((step) => presetNumbers({ index }) + step)
  }
  return [
    ...(primaryKey.length === 0 ? [] : [add('primary key', primaryKey)]),
    ...uniqueKeys
      .filter((key) => !others.some((index) => isIndexOf(index, key)))
      .map((key) => add('unique', key)),
  ]
}

/** A unique key that is no constraint. */
function isIndexOf({ isUnique, parts, columns }: VisibleIndex, key: readonly string[]): boolean {
  return isUnique === true && parts === undefined && isSameList(columns, key)
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

const indexOrders: Readonly<Record<IndexOrder, string>> = {
  asc: '',
  'asc nulls first': ' nulls first',
  desc: ' desc',
  'desc nulls last': ' desc nulls last',
}

function indexes(
  { kind, indexes: plain }: VisibleTable,
  address: string,
  numbers: CatalogNumbers,
): readonly MirrorStep[] {
  if (kind === 'view') return []
  return plain.filter(isSound).map((index): MirrorStep => {
    const { name, columns, orders = [], method = 'btree', isUnique, condition } = index
    const parts = index.parts ?? columns.map((column): IndexKey => ({ column }))
    const keys = parts.map((part, i) => `${partText(part)}${indexOrders[orders[i] ?? 'asc']}`)
    const preset = presetNumbers({ index: numbers.numberOf('index', address, name) })
    const create = isUnique === true ? 'create unique index' : 'create index'
    const using = method === 'btree' ? '' : `using ${method} `
    const where = condition === undefined ? '' : ` where (${condition})`
    return [
      `${preset}${create} ${quoteName(name)} on ${address} ${using}(${keys.join(', ')})${where}`,
    ]
  })
}

function partText(part: IndexKey): string {
  return 'column' in part ? quoteName(part.column) : `(${part.expression})`
}

/** Its expressions become part of our SQL. */
function isSound({ parts = [], condition }: VisibleIndex): boolean {
  const expressions = parts.flatMap((part) => ('expression' in part ? [part.expression] : []))
  return [...expressions, ...(condition === undefined ? [] : [condition])].every((expression) =>
    isCheckDefinition(`check ((${expression}))`),
  )
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
