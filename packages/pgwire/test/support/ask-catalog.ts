/** @module Sends queries to a catalog like a session does. */
import { GatewayError } from '@engine/core'
import type { VisibleCatalog } from '@engine/core/session'
import type { CatalogRun, CatalogScope, WireCatalog } from '../../src/catalog/wire-catalog.ts'
import { visibleShop } from './visible-shop.ts'

/** A client that has changed no setting. */
export function scopeOf(more: Partial<CatalogScope> = {}): CatalogScope {
  return {
    visible: visibleShop,
    user: 'alice@example.com',
    database: 'shop',
    processId: 4711,
    settings: new Map([['search_path', '"$user", main']]),
    ...more,
  }
}

/** Rows as text. */
export async function ask(
  catalog: WireCatalog,
  sql: string,
  scope: CatalogScope = scopeOf(),
  more: Partial<CatalogRun> = {},
): Promise<readonly (readonly (string | null)[])[]> {
  const { rows } = await catalog.run(runOf(sql, more), scope)
  return rows.map((row) => row.map((cell) => (cell === null ? null : Buffer.from(cell).toString())))
}

/** The only value of the only row. */
export async function askOne(
  catalog: WireCatalog,
  sql: string,
  scope: CatalogScope = scopeOf(),
): Promise<string | null | undefined> {
  const [row] = await ask(catalog, sql, scope)
  return row?.[0]
}

/** SQLSTATE of the error; undefined when there is none. */
export async function sqlStateOf(
  catalog: WireCatalog,
  sql: string,
  scope: CatalogScope = scopeOf(),
  more: Partial<CatalogRun> = {},
): Promise<string | undefined> {
  try {
    await catalog.run(runOf(sql, more), scope)
    return undefined
  } catch (error) {
    if (error instanceof GatewayError) return error.sqlState
    throw error
  }
}

export function runOf(sql: string, more: Partial<CatalogRun> = {}): CatalogRun {
  return {
    sql,
    parameterOids: [],
    parameters: [],
    parameterFormats: [],
    resultFormats: [],
    maxRows: 10_000,
    timeoutMs: 20_000,
    signal: undefined,
    ...more,
  }
}

/** The shop with a table that no other has: it gets its own instance. */
export function shopKeyed(key: string): VisibleCatalog {
  const [main, ...others] = visibleShop.connections
  const [table] = main?.tables ?? []
  if (main === undefined || table === undefined) throw new Error('no shop')
  const own = { ...table, name: `only ${key}`, foreignKeys: [] }
  return {
    ...visibleShop,
    key,
    connections: [{ ...main, tables: [...main.tables, own] }, ...others],
  }
}
