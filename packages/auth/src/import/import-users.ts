/** @module Imports users of another system as accounts, one at a time: each completely or not at all. */
import { randomUUID } from 'node:crypto'
import { GatewayError } from '@engine/core'
import type { AuthSettings } from '@engine/core/server'
import { isUniqueViolation, type Store } from '@engine/core/store'
import { insertAccount } from '../accounts/account-store.ts'
import { deleteTokensOf } from '../one-time-tokens/one-time-token.ts'
import { endSessions } from '../sessions/session-store.ts'
import type { AuthDatabase, AuthTables } from '../store/auth-tables.ts'
import { type ImportedUser, readImportedUser } from './imported-user.ts'

/** One entry of a file: an unchecked record, or the reason why there is none. */
export type ImportLine =
  | { readonly line: number; readonly record: unknown }
  | { readonly line: number; readonly error: string }

/** What an import of users works with. */
export interface ImportOptions {
  /** Opened by `openAuthTables`. */
  readonly store: Store
  readonly settings: Pick<AuthSettings, 'signUp' | 'userTable'>
  /** Overwrites existing accounts; without it they are skipped. */
  readonly update: boolean
  readonly clock: () => number
  /** Is called with every refused line; the line never contains a hash. */
  readonly onRefused: (refused: { readonly line: number; readonly message: string }) => void
  readonly onProgress?: (counts: ImportCounts) => void
}

/** The outcome of an import, in users. */
export interface ImportCounts {
  readonly created: number
  readonly updated: number
  /** Number of users that already existed. */
  readonly skipped: number
  readonly refused: number
}

type Outcome = 'created' | 'updated' | 'skipped'

/** Imports users. It can be interrupted and run again: existing accounts are skipped, or overwritten. */
export async function importUsers(
  lines: AsyncIterable<ImportLine>,
  options: ImportOptions,
): Promise<ImportCounts> {
  const counts = { created: 0, updated: 0, skipped: 0, refused: 0 }
  for await (const line of lines) {
    const outcome = await importLine(line, options)
    if (typeof outcome === 'string') counts[outcome]++
    else {
      counts.refused++
      options.onRefused({ line: line.line, message: outcome.message })
    }
    options.onProgress?.({ ...counts })
  }
  return counts
}

async function importLine(
  line: ImportLine,
  options: ImportOptions,
): Promise<Outcome | { readonly message: string }> {
  if ('error' in line) return { message: line.error }
  const { settings } = options
  try {
    const user = readImportedUser(line.record, settings.signUp.allowUtf8Email)
    if (settings.userTable !== undefined && user.id === undefined) {
      return { message: 'id is required: the key of the row in auth.userTable.' }
    }
    return await importUser(user, options)
  } catch (error) {
    if (error instanceof GatewayError && error.problem === 'invalidInput') return error
    throw error
  }
}

async function importUser(
  user: ImportedUser,
  { store, update, clock }: ImportOptions,
): Promise<Outcome | { readonly message: string }> {
  try {
    await insertAccount(store.withTables<AuthTables>(), {
      ...user,
      id: user.id ?? randomUUID(),
      createdAtMs: user.createdAtMs ?? clock(),
    })
    return 'created'
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
  }
  return store.transaction<AuthTables, Outcome | { readonly message: string }>((transaction) =>
    meetExisting(transaction, user, update),
  )
}

async function meetExisting(
  transaction: AuthDatabase,
  user: ImportedUser,
  update: boolean,
): Promise<Outcome | { readonly message: string }> {
  const existing = await transaction
    .selectFrom('engine_users')
    .select(['id', 'password_hash'])
    .where('email_key', '=', user.email.key)
    .executeTakeFirst()
  if (existing === undefined) return { message: 'id is that of an account with another address.' }
  if (user.id !== undefined && user.id !== existing.id) {
    return { message: 'email is that of an account with another id.' }
  }
  if (!update) return 'skipped'
  await transaction
    .updateTable('engine_users')
    .set((row) => ({
      email: user.email.address,
      name: user.name,
      email_verified: user.emailVerified ? 1 : 0,
      ...(user.roles === undefined ? {} : { roles: JSON.stringify(user.roles) }),
      ...(user.passwordHash === undefined
        ? {}
        : { password_hash: user.passwordHash, epoch: row('epoch', '+', 1) }),
    }))
    .where('id', '=', existing.id)
    .execute()
  if (user.passwordHash !== undefined) {
    await endSessions(transaction, { userId: existing.id })
    await deleteTokensOf(transaction, 'resetPassword', existing.id)
  }
  return 'updated'
}
