/** @module Accounts in the service database: single reads and writes. A use case groups them in a transaction. */
import { isUniqueViolation } from '@engine/core/store'
import type { EmailAddress } from '../input/email-address.ts'
import type { AuthDatabase } from '../store/auth-tables.ts'
import { type Account, accountColumns, accountOf, type Credentials } from './account.ts'

export interface AccountStore {
  findById(id: string): Promise<Account | undefined>
  /** @param key see `email-address.ts`. */
  findByEmail(key: string): Promise<Account | undefined>
  credentialsById(id: string): Promise<Credentials | undefined>
  credentialsByEmail(key: string): Promise<Credentials | undefined>
  /** @returns undefined when the address or the id is taken. */
  create(account: NewAccount): Promise<Credentials | undefined>
  /** Replaces the hash `from` by a better one of the same password, unless it has changed meanwhile. */
  replaceHash(id: string, from: string, to: string): Promise<void>
}

export interface NewAccount {
  readonly id: string
  readonly email: EmailAddress
  readonly name: string
  readonly emailVerified: boolean
  readonly roles: readonly string[] | undefined
  readonly passwordHash: string | undefined
  readonly createdAtMs: number
}

export function createAccountStore(database: AuthDatabase): AccountStore {
  const credentialsBy = async (column: 'id' | 'email_key', value: string) => {
    const row = await database
      .selectFrom('engine_users')
      .select([...accountColumns, 'email_key', 'password_hash', 'epoch'])
      .where(column, '=', value)
      .executeTakeFirst()
    return (
      row && {
        account: accountOf(row),
        emailKey: row.email_key,
        passwordHash: row.password_hash ?? undefined,
        epoch: row.epoch,
      }
    )
  }
  return {
    findById: async (id) => (await credentialsBy('id', id))?.account,
    findByEmail: async (key) => (await credentialsBy('email_key', key))?.account,
    credentialsById: (id) => credentialsBy('id', id),
    credentialsByEmail: (key) => credentialsBy('email_key', key),
    create: async (account) => {
      try {
        await insertAccount(database, account)
      } catch (error) {
        if (isUniqueViolation(error)) return undefined
        throw error
      }
      return credentialsBy('id', account.id)
    },
    replaceHash: async (id, from, to) => {
      await database
        .updateTable('engine_users')
        .set({ password_hash: to })
        .where('id', '=', id)
        .where('password_hash', '=', from)
        .execute()
    },
  }
}

/** @throws {GatewayError} `conflict` when the address or the id is taken. */
export async function insertAccount(database: AuthDatabase, account: NewAccount): Promise<void> {
  await database
    .insertInto('engine_users')
    .values({
      id: account.id,
      email: account.email.address,
      email_key: account.email.key,
      name: account.name,
      email_verified: account.emailVerified ? 1 : 0,
      disabled: 0,
      roles: account.roles === undefined ? null : JSON.stringify(account.roles),
      password_hash: account.passwordHash ?? null,
      epoch: 1,
      created_at: account.createdAtMs,
    })
    .execute()
}
