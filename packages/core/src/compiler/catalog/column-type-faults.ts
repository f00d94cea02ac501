/** @module Configured types for columns that do not exist, or that cannot have them. */
import { suggestion } from '../../foundation/faults.ts'
import type { OnFault } from './build-catalog.ts'
import type { Introspection } from './introspection.ts'

/** A connection and the types that its configuration gives to columns, by table and column. */
export interface TypedConnection {
  readonly name: string
  readonly columnTypes: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Adds the faults of `connections.<name>.columnTypes`, for the databases that could be reached. */
export function addColumnTypeFaults(
  connections: Iterable<TypedConnection>,
  introspectionOf: (connection: string) => Introspection | undefined,
  onFault: OnFault,
): void {
  for (const { name, columnTypes } of connections) {
    const found = introspectionOf(name)
    if (found === undefined) continue
    const path = `connections.${name}.columnTypes`
    for (const { table, column, message } of found.typeFaults ?? []) {
      onFault(`${path}.${table}.${column}`, message)
    }
    const tables = new Map(found.tables.map((table) => [table.name, table]))
    for (const [table, types] of Object.entries(columnTypes)) {
      const columns = tables.get(table)?.columns.map((column) => column.name)
      if (columns === undefined) {
        onFault(
          `${path}.${table}`,
          `there is no table "${table}"${suggestion(table, tables.keys())}`,
        )
        continue
      }
      for (const column of Object.keys(types)) {
        if (columns.includes(column)) continue
        const hint = suggestion(column, columns)
        onFault(`${path}.${table}.${column}`, `there is no column "${column}"${hint}`)
      }
    }
  }
}
