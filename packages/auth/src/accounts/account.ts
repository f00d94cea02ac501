/** @module The data of an account. */
import type { User } from '@engine/contract'
import type { UsersTable } from '../store/auth-tables.ts'

export interface Account {
  readonly id: string
  /** As entered. */
  readonly email: string
  /** Empty when none was given. */
  readonly name: string
  readonly emailVerified: boolean
  readonly isDisabled: boolean
  /** undefined: the configured default. */
  readonly roles: readonly string[] | undefined
  readonly createdAtMs: number
}

/** An account and the data for signing in to it. Used only by the use cases of passwords. */
export interface Credentials {
  readonly account: Account
  readonly emailKey: string
  /** undefined: no password was set. */
  readonly passwordHash: string | undefined
  /** Increases when all sessions end at once. */
  readonly epoch: number
}

/** The columns that `accountOf` reads. */
export const accountColumns = [
  'engine_users.id',
  'engine_users.email',
  'engine_users.name',
  'engine_users.email_verified',
  'engine_users.disabled',
  'engine_users.roles',
  'engine_users.created_at',
] as const

type AccountRow = Pick<
  UsersTable,
  'id' | 'email' | 'name' | 'email_verified' | 'disabled' | 'roles' | 'created_at'
>

export function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    emailVerified: row.email_verified === 1,
    isDisabled: row.disabled === 1,
    roles: row.roles === null ? undefined : (JSON.parse(row.roles) as readonly string[]),
    createdAtMs: row.created_at,
  }
}

/** The data that clients see. */
export function userOf({ id, email, name, emailVerified, createdAtMs }: Account): User {
  return { id, email, name, emailVerified, createdAt: isoTime(createdAtMs) }
}

export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
