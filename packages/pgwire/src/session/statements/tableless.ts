/** @module Statements that name no table run on the database, and what the engine does not know of them is asked of the catalog. */
import { GatewayError } from '@engine/core'
import type { ClientStatement } from './client-statement.ts'

/** A statement of our own making, of expressions that a client wrote. */
export function tablelessStatement(sql: string, offset: number): ClientStatement {
  return { sql, offset, kind: 'query', isTableless: true }
}

/** SQLSTATEs of functions and types that the engine has none of, and of what a database cannot compute. */
const unknownHere: ReadonlySet<string | undefined> = new Set(['0A000', '42883', '42704'])

/** The engine does not know what the statement names: `version()`, `'orders'::regclass`. */
export function isForCatalog(statement: ClientStatement, error: unknown): boolean {
  return (
    statement.kind === 'query' &&
    statement.isTableless === true &&
    error instanceof GatewayError &&
    unknownHere.has(error.sqlState)
  )
}

/** The catalog does not know it either: what the engine says of the statement is true of its own types. */
export function isUnknownThere(error: unknown): boolean {
  return error instanceof GatewayError && (error.sqlState === '42883' || error.sqlState === '42704')
}
