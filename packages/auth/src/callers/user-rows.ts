import {
  admin,
  type CallerFields,
  type Engine,
  GatewayError,
  type Log,
  type Problem,
} from '@engine/core'
import type { Catalog, Table } from '@engine/core/catalog'
import {
  type Fault,
  invalidConfiguration,
  type RequestOrigin,
  suggestion,
  type UserTableSettings,
} from '@engine/core/server'
import { accountKey } from '../accounts/user-table.ts'
import type { Claims } from '../tokens/check-claims.ts'
import { claimAt, identifierOf } from '../tokens/identifier.ts'
import { unauthorized } from '../unauthorized.ts'
import { unnamed } from './token-identity.ts'

/** A row of `auth.userTable`. */
export interface UserRow {
  /** The listed columns and the matched column. */
  readonly fields: CallerFields
  /** The id of its account, if it has one; undefined: accounts have no rows in this table. */
  readonly accountId: string | undefined
  /** The claim that identified it is the id of accounts, in some spelling. */
  readonly isNamedByAccountId: boolean
}

/** The rows of `auth.userTable`. */
export interface UserRows {
  /**
   * The row that the claims identify.
   *
   * @throws {GatewayError} `unauthorized` unless it is exactly one row; `unavailable` (503) when the row cannot be
   * read.
   * @param engine reads it, instead of that of `UserRowsOptions`.
   */
  find(claims: Claims, engine?: Engine): Promise<UserRow>
}

export interface UserRowsOptions {
  readonly settings: UserTableSettings
  readonly engine: Engine
  readonly log: Log
}

/** Columns with such names never become `$user` fields. */
export const secretLooking: RegExp = /pass|hash|secret|token|salt/i

/** The errors of the database when a claim is not a value of the column's type: then no row matches. */
const noValue: ReadonlySet<Problem> = new Set(['invalidParameter', 'invalidValue', 'dataError'])

/** The user table as found in the catalog, and the statement that reads one row of it. */
export interface FoundUserTable {
  readonly catalog: Catalog
  readonly table: Table
  /** Quoted, for SQL. */
  readonly from: string
  readonly sql: string
  readonly columns: readonly string[]
  readonly matched: string
  /** Position of the value that is the id of the row's account. */
  readonly idPosition: number | undefined
  readonly jwtField: string
}

/**
 * Checks the user table against the catalog of a database that was reached.
 *
 * @throws {GatewayError} `invalidConfiguration` for tables and columns that do not exist.
 */
export function requireUserTable(
  settings: UserTableSettings,
  engine: Pick<Engine, 'catalog'>,
): void {
  if (isReached(settings, engine)) findTable(settings, engine.catalog())
}

/**
 * Checks the user table against the database as far as that was reached, again whenever the catalog changed.
 *
 * @throws {GatewayError} `invalidConfiguration` for tables and columns that do not exist, and columns whose names look
 * like those of secrets.
 */
export function createUserRows({ settings, engine, log }: UserRowsOptions): UserRows {
  const faults = secretFaults(settings)
  if (faults.length > 0) throw invalidConfiguration(faults)
  let found: FoundUserTable | undefined

  const current = (from: Engine): FoundUserTable => {
    const catalog = from.catalog()
    if (found?.catalog !== catalog) found = findTable(settings, catalog)
    return found
  }
  if (isReached(settings, engine)) current(engine)

  return {
    find: async (claims, from = engine) => {
      const { sql, columns, matched, jwtField, idPosition } = currentOrUnavailable(from)
      const value = identifierOf(claimAt(claims, jwtField))
      if (value === undefined) throw unnamed(jwtField)
      const row = await readOne(from, sql, value)
      if (row === undefined) throw unknownUser()
      const fields = Object.fromEntries(columns.map((name, i) => [name, row[i]]))
      if (!isSameText(fields[matched], value)) throw unknownUser()
      return {
        fields,
        accountId: idPosition === undefined ? undefined : textOf(row[idPosition]),
        isNamedByAccountId: idPosition !== undefined && idPosition === columns.indexOf(matched),
      }
    },
  }

  function currentOrUnavailable(from: Engine): FoundUserTable {
    if (!isReached(settings, from)) {
      throw new GatewayError('unavailable', 'The user table was not reached yet.')
    }
    try {
      return current(from)
    } catch (error) {
      log.error({ err: error }, 'the user table does not fit the configuration')
      throw new GatewayError('unavailable', 'The user table cannot be read.', { cause: error })
    }
  }

  /** @returns undefined when there is no row, or several. */
  async function readOne(
    from: Engine,
    sql: string,
    value: string,
  ): Promise<readonly unknown[] | undefined> {
    try {
      const { rows, truncated } = await queryUserTable(from, sql, [value])
      return rows.length === 1 && !truncated ? rows[0] : undefined
    } catch (error) {
      if (error instanceof GatewayError && noValue.has(error.problem)) return undefined
      throw new GatewayError('unavailable', 'The user table cannot be read.', { cause: error })
    }
  }
}

/** Of look-ups in the user table. */
const systemOrigin: RequestOrigin = {
  correlationId: 'user-table',
  ip: undefined,
  via: 'system',
  credentialId: undefined,
}

/** The rows of the user table that a statement of ours selects, with full rights. */
export async function queryUserTable(
  engine: Engine,
  sql: string,
  params: readonly unknown[],
): Promise<{ readonly rows: readonly (readonly unknown[])[]; readonly truncated: boolean }> {
  const { body, truncated } = await engine.query(
    { sql, params, method: 'all', meta: false, signal: undefined, origin: systemOrigin },
    admin,
  )
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
  const { rows } = JSON.parse(text) as { readonly rows: readonly (readonly unknown[])[] }
  return { rows, truncated }
}

/**
 * Databases read ` 7` and `07` as 7: one row would have several names. The column's collation decides about letter
 * case.
 */
function isSameText(stored: unknown, claim: string): boolean {
  return String(stored).toLowerCase() === claim.toLowerCase()
}

/** As `UserProfiles` writes it into the account. */
function textOf(key: unknown): string | undefined {
  return typeof key === 'string' || typeof key === 'number' ? String(key) : undefined
}

function unknownUser(): GatewayError {
  return unauthorized('The bearer token names no user, or several.')
}

function isReached({ connection }: UserTableSettings, engine: Pick<Engine, 'catalog'>): boolean {
  return (engine.catalog().connections.get(connection)?.tables.size ?? 1) > 0
}

function secretFaults({ columns, matchOn, passwordColumn }: UserTableSettings): readonly Fault[] {
  const named = [
    ...columns.map((name, i) => ({ name, path: `auth.userTable.columns.${i}` })),
    ...(matchOn ? [{ name: matchOn.column, path: 'auth.userTable.matchOn.column' }] : []),
  ]
  return named
    .filter(({ name }) => secretLooking.test(name) || name === passwordColumn)
    .map(({ path, name }) => ({
      path,
      message: `"${name}" may hold a secret: $user cannot read it`,
    }))
}

/** @throws {GatewayError} `invalidConfiguration`. */
export function findTable(settings: UserTableSettings, catalog: Catalog): FoundUserTable {
  const path = 'auth.userTable'
  const connection = catalog.connections.get(settings.connection)
  const table = connection?.tables.get(settings.table)
  if (connection === undefined || table === undefined) {
    const message = connection
      ? `there is no table "${settings.table}"${suggestion(settings.table, connection.tables.keys())}`
      : `there is no connection "${settings.connection}"${suggestion(settings.connection, catalog.connections.keys())}`
    throw invalidConfiguration([{ path: `${path}.table`, message }])
  }
  const matchOn = settings.matchOn ?? primaryKeyMatch(table)
  const columns = [...new Set([matchOn.column, ...settings.columns])]
  const known = new Set(table.columns.map(({ name }) => name))
  const faults = columns
    .filter((name) => !known.has(name))
    .map((name) => ({
      path: pathOf(settings, name),
      message: `there is no column "${name}"${suggestion(name, known)}`,
    }))
  if (faults.length > 0) throw invalidConfiguration(faults)
  const key = accountKey(settings, table)?.name
  const isKeyListed = key === undefined || columns.includes(key)
  const list = [...columns, ...(isKeyListed ? [] : [key])].map(quoted).join(', ')
  const from = `${quoted(settings.connection)}.${quoted(settings.table)}`
  return {
    catalog,
    table,
    from,
    sql: `select ${list} from ${from} where ${quoted(matchOn.column)} = $1 limit 2`,
    columns,
    matched: matchOn.column,
    idPosition: key === undefined ? undefined : isKeyListed ? columns.indexOf(key) : columns.length,
    jwtField: matchOn.jwtField,
  }
}

function pathOf({ columns }: UserTableSettings, name: string): string {
  const index = columns.indexOf(name)
  return index < 0 ? 'auth.userTable.matchOn.column' : `auth.userTable.columns.${index}`
}

function primaryKeyMatch({ primaryKey, columns }: Table): {
  readonly column: string
  readonly jwtField: string
} {
  const [ordinal = -1, ...others] = primaryKey
  const column = columns[ordinal]?.name
  if (column !== undefined && others.length === 0) return { column, jwtField: 'sub' }
  throw invalidConfiguration([
    {
      path: 'auth.userTable.matchOn',
      message: 'is needed, since the table has no primary key of one column',
    },
  ])
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
