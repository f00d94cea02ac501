/** @module The numbers of tables and types (OIDs) that clients see: those of the database, or computed from the names of things. */
import { hash } from 'node:crypto'
import type { PgType } from '@engine/core/catalog'
import type { VisibleCatalog, VisibleConnection, VisibleTable } from '@engine/core/session'
import { multirangeOf, ownArrayOid, ownTypes, tableOfRows } from './own-types.ts'

/** The OIDs of one visible catalog. All of them are known without asking anything. */
export interface CatalogNumbers {
  /** OID of a table and number of one of its columns; undefined for what is not visible. */
  columnNumber(
    connection: string,
    table: string,
    column: string,
  ): { readonly tableOid: number; readonly columnNumber: number } | undefined
  /** A connection's own type (enum, domain, extension type) as clients know it; built-in ones stay. */
  typeOid(connection: string, oid: number): number
  /** The inverse, for types that clients declare: undefined for an OID of no type of the connection. */
  engineTypeOid(connection: string, oid: number): number | undefined
  tableNumbers(connection: string, table: string): TableNumbers
  typeNumbers(connection: string, type: PgType): TypeNumbers
  /** Of the multirange type that is created with a range type. */
  multirangeNumbers(connection: string, type: PgType): MultirangeNumbers
  /** Of an object that no client keeps: an index, a sequence. The same each time it is asked for. */
  numberOf(...name: readonly string[]): number
}

export interface TableNumbers {
  readonly oid: number
  /** Of its rows, and of arrays of them. */
  readonly rowType: number
  readonly rowArray: number
}

export interface TypeNumbers {
  readonly oid: number
  readonly arrayOid: number
}

export interface MultirangeNumbers {
  readonly multirange: number
  readonly multirangeArray: number
}

/** Types that the catalogs do not have are described as `text`. */
const textOid = 25

const known = new WeakMap<VisibleCatalog, CatalogNumbers>()

/** The same object for the same catalog. */
export function catalogNumbers(visible: VisibleCatalog): CatalogNumbers {
  const found = known.get(visible) ?? createNumbers(visible)
  known.set(visible, found)
  return found
}

function createNumbers(visible: VisibleCatalog): CatalogNumbers {
  const native = nativeDatabase(visible)
  const isNative = (connection: VisibleConnection) => databaseOf(connection) === native
  const natives = visible.connections.filter(isNative)
  const owners = ownersOfTypes(natives)
  const numberOf = createNumbering(takenNumbers(natives))

  const tableNumbersOf = (connection: VisibleConnection, table: VisibleTable): TableNumbers => {
    const own = isNative(connection) ? table.oids : undefined
    const name = [connection.name, table.name]
    return {
      oid: own?.table ?? numberOf('table', ...name),
      rowType: own?.rowType ?? numberOf('row', ...name),
      rowArray: own?.rowArray ?? numberOf('rows', ...name),
    }
  }
  const typeNumbersOf = (connection: VisibleConnection, type: PgType): TypeNumbers => {
    const table = tableOfRows(connection, type)
    if (table !== undefined) {
      const { rowType, rowArray } = tableNumbersOf(connection, table)
      return { oid: rowType, arrayOid: rowArray }
    }
    const arrayOid = ownArrayOid(connection.types, type)
    const name = [connection.name, type.schema ?? '', type.name]
    return owners.get(type.oid) === connection.name
      ? { oid: type.oid, arrayOid: arrayOid ?? numberOf('array', ...name) }
      : { oid: numberOf('type', ...name), arrayOid: numberOf('array', ...name) }
  }

  const tables = new Map<string, ReadonlyMap<string, NumberedTable>>()
  const toWire = new Map<string, Map<number, number>>()
  const toEngine = new Map<string, Map<number, number>>()
  for (const connection of visible.connections) {
    const { name } = connection
    const own = connection.tables.map(
      (table) => [table.name, numbered(table, tableNumbersOf(connection, table))] as const,
    )
    tables.set(name, new Map(own))
    const pairs = typePairs(connection, (type) => typeNumbersOf(connection, type))
    // Statements on a shared database are described by its name: a type there has the number of the first of its connections.
    for (const place of new Set([name, databaseOf(connection)])) {
      for (const [engine, wire] of pairs) {
        const entries = entriesOf(toWire, place)
        if (!entries.has(engine)) entries.set(engine, wire)
        entriesOf(toEngine, place).set(wire, engine)
      }
    }
  }
  const connectionNamed = (name: string): VisibleConnection => {
    const found = visible.connections.find((connection) => connection.name === name)
    if (found === undefined) throw new Error(`there is no connection ${name}`)
    return found
  }
  return {
    columnNumber: (connection, table, column) => {
      const found = tables.get(connection)?.get(table)
      const columnNumber = found?.columns().get(column)
      if (found === undefined || columnNumber === undefined) return undefined
      return { tableOid: found.numbers.oid, columnNumber }
    },
    typeOid: (connection, oid) =>
      isFloating(oid) ? (toWire.get(connection)?.get(oid) ?? textOid) : oid,
    engineTypeOid: (connection, oid) =>
      isFloating(oid) ? toEngine.get(connection)?.get(oid) : oid,
    tableNumbers: (connection, table) => {
      const found = tables.get(connection)?.get(table)
      if (found === undefined) throw new Error(`there is no table ${connection}.${table}`)
      return found.numbers
    },
    typeNumbers: (connection, type) => typeNumbersOf(connectionNamed(connection), type),
    multirangeNumbers: (name, type) => {
      const connection = connectionNamed(name)
      const found = multirangeOf(connection, type)
      if (found === undefined) {
        const names = [name, type.schema ?? '', type.name]
        return {
          multirange: numberOf('multirange', ...names),
          multirangeArray: numberOf('multirange array', ...names),
        }
      }
      const { oid, arrayOid } = typeNumbersOf(connection, found)
      return { multirange: oid, multirangeArray: arrayOid }
    },
    numberOf,
  }
}

interface NumberedTable {
  readonly numbers: TableNumbers
  /** From 1, in the order of those that the caller may know: gaps would tell of the others. */
  readonly columns: () => ReadonlyMap<string, number>
}

function numbered({ columns }: VisibleTable, numbers: TableNumbers): NumberedTable {
  let places: ReadonlyMap<string, number> | undefined
  return {
    numbers,
    columns: () => {
      places ??= new Map(columns.map(({ column }, place) => [column.name, place + 1]))
      return places
    },
  }
}

function typePairs(
  connection: VisibleConnection,
  numbersOf: (type: PgType) => TypeNumbers,
): readonly (readonly [engine: number, wire: number])[] {
  return ownTypes(connection).flatMap((type) => {
    const { oid, arrayOid } = numbersOf(type)
    const array = ownArrayOid(connection.types, type)
    return array === undefined
      ? [[type.oid, oid]]
      : [
          [type.oid, oid],
          [array, arrayOid],
        ]
  })
}

/**
 * Two databases may give the same number to different things. Only those of one are used as they are: the default connection's, or
 * the first PostgreSQL's.
 */
function nativeDatabase({ connections, defaultConnection }: VisibleCatalog): string | undefined {
  const candidates = connections.filter(({ kind }) => kind === 'postgres')
  const found = candidates.find(({ name }) => name === defaultConnection) ?? candidates[0]
  return found && databaseOf(found)
}

function databaseOf({ name, database = name }: VisibleConnection): string {
  return database
}

/** The first connection that shows a type: the others of its database show it under a number of their own. */
function ownersOfTypes(connections: readonly VisibleConnection[]): ReadonlyMap<number, string> {
  const owners = new Map<number, string>()
  for (const connection of connections) {
    for (const { oid } of ownTypes(connection)) {
      if (!owners.has(oid)) owners.set(oid, connection.name)
    }
  }
  return owners
}

function takenNumbers(connections: readonly VisibleConnection[]): Set<number> {
  const ofTypes = connections.flatMap((connection) =>
    ownTypes(connection).flatMap((type) => [type.oid, ownArrayOid(connection.types, type) ?? 0]),
  )
  const ofTables = connections.flatMap(({ tables }) =>
    tables.flatMap(({ oids }) =>
      oids === undefined ? [] : [oids.table, oids.rowType, oids.rowArray],
    ),
  )
  return new Set([...ofTypes, ...ofTables])
}

/** The computed numbers: PostgreSQL's counter would need a billion objects to come here. */
const firstComputed = 2 ** 30

/** A number by a hash of its name: the same on every node, after a restart, and for every role. */
function createNumbering(taken: Set<number>): (...name: readonly string[]) => number {
  const given = new Map<string, number>()
  return (...name) => {
    const key = JSON.stringify(name)
    const last = given.get(key)
    if (last !== undefined) return last
    const digest = Number.parseInt(hash('sha256', key, 'hex').slice(0, 8), 16)
    let number = firstComputed + (digest % firstComputed)
    while (taken.has(number)) number = firstComputed + ((number + 1) % firstComputed)
    taken.add(number)
    given.set(key, number)
    return number
  }
}

/** A server assigns these OIDs itself: each server uses them for other types. */
function isFloating(oid: number): boolean {
  return oid >= 12_000
}

function entriesOf<Value>(maps: Map<string, Map<number, Value>>, name: string): Map<number, Value> {
  const found = maps.get(name) ?? new Map<number, Value>()
  maps.set(name, found)
  return found
}
