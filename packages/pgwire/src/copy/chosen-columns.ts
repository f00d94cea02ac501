/** @module Columns that an option of COPY names. */
import { GatewayError } from '@engine/core'

/** The table that COPY names. */
export interface CopiedTable {
  readonly name: string
  /** All columns of the table, copied or not. */
  readonly allColumns: readonly string[]
}

/**
 * Returns for each column whether the option names it.
 *
 * @param table undefined for a query
 * @throws {GatewayError} 42703 for a name that is no column, 42P10 for a column that is not copied.
 */
export function chosenColumns(
  option: string,
  chosen: '*' | readonly string[],
  columns: readonly string[],
  table: CopiedTable | undefined,
): readonly boolean[] {
  if (chosen === '*') return columns.map(() => true)
  const missing = chosen.find((name) => !columns.includes(name))
  if (missing !== undefined) throw notCopied(option, missing, table)
  return columns.map((name) => chosen.includes(name))
}

function notCopied(option: string, name: string, table: CopiedTable | undefined): GatewayError {
  if (table?.allColumns.includes(name) === true) {
    const message = `${option} column "${name}" not referenced by COPY`
    return new GatewayError('badRequest', message, { sqlState: '42P10' })
  }
  const relation = table === undefined ? '' : ` of relation "${table.name}"`
  const message = `column "${name}"${relation} does not exist`
  return new GatewayError('unknownColumn', message, { sqlState: '42703' })
}
