/** @module The part of the catalog that is visible with given rights. */
import { hash } from 'node:crypto'
import type { Connection, ForeignKey, Table } from '../../compiler/catalog/catalog.ts'
import type { Operation } from '../../compiler/catalog/operation.ts'
import { allTables } from '../../compiler/catalog/partitions.ts'
import { addressOfKey, databaseOf } from '../../compiler/catalog/shared-database.ts'
import type { Access } from '../../compiler/permissions/access/access.ts'
import { grantedColumns, isGranted } from '../../compiler/permissions/access/grants.ts'
import { visibleDefinition } from '../../compiler/permissions/access/visible-definition.ts'
import { visibleTypes } from '../../compiler/permissions/access/visible-types.ts'
import type { Caller } from '../../foundation/caller.ts'
import type { EngineSnapshot } from '../databases/snapshot.ts'
import type {
  VisibleCatalog,
  VisibleColumn,
  VisibleConnection,
  VisibleForeignKey,
  VisibleTable,
} from './visible-catalog.ts'

const operations: readonly Operation[] = ['select', 'insert', 'update', 'delete']

/** Computed once for each set of rights. */
export function createVisibleCatalogs(): (
  caller: Caller,
  snapshot: EngineSnapshot,
) => VisibleCatalog {
  const known = new WeakMap<EngineSnapshot, Map<string, VisibleCatalog>>()
  return (caller, snapshot) => {
    const rights = snapshot.rights.rightsOf(caller)
    const ofGeneration = known.get(snapshot) ?? new Map<string, VisibleCatalog>()
    known.set(snapshot, ofGeneration)
    const found = ofGeneration.get(rights.key) ?? describe(snapshot, rights.access)
    // There is one for each kind of caller; only a few of them are kept.
    if (ofGeneration.size > mostKept) ofGeneration.clear()
    ofGeneration.set(rights.key, found)
    return found
  }
}

const mostKept = 200

function describe(
  { catalog }: EngineSnapshot,
  accessOf: (connection: Connection) => Access,
): VisibleCatalog {
  const connections = [...catalog.connections.values()].map((connection) =>
    visibleConnection(connection, accessOf(connection)),
  )
  const { defaultConnection } = catalog
  return { key: keyOf(connections), connections, defaultConnection }
}

function visibleConnection(connection: Connection, access: Access): VisibleConnection {
  const { name, kind, schemas } = connection
  const database = databaseOf(connection)
  // With full rights all partitions are visible, and there may be thousands: those that permissions name are listed.
  const listed = access.isFull ? [...database.tables.values()] : allTables(database)
  const shown = listed.flatMap((table): Shown[] => {
    const table_ = {
      table,
      operations: operations.filter((operation) => isGranted(access, table, operation)),
      columns: columnsOf(access, table),
    }
    return table_.operations.length === 0 ? [] : [table_]
  })
  const columnNames = new Map(
    shown.map(({ table, columns }) => [
      table.key,
      new Set(columns.map(({ column }) => column.name)),
    ]),
  )
  return {
    name,
    kind,
    schemas,
    types: visibleTypes(access),
    database: database.name,
    tables: shown
      .filter(({ table }) => table.connection === name)
      .map((each) => ({
        ...visibleTable(each, columnNames, database),
        ...visibleView(each, access),
      })),
    isWhole: access.isFull,
  }
}

interface Shown {
  readonly table: Table
  readonly operations: readonly Operation[]
  readonly columns: readonly VisibleColumn[]
}

type ColumnNames = ReadonlyMap<string, ReadonlySet<string>>

function columnsOf(access: Access, table: Table): readonly VisibleColumn[] {
  const granting = (operation: 'select' | 'insert' | 'update'): ((ordinal: number) => boolean) => {
    const columns = grantedColumns(access, table, operation)
    return (ordinal) => columns === 'all' || columns.has(ordinal)
  }
  const [isReadable, isInsertable, isUpdatable] = [
    granting('select'),
    granting('insert'),
    granting('update'),
  ]
  return table.columns
    .map(
      (column): VisibleColumn => ({
        column,
        isReadable: isReadable(column.ordinal),
        isInsertable: isInsertable(column.ordinal) && column.generated !== 'always',
        isUpdatable: isUpdatable(column.ordinal) && column.generated !== 'always',
      }),
    )
    .filter(
      ({ isReadable, isInsertable, isUpdatable }) => isReadable || isInsertable || isUpdatable,
    )
}

function visibleTable(
  { table, operations: granted, columns }: Shown,
  shown: ColumnNames,
  database: Connection,
): VisibleTable {
  const own = shown.get(table.key) ?? new Set<string>()
  const namesOf = (ordinals: readonly number[]): readonly string[] =>
    ordinals.map((ordinal) => table.columns[ordinal]?.name ?? '')
  const isShown = (names: readonly string[]) => names.every((name) => own.has(name))
  const primaryKey = namesOf(table.primaryKey)
  return {
    name: table.name,
    kind: table.kind,
    comment: table.comment,
    oids: table.oids,
    isWhole: columns.length === table.columns.length,
    columns,
    operations: granted,
    primaryKey: isShown(primaryKey) ? primaryKey : [],
    uniqueKeys: table.uniqueKeys.map(namesOf).filter(isShown),
    keyNames: [...(table.keyConstraints ?? [])]
      .map(([name, ordinals]) => ({ name, columns: namesOf(ordinals) }))
      .filter((key) => isShown(key.columns)),
    foreignKeys: table.foreignKeys
      .map((key) => ({ key, columns: namesOf(key.columns) }))
      .filter(({ key, columns: names }) => isShown(names) && isTargetShown(key, shown))
      .map(({ key, columns: names }): VisibleForeignKey => {
        const target = addressOfKey(database, key.table)
        return {
          name: key.name,
          columns: names,
          ...(target.connection === table.connection ? {} : { connection: target.connection }),
          table: target.table,
          references: key.references,
          onDelete: key.onDelete ?? (key.cascades === true ? 'cascade' : undefined),
          onUpdate: key.onUpdate,
        }
      }),
    checks: (table.checks ?? [])
      .filter((check) => isShown(namesOf(check.columns)))
      .map(({ name, definition }) => ({ name, definition })),
    indexes: (table.indexes ?? [])
      .map((index) => ({ ...index, columns: namesOf(index.columns) }))
      .filter((index) => isShown(index.columns)),
  }
}

/** Of a table it says nothing, so that callers who see the same tables have the same catalog. */
function visibleView(
  { table, operations: granted, columns }: Shown,
  access: Access,
): Pick<VisibleTable, 'definition' | 'writes'> {
  const definition = visibleDefinition(access, table)
  const { viewWrites } = table
  const how = (operation: 'insert' | 'update' | 'delete') =>
    granted.includes(operation) ? (viewWrites?.[operation] ?? 'none') : 'none'
  return {
    ...(definition && { definition: { text: definition.text, pretty: definition.pretty } }),
    ...(viewWrites && {
      writes: {
        insert: how('insert'),
        update: how('update'),
        delete: how('delete'),
        columns: columns.flatMap(({ column }) =>
          viewWrites.columns.has(column.ordinal) ? [column.name] : [],
        ),
      },
    }),
  }
}

function isTargetShown({ table, references }: ForeignKey, shown: ColumnNames): boolean {
  const names = shown.get(table)
  return names !== undefined && references.every((name) => names.has(name))
}

/** A text of everything visible: two callers with the same key see the same. */
function keyOf(connections: readonly VisibleConnection[]): string {
  const facts = connections.map(({ name, kind, types, tables }) => [
    name,
    kind,
    types.ownTypes,
    tables.map(({ columns, ...table }) => [
      table,
      columns.map(({ column, ...grants }) => [
        column.name,
        types.formatType(column.type.oid, column.type.typmod),
        types.typeByOid(column.type.oid),
        column.nullable,
        column.hasDefault,
        column.nativeDefault,
        column.generated,
        column.comment,
        grants,
      ]),
    ]),
  ])
  return hash('sha256', JSON.stringify(facts), 'base64url')
}
