/** @module The table that COPY names. */
import { GatewayError } from '@engine/core'
import { type VisibleColumn, type VisibleTable, visibleTable } from '@engine/core/session'
import { unplaced, wireError } from '../../errors/wire-error.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import type { ClientStatement, CopyTarget } from '../statements/client-statement.ts'

export interface CopyTable {
  readonly name: string
  readonly kind: VisibleTable['kind']
  /** `"main"."orders"` */
  readonly quotedName: string
  /** All columns that the caller may see. */
  readonly allColumns: readonly string[]
  /** In the order of the data. */
  readonly columns: readonly string[]
  /** Their type modifiers: -1 for none. */
  readonly typmods: readonly number[]
  /** Those of them that the caller may not see. */
  readonly unknownColumns: readonly string[]
  /** A COPY of all columns leaves out generated columns. */
  readonly hasComputed: boolean
  /** The data has values for identity columns: PostgreSQL lets COPY set them. */
  readonly overridesIdentity: boolean
}

/**
 * Looks at the schema again before it refuses a table that a migration may have created.
 *
 * @throws {GatewayError} 42P01; the engine checks the columns.
 */
export async function copyTableOf(
  { client, settings }: SessionParts,
  target: CopyTarget,
): Promise<CopyTable> {
  const find = () => visibleTable(client.visible(), target, settings.searchPath())
  const known = find()
  if (known === undefined) await client.refresh()
  const found = known ?? find()
  if (found !== undefined) return describe(found.connection, found.table, target.columns)
  const name = target.schema === undefined ? target.table : `${target.schema}.${target.table}`
  throw wireError('42P01', `relation "${name}" does not exist`, 'tableNotFound')
}

function describe(
  schema: string,
  table: VisibleTable,
  chosen: readonly string[] | undefined,
): CopyTable {
  const columns = chosen ?? table.columns.filter(isCopied).map(({ column }) => column.name)
  return {
    name: table.name,
    kind: table.kind,
    allColumns: table.columns.map(({ column }) => column.name),
    quotedName: `${quoted(schema)}.${quoted(table.name)}`,
    columns,
    typmods: columns.map(
      (name) => table.columns.find(({ column }) => column.name === name)?.column.type.typmod ?? -1,
    ),
    unknownColumns: columns.filter(
      (name) => !table.columns.some(({ column }) => column.name === name),
    ),
    hasComputed: table.columns.some(({ column }) => column.generated === 'always'),
    overridesIdentity: table.columns.some(
      ({ column }) => column.generated === 'identity' && columns.includes(column.name),
    ),
  }
}

function isCopied({ column, isInsertable }: VisibleColumn): boolean {
  return isInsertable && column.generated !== 'always'
}

/** The name as an SQL identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * The query that COPY table TO reads: `query`, unless some of the table's columns are generated and no list names them.
 */
export function copyQueryOf(
  table: CopyTable,
  query: ClientStatement,
  source: CopyTarget,
): ClientStatement {
  if (source.columns !== undefined || !table.hasComputed) return query
  const columns = table.columns.map(quoted).join(', ')
  return { kind: 'query', sql: `SELECT ${columns} FROM ${table.quotedName}`, offset: query.offset }
}

/**
 * Runs `work` with the statement that a COPY is translated to: `COPY t (a) FROM STDIN` → `INSERT INTO t (a) …`.
 *
 * @throws {GatewayError} errors of `work`, for the client's text: an unknown column in PostgreSQL's words, no position
 */
export async function asCopy<Result>(
  { name, unknownColumns }: CopyTable,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await unplaced(work)
  } catch (error) {
    const [column] = unknownColumns
    if (!(error instanceof GatewayError) || error.problem !== 'unknownColumn') throw error
    if (column === undefined) throw error
    const message = `column "${column}" of relation "${name}" does not exist`
    throw wireError('42703', message, 'unknownColumn')
  }
}
