/** @module Rows of the user table that are callers without having an account. */
import { type Engine, GatewayError } from '@engine/core'
import type { Table } from '@engine/core/catalog'
import type { UserTableSettings } from '@engine/core/server'
import { quote } from '../accounts/user-table.ts'
import type { RowCaller } from '../auth.ts'
import type { AuthContext } from '../auth-context.ts'
import { findTable, queryUserTable, secretLooking } from './user-rows.ts'

/** PostgreSQL's types of texts. */
const textOids: ReadonlySet<number> = new Set([25, 1042, 1043])

/** Rows that are read to find those without an account: most of the first ones can have one. */
const mostRead = 200

/** As `AuthAdmin.findRows`. */
export async function findRows(
  search: string,
  limit: number,
  context: Pick<AuthContext, 'settings' | 'engine' | 'tokens' | 'database' | 'log'>,
): Promise<readonly RowCaller[]> {
  const { settings, engine, tokens, log } = context
  const { userTable, issuers } = settings
  const prefix = tokens.isOursAlone ? issuers.map(({ issuer }) => `${issuer}|`)[0] : ''
  if (userTable === undefined || prefix === undefined) return []
  try {
    const found = await readRows(search, userTable, engine)
    const taken = await namesOfAccounts(found, context)
    const { jwtField } = findTable(userTable, engine.catalog())
    return found
      .filter(({ value }) => !taken.has(value) && !taken.has(value.toLowerCase()))
      .slice(0, limit)
      .map(({ value, email, name }) => ({
        id: `${prefix}${value}`,
        claims: jwtField === 'sub' ? undefined : { [jwtField]: value },
        email,
        name,
      }))
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    log.warn({ err: error }, 'rows of the user table were not searched')
    return []
  }
}

interface FoundRow {
  /** Of the column that tokens are matched with. */
  readonly value: string
  readonly email: string | null
  readonly name: string | null
}

async function readRows(
  search: string,
  settings: UserTableSettings,
  engine: Engine,
): Promise<readonly FoundRow[]> {
  const { matched, columns, from, table } = findTable(settings, engine.catalog())
  const shown = (name: string) => (columns.includes(name) ? quote(name) : 'null')
  const list = [quote(matched), shown('email'), shown('name')].join(', ')
  const isSearched = search !== ''
  const conditions = [
    `cast(${quote(matched)} as text) = $1`,
    ...textColumns(columns, table).map((name) => `strpos(lower(${quote(name)}), $2) > 0`),
  ]
  const hasPattern = isSearched && conditions.length > 1
  const where = isSearched ? ` where ${conditions.join(' or ')}` : ''
  const { rows } = await queryUserTable(
    engine,
    `select ${list} from ${from}${where} order by ${quote(matched)} limit ${mostRead}`,
    [...(isSearched ? [search] : []), ...(hasPattern ? [search.toLowerCase()] : [])],
  )
  return rows.flatMap(([value, email, name]) =>
    value === null ? [] : [{ value: String(value), email: textOf(email), name: textOf(name) }],
  )
}

function textColumns(names: readonly string[], { columns }: Table): readonly string[] {
  return names.filter((name) => {
    const column = columns.find((each) => each.name === name)
    return column !== undefined && textOids.has(column.type.oid) && !secretLooking.test(name)
  })
}

/** Ids and addresses of accounts among these. */
async function namesOfAccounts(
  rows: readonly FoundRow[],
  { database }: Pick<AuthContext, 'database'>,
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const values = rows.map(({ value }) => value)
  const addresses = values.map((value) => value.toLowerCase())
  const accounts = await database
    .selectFrom('engine_users')
    .select(['id', 'email_key'])
    .where((row) => row.or([row('id', 'in', values), row('email_key', 'in', addresses)]))
    .execute()
  return new Set(accounts.flatMap(({ id, email_key: key }) => [id, key]))
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
