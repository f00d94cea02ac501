/** @module Binding whole statements against the shop. */

import { GatewayError } from '../../../foundation/errors.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { loadParser, parseStatement } from '../../sql/parse.ts'
import { type BindOptions, bindStatement } from '../bind.ts'
import { fullAccessView } from '../scope/full-access-view.ts'
import type { BoundStatement } from '../tree/bound-query.ts'
import { printStatementForTest } from './print-statement-for-test.ts'
import { shopCatalog } from './shop-for-test.ts'

await loadParser()

const oneConnection = shopCatalog('main')

export interface ShopOptions {
  readonly catalog?: Catalog
  readonly view?: BindOptions['view']
  readonly timeZone?: BindOptions['timeZone']
  readonly hasSettings?: boolean
}

export function bindShop(sql: string, options: ShopOptions = {}): BoundStatement {
  const parsed = parseStatement(sql)
  return bindStatement(parsed, {
    catalog: options.catalog ?? oneConnection,
    view: options.view ?? fullAccessView,
    parameterCount: parsed.parameterCount,
    timeZone: options.timeZone,
    hasSettings: () => options.hasSettings === true,
  })
}

/** The bound statement as text. */
export function shopText(sql: string, options?: ShopOptions): string {
  return printStatementForTest(bindShop(sql, options))
}

/** Result columns as `name type`, comma separated. */
export function shopColumns(sql: string, options?: ShopOptions): string {
  const { body, connection } = bindShop(sql, options)
  const columns = 'target' in body ? (body.returning?.columns ?? []) : body.columns
  return columns
    .map(({ name, type }) => `${name} ${connection.types.formatType(type.oid, type.typmod)}`)
    .join(', ')
}

/** Type names of `$1 ... $n`. */
export function shopParameters(sql: string): string {
  const { parameterTypes, connection } = bindShop(sql)
  return parameterTypes.map(({ oid }) => connection.types.formatType(oid)).join(', ')
}

/** SQLSTATE and message of the refusal. */
export function shopFailure(sql: string, options?: ShopOptions): string {
  return `${shopError(sql, options).sqlState} ${shopError(sql, options).message}`
}

export function shopError(sql: string, options?: ShopOptions): GatewayError {
  try {
    bindShop(sql, options)
  } catch (error) {
    if (error instanceof GatewayError && error.problem !== 'internal') return error
    throw error
  }
  throw new Error(`accepted: ${sql}`)
}
