/** @module Profiles of users in a table of one of the connections, accessed with system rights. */
import { randomUUID } from 'node:crypto'
import { admin, type Engine, GatewayError } from '@engine/core'
import type { Column, Table, UserTableSettings } from '@engine/core/server'

/** A row that a new account may adopt when its e-mail address is verified. */
export interface Profile {
  /** Value of the key column, as text. */
  readonly id: string
  readonly email: string
  /** Empty when there is none. */
  readonly name: string
  /** Content of `passwordColumn`. */
  readonly passwordHash: string | undefined
}

export interface UserProfiles {
  /**
   * Creates the row of a new user. Its columns: the key (unless the database generates it), `email` and `name` where
   * the table has them.
   *
   * @returns the key as text; undefined when the address is taken.
   */
  create(email: string, name: string): Promise<string | undefined>
  remove(id: string): Promise<void>
  /** By the column `email`, in any letter case. @returns undefined when there is none, or several. */
  findByEmail(emailKey: string): Promise<Profile | undefined>
}

export function createUserProfiles(settings: UserTableSettings, engine: Engine): UserProfiles {
  const shape = () => tableShape(settings, engine)
  const values = async (sql: string, params: readonly unknown[]): Promise<unknown[][]> => {
    const request = { sql, params, method: 'values', meta: false, signal: undefined } as const
    const { body } = await engine.query(request, admin)
    const text = typeof body === 'string' ? body : Buffer.from(body).toString()
    return (JSON.parse(text) as { rows: unknown[][] }).rows
  }
  const exists = async ({ name, email }: TableShape, key: string): Promise<boolean> => {
    if (email === undefined) return false
    const rows = await values(
      `select 1 from ${name} where lower(${quote(email.name)}) = $1 limit 1`,
      [key],
    )
    return rows.length > 0
  }
  return {
    create: async (email, name) => {
      const table = shape()
      if (await exists(table, email.toLowerCase())) return undefined
      const cells = filledCells(table, email, name)
      const columns = cells.map(({ column }) => quote(column.name))
      const places = cells.map((_, i) => `$${i + 1}`)
      const rows = await insertConflicts(() =>
        values(
          `insert into ${table.name} (${columns.join(', ')}) values (${places.join(', ')}) returning ${quote(table.key.name)}`,
          cells.map(({ value }) => value),
        ),
      )
      return rows === undefined ? undefined : keyText(rows[0]?.[0])
    },
    remove: async (id) => {
      const { name, key } = shape()
      await values(`delete from ${name} where ${quote(key.name)} = $1`, [id])
    },
    findByEmail: async (emailKey) => {
      const { name, key, email, displayName, password } = shape()
      if (email === undefined) return undefined
      const wanted = [key, email, displayName, password].map((column) =>
        column === undefined ? 'null' : quote(column.name),
      )
      const rows = await values(
        `select ${wanted.join(', ')} from ${name} where lower(${quote(email.name)}) = $1 limit 2`,
        [emailKey],
      )
      const [row, second] = rows
      if (row === undefined || second !== undefined) return undefined
      const [id, address, person, hash] = row
      return {
        id: keyText(id),
        email: typeof address === 'string' ? address : emailKey,
        name: typeof person === 'string' ? person : '',
        passwordHash: typeof hash === 'string' ? hash : undefined,
      }
    },
  }
}

/** Required columns that a sign-up does not fill; empty when the table is not known yet. */
export function unfilledColumns(settings: UserTableSettings, engine: Engine): readonly string[] {
  if (findTable(settings, engine) === undefined) return []
  const { table, key, email, displayName } = tableShape(settings, engine)
  return table.columns
    .filter((column) => !column.nullable && !column.hasDefault)
    .filter((column) => ![key, email, displayName].includes(column))
    .map(({ name }) => name)
}

interface TableShape {
  readonly table: Table
  /** Quoted, for SQL. */
  readonly name: string
  readonly key: Column
  readonly email: Column | undefined
  readonly displayName: Column | undefined
  readonly password: Column | undefined
}

/** Read each time: the catalog may be available only after the first request, and may change. */
function tableShape(settings: UserTableSettings, engine: Engine): TableShape {
  const table = findTable(settings, engine)
  const column = (name: string | undefined) => table?.columns.find((known) => known.name === name)
  const key = column(keyColumn(settings)) ?? (table && primaryKey(table))
  if (table === undefined || key === undefined) {
    throw new GatewayError('unavailable', 'The table of users is not available at the moment.')
  }
  return {
    table,
    name: `${quote(settings.connection)}.${quote(settings.table)}`,
    key,
    email: column('email'),
    displayName: column('name'),
    password: column(settings.passwordColumn),
  }
}

function findTable({ connection, table }: UserTableSettings, engine: Engine): Table | undefined {
  return engine.catalog().connections.get(connection)?.tables.get(table)
}

/** The claim that `sub` of our tokens is compared with. */
function keyColumn({ matchOn }: UserTableSettings): string | undefined {
  return matchOn?.jwtField === 'sub' || matchOn?.jwtField === 'id' ? matchOn.column : undefined
}

function primaryKey({ columns, primaryKey: ordinals }: Table): Column | undefined {
  const [ordinal, ...more] = ordinals
  return ordinal === undefined || more.length > 0 ? undefined : columns[ordinal]
}

function filledCells(
  { key, email, displayName }: TableShape,
  address: string,
  name: string,
): readonly { readonly column: Column; readonly value: string }[] {
  const cells: { column: Column; value: string }[] = []
  if (!key.hasDefault && key !== email) cells.push({ column: key, value: randomUUID() })
  if (email !== undefined) cells.push({ column: email, value: address })
  if (displayName !== undefined && (name !== '' || !displayName.nullable)) {
    cells.push({ column: displayName, value: name })
  }
  return cells
}

/** @returns undefined when a unique key of the row is taken. */
async function insertConflicts<Result>(insert: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await insert()
  } catch (error) {
    if (error instanceof GatewayError && error.problem === 'conflict') return undefined
    throw new GatewayError('internal', 'The row of a new user cannot be stored.', { cause: error })
  }
}

function keyText(key: unknown): string {
  if (typeof key === 'string' || typeof key === 'number') return String(key)
  throw new GatewayError('internal', 'The key of a user is neither a text nor a number.')
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
