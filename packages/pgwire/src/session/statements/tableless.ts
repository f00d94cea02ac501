/** @module Statements that name no table: they run on the database. The catalog answers those that the engine does not know. */
import { GatewayError } from '@engine/core'
import type { ClientStatement } from './client-statement.ts'

/** A statement that the server makes of a client's expressions. */
export function tablelessStatement(sql: string, offset: number): ClientStatement {
  return { sql, offset, kind: 'query', isTableless: true }
}

/** SQLSTATEs of functions and types that the engine has none of, and of what a database cannot compute. */
const unknownHere: ReadonlySet<string | undefined> = new Set(['0A000', '42883', '42704'])

/** The engine does not know what the statement names: `version()`, `'orders'::regclass`. What a PostgreSQL itself refuses stays refused. */
export function isForCatalog(statement: ClientStatement, error: unknown): boolean {
  return (
    statement.kind === 'query' &&
    statement.isTableless === true &&
    error instanceof GatewayError &&
    error.report?.code !== error.sqlState &&
    unknownHere.has(error.sqlState)
  )
}

/** Neither the engine nor the catalog knows the name: the engine's error is shown, since it knows the database's own types. */
export function isUnknownThere(error: unknown): boolean {
  return error instanceof GatewayError && (error.sqlState === '42883' || error.sqlState === '42704')
}
