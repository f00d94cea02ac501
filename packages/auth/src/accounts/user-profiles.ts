/** @module Profiles of users in a table of one of the connections, accessed with system rights. */
import { randomUUID } from 'node:crypto'
import type { FieldValue } from '@engine/contract/admin-api'
import { admin, type Engine, GatewayError } from '@engine/core'
import type { Column } from '@engine/core/catalog'
import type { UserTableSettings } from '@engine/core/server'
import { invalidInput } from '../input/read-input.ts'
import { quote, type TableShape, tableShape, unfilledColumns } from './user-table.ts'

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

/** Values by column. */
export type Fields = Readonly<Record<string, FieldValue>>

export interface UserProfiles {
  /**
   * Creates the row of a new user. Its columns: the key (unless the database generates it), `email` and `name` where
   * the table has them, and the given ones.
   *
   * @param fields of an invitation or of an administrator; undefined: of a sign-up.
   * @returns the key as text; undefined when the address is taken.
   * @throws {GatewayError} `unavailable`, for an invitation `conflict`, when the table needs other columns, too; `conflict` for a
   *   constraint of another column; `internal`, with the cause, for other errors of the database.
   */
  create(email: string, name: string, fields?: Fields): Promise<string | undefined>
  /**
   * Sets columns of a row.
   *
   * @throws {GatewayError} errors of the database; `conflict` for a column that is gone.
   */
  update(id: string, fields: Fields): Promise<void>
  /**
   * Checks that a row with these columns could be made, as far as that is known before.
   *
   * @param isNew there is no row yet.
   * @throws {GatewayError} `invalidInput` for missing columns; errors of values.
   */
  check(fields: Fields, isNew: boolean): Promise<void>
  remove(id: string): Promise<void>
  /** Is there a row with this address, or several? */
  hasEmail(emailKey: string): Promise<boolean>
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
    create: async (email, name, invited) => {
      const table = shape()
      const fields = invited ?? {}
      const unfilled = unfilledColumns(settings, engine, Object.keys(fields))
      if (unfilled.length > 0) {
        const details = { table: settings.table, columns: unfilled }
        const problem = invited === undefined ? 'unavailable' : 'conflict'
        throw new GatewayError(problem, 'Accounts cannot be made at the moment.', { details })
      }
      if (await exists(table, email.toLowerCase())) return undefined
      const given = cellsOf(table, fields)
      const isGiven = ({ column }: Cell) => given.some((each) => each.column === column)
      const filled = filledCells(table, email, name).filter((cell) => !isGiven(cell))
      const cells = [...filled, ...given]
      const columns = cells.map(({ column }) => quote(column.name))
      const places = cells.map((_, i) => `$${i + 1}`)
      const isTaken = () => exists(table, email.toLowerCase())
      const rows = await insertRow(isTaken, () =>
        values(
          `insert into ${table.name} (${columns.join(', ')}) values (${places.join(', ')}) returning ${quote(table.key.name)}`,
          cells.map(({ value }) => value),
        ),
      )
      return rows === undefined ? undefined : keyText(rows[0]?.[0])
    },
    update: async (id, fields) => {
      const table = shape()
      // The key is that of a new row: a row that exists keeps its own.
      const cells = cellsOf(table, fields).filter(({ column }) => column !== table.key)
      if (cells.length === 0) return
      const set = cells.map(({ column }, i) => `${quote(column.name)} = $${i + 1}`)
      const where = `${quote(table.key.name)} = $${cells.length + 1}`
      await values(`update ${table.name} set ${set.join(', ')} where ${where}`, [
        ...cells.map(({ value }) => value),
        id,
      ])
    },
    check: async (fields, isNew) => {
      const table = shape()
      const unfilled = isNew ? unfilledColumns(settings, engine, Object.keys(fields)) : []
      if (unfilled.length > 0) {
        throw invalidInput(
          `The row of the user needs a value for ${unfilled.join(', ')}: give them in fields.`,
        )
      }
      const cells = cellsOf(table, fields)
      if (cells.length === 0) return
      // The type of a parameter is that of its column: values of another form are refused.
      const typed = cells.map(({ column }, i) => `coalesce(${quote(column.name)}, $${i + 1})`)
      await values(
        `select ${typed.join(', ')} from ${table.name} limit 1`,
        cells.map(({ value }) => value),
      )
    },
    remove: async (id) => {
      const { name, key } = shape()
      await values(`delete from ${name} where ${quote(key.name)} = $1`, [id])
    },
    hasEmail: (emailKey) => exists(shape(), emailKey),
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

interface Cell {
  readonly column: Column
  readonly value: FieldValue
}

function filledCells(
  { key, email, displayName }: TableShape,
  address: string,
  name: string,
): readonly Cell[] {
  const cells: Cell[] = []
  if (!key.hasDefault && key !== email) cells.push({ column: key, value: randomUUID() })
  if (email !== undefined) cells.push({ column: email, value: address })
  if (displayName !== undefined && (name !== '' || !displayName.nullable)) {
    cells.push({ column: displayName, value: name })
  }
  return cells
}

/** @throws {GatewayError} `conflict` for a column that is gone. */
function cellsOf({ table }: TableShape, fields: Fields): readonly Cell[] {
  return Object.entries(fields).map(([name, value]) => {
    const column = table.columns.find((known) => known.name === name)
    if (column === undefined) {
      throw new GatewayError('conflict', 'The table of users was changed.', {
        details: { column: name },
      })
    }
    return { column, value }
  })
}

/** @returns undefined when the address was taken meanwhile. */
async function insertRow<Result>(
  isTaken: () => Promise<boolean>,
  insert: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await insert()
  } catch (error) {
    if (error instanceof GatewayError && error.problem === 'conflict') {
      if (await isTaken()) return undefined
      throw error
    }
    if (error instanceof GatewayError && error.problem === 'unavailable') throw error
    throw new GatewayError('internal', 'The row of a new user cannot be stored.', { cause: error })
  }
}

function keyText(key: unknown): string {
  if (typeof key === 'string' || typeof key === 'number') return String(key)
  throw new GatewayError('internal', 'The key of a user is neither a text nor a number.')
}
