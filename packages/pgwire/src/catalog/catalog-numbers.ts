/** @module OIDs and column numbers, by the names of the engine. */
import type { VisibleCatalog } from '@engine/core/server'
import { mirrorTypeName, ownArrayOid, ownTypes } from './mirror/mirror-types.ts'
import { keptName } from './mirror/sql-text.ts'
import type { CatalogNumbers } from './wire-catalog.ts'

/** The OIDs that the catalogs of one set of mirrors use. */
export interface NumberedMirrors {
  readonly columns: readonly {
    readonly schema: string
    readonly table: string
    readonly column: string
    readonly tableOid: number
    readonly columnNumber: number
  }[]
  readonly types: readonly {
    readonly schema: string
    readonly type: string
    readonly oid: number
    readonly arrayOid: number
  }[]
}

/** Types that the catalogs do not have are described as `text`. */
const textOid = 25

export function catalogNumbers(visible: VisibleCatalog, mirrors: NumberedMirrors): CatalogNumbers {
  const columns = new Map(
    mirrors.columns.map((entry) => [
      keyOf(entry.schema, entry.table, entry.column),
      { tableOid: entry.tableOid, columnNumber: entry.columnNumber },
    ]),
  )
  const pairs = typePairs(visible, mirrors)
  // Statements on a shared database are described by its name: a type there has the number of any of its connections.
  const named = [...pairs.map((pair) => ({ ...pair, connection: pair.database })), ...pairs]
  const toWire = new Map(named.map((pair) => [keyOf(pair.connection, pair.engine), pair.wire]))
  const toEngine = new Map(named.map((pair) => [keyOf(pair.connection, pair.wire), pair.engine]))
  return {
    columnNumber: (connection, table, column) =>
      columns.get(keyOf(connection, keptName(table), keptName(column))),
    typeOid: (connection, oid) =>
      toWire.get(keyOf(connection, oid)) ?? (isFloating(oid) ? textOid : oid),
    engineTypeOid: (connection, oid) =>
      toEngine.get(keyOf(connection, oid)) ?? (isFloating(oid) ? undefined : oid),
  }
}

interface TypePair {
  readonly connection: string
  readonly database: string
  readonly engine: number
  readonly wire: number
}

function typePairs(visible: VisibleCatalog, mirrors: NumberedMirrors): readonly TypePair[] {
  const wire = new Map(mirrors.types.map((entry) => [keyOf(entry.schema, entry.type), entry]))
  return visible.connections.flatMap((connection) =>
    ownTypes(connection).flatMap((type): readonly TypePair[] => {
      const found = wire.get(keyOf(connection.name, keptName(mirrorTypeName(connection, type))))
      if (found === undefined) return []
      const arrayOid = ownArrayOid(connection.types, type)
      const { name, database = name } = connection
      const place = { connection: name, database }
      const pair = { ...place, engine: type.oid, wire: found.oid }
      return arrayOid === undefined
        ? [pair]
        : [pair, { ...place, engine: arrayOid, wire: found.arrayOid }]
    }),
  )
}

/** A server assigns these OIDs itself: each server uses them for other types. */
function isFloating(oid: number): boolean {
  return oid >= 12_000
}

function keyOf(...parts: readonly (string | number)[]): string {
  return JSON.stringify(parts)
}
