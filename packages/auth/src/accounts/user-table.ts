/** @module The columns of the user table that accounts know. */
import { type Engine, GatewayError } from '@engine/core'
import type { Column, Table } from '@engine/core/catalog'
import {
  type Fault,
  invalidConfiguration,
  type Settings,
  type UserTableSettings,
} from '@engine/core/server'

export interface TableShape {
  readonly table: Table
  /** Quoted, for SQL. */
  readonly name: string
  readonly key: Column
  readonly email: Column | undefined
  readonly displayName: Column | undefined
  readonly password: Column | undefined
}

/**
 * Read each time: the catalog may be available only after the first request, and may change.
 *
 * @throws {GatewayError} `unavailable`.
 */
export function tableShape(
  settings: UserTableSettings,
  engine: Pick<Engine, 'catalog'>,
): TableShape {
  const shape = knownShape(settings, engine)
  if (shape === undefined) {
    throw new GatewayError('unavailable', 'The table of users is not available at the moment.')
  }
  return shape
}

/**
 * Required columns that a new row does not fill; empty when the table is not known yet.
 *
 * @param given columns that an invitation fills.
 */
export function unfilledColumns(
  settings: UserTableSettings,
  engine: Pick<Engine, 'catalog'>,
  given: readonly string[] = [],
): readonly string[] {
  const shape = knownShape(settings, engine)
  if (shape === undefined) return []
  return unfilledAtSignUp(shape.table, shape.key)
    .map(({ name }) => name)
    .filter((name) => !given.includes(name))
}

/** Required columns of a table of users that sign-up has no value for: it has an address, a name, and a UUID as key. */
export function unfilledAtSignUp({ columns }: Table, key: Column): readonly Column[] {
  const isFilled = (column: Column) =>
    column.name === 'email' || column.name === 'name' || (column === key && !isNumber(column))
  return columns.filter((column) => !column.nullable && !column.hasDefault && !isFilled(column))
}

/** PostgreSQL's types of numbers: a key that is made here is a UUID. */
const numberOids: ReadonlySet<number> = new Set([20, 21, 23, 1700])

function isNumber({ type }: Column): boolean {
  return numberOids.has(type.oid)
}

/** Reasons why sign-up could make no row of the user table; none while the table is not known, and where sign-up is off. */
export function signUpFaults(
  { auth }: Pick<Settings, 'auth'>,
  engine: Pick<Engine, 'catalog'>,
): readonly Fault[] {
  if (auth?.userTable === undefined || !auth.signUp.enabled) return []
  const columns = unfilledColumns(auth.userTable, engine)
  if (columns.length === 0) return []
  const message = `sign-up cannot make rows: ${columns.join(', ')} need a value and get none (give them a default, or set auth.signUp.enabled to false and invite users)`
  return [{ path: 'auth.userTable.table', message }]
}

/**
 * Checks that sign-up can make rows of the user table.
 *
 * @throws {GatewayError} `invalidConfiguration` when sign-up could make no row of the user table.
 */
export function requireSignUp(
  settings: Pick<Settings, 'auth'>,
  engine: Pick<Engine, 'catalog'>,
): void {
  const faults = signUpFaults(settings, engine)
  if (faults.length > 0) throw invalidConfiguration(faults)
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** @returns undefined while the table is not known. */
function knownShape(
  settings: UserTableSettings,
  engine: Pick<Engine, 'catalog'>,
): TableShape | undefined {
  const { connection, table: tableName, passwordColumn } = settings
  const table = engine.catalog().connections.get(connection)?.tables.get(tableName)
  const column = (name: string | undefined) => table?.columns.find((known) => known.name === name)
  const key = table && accountKey(settings, table)
  if (table === undefined || key === undefined) return undefined
  return {
    table,
    name: `${quote(connection)}.${quote(tableName)}`,
    key,
    email: column('email'),
    displayName: column('name'),
    password: column(passwordColumn),
  }
}

/**
 * The column whose values are the ids of accounts: the one that `sub` is matched with, else the primary key.
 *
 * @returns undefined where accounts cannot have rows in the table.
 */
export function accountKey(settings: UserTableSettings, table: Table): Column | undefined {
  const name = keyColumn(settings)
  return table.columns.find((column) => column.name === name) ?? primaryKey(table)
}

/** The claim that `sub` of our tokens is compared with. */
function keyColumn({ matchOn }: UserTableSettings): string | undefined {
  return matchOn?.jwtField === 'sub' || matchOn?.jwtField === 'id' ? matchOn.column : undefined
}

function primaryKey({ columns, primaryKey: ordinals }: Table): Column | undefined {
  const [ordinal, ...more] = ordinals
  return ordinal === undefined || more.length > 0 ? undefined : columns[ordinal]
}
