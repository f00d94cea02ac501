/** @module The decisions that the first configuration needs: options of the command, else a person's answers, else guesses. */

import type { Connection } from '@engine/core/catalog'
import { wrongArgument } from '../command-line/outcome.ts'
import type { Ask } from './ask.ts'
import type { Answers } from './guess-access.ts'
import { guessTenancies, type Tenancy, tenancyOf } from './guess-tenant.ts'
import { guessUserTables, type UserTable, userTableOf } from './guess-users.ts'

/** What the command line says; undefined: it is asked, or guessed. */
export interface Given {
  readonly users: string | undefined
  readonly tenant: string | undefined
  readonly writes: boolean | undefined
}

export interface Decisions extends Answers {
  readonly writes: boolean
}

const none = 'none'

/** @throws {GatewayError} `invalidConfiguration` for a table or column that is not there. */
export async function decide(
  connection: Connection,
  given: Given,
  ask: Ask | undefined,
): Promise<Decisions> {
  const users = await usersOf(connection, given.users, ask)
  const tenancy = await tenantOf(connection, users, given.tenant, ask)
  const question = 'May users add, change and delete their own rows?'
  const writes = given.writes ?? (ask === undefined ? false : await ask.confirm(question, false))
  return { users, tenancy, writes }
}

async function usersOf(
  connection: Connection,
  given: string | undefined,
  ask: Ask | undefined,
): Promise<UserTable | undefined> {
  if (given === none) return undefined
  if (given !== undefined) {
    const table = connection.tables.get(given)
    const found = table && userTableOf(table)
    if (found !== undefined) return found
    throw wrongArgument(
      table === undefined
        ? `--users ${given}: there is no such table`
        : `--users ${given}: it needs a primary key of one column`,
    )
  }
  const guesses = guessUserTables(connection)
  const [best] = guesses
  if (ask === undefined || best === undefined) return best
  const chosen = await ask.choose('Which table has a row for each person who signs in?', [
    ...guesses.map(({ table, key }) => ({
      value: table.name,
      label: table.name,
      hint: `by ${key.name}`,
    })),
    { value: none, label: 'none of them', hint: 'accounts are in the service database' },
  ])
  return guesses.find(({ table }) => table.name === chosen)
}

async function tenantOf(
  connection: Connection,
  users: UserTable | undefined,
  given: string | undefined,
  ask: Ask | undefined,
): Promise<Tenancy | undefined> {
  if (given === none) return undefined
  if (given !== undefined) {
    const found = users && tenancyOf(given, connection, users)
    if (found !== undefined) return found
    throw wrongArgument(
      `--tenant ${given}: neither users nor memberships of users have that column`,
    )
  }
  const guesses = guessTenancies(connection, users)
  const [best] = guesses
  if (ask === undefined || best === undefined) return best
  const chosen = await ask.choose(
    'Several organisations in one database: which column says whose a row is?',
    [
      ...guesses.map(({ column, memberships }) => ({
        value: column,
        label: column,
        hint: memberships === undefined ? 'of the user' : `by ${memberships}`,
      })),
      { value: none, label: 'none', hint: 'there is one organisation' },
    ],
  )
  return guesses.find(({ column }) => column === chosen)
}
