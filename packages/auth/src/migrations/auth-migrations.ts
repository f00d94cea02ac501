import { mailMigrations } from '../mail/migrations.ts'
import { tokenMigrations } from '../tokens/migrations.ts'
import { accountMigrations } from './accounts.ts'

/** Tables of accounts, tokens and mails, in the order of their creation. */
export const authMigrations: typeof accountMigrations = [
  ...accountMigrations,
  ...tokenMigrations,
  ...mailMigrations,
]
