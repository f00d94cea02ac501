/** @module Tables of tokens and API keys. */
import { columnTypes, createIndex, type Migration } from '@engine/core/store'

/** A key pair that signs tokens; the private half is sealed. */
export interface SigningKeysTable {
  /** `ES256-1`: algorithm and generation; two nodes that create one at the same time use the same id. */
  readonly id: string
  readonly algorithm: string
  readonly generation: number
  readonly kid: string
  /** JWK, JSON. */
  readonly public_key: string
  /** JWK, JSON, sealed. */
  readonly private_key: string
  readonly created_at: number
}

/** Tokens without a session that were signed out. */
export interface DeniedTokensTable {
  /** `VerifiedToken.fingerprint`. */
  readonly fingerprint: string
  /** End of the token: afterwards the row is not needed. */
  readonly expires_at: number
}

export interface ApiKeysTable {
  readonly id: string
  readonly name: string
  /** SHA-256 of the whole key, base64url. */
  readonly digest: string
  /** JSON list. */
  readonly roles: string
  /** JSON object. */
  readonly fields: string
  readonly user_id: string | null
  readonly created_at: number
  readonly expires_at: number | null
  readonly last_used_at: number | null
  readonly revoked_at: number | null
}

export interface TokenTables {
  readonly engine_signing_keys: SigningKeysTable
  readonly engine_denied_tokens: DeniedTokensTable
  readonly engine_api_keys: ApiKeysTable
}

export const tokenMigrations: readonly Migration[] = [
  {
    name: 'auth/tokens-0001-initial',
    up: async (database, kind) => {
      const types = columnTypes(kind)
      await database.schema
        .createTable('engine_signing_keys')
        .ifNotExists()
        .addColumn('id', types.id, (column) => column.primaryKey().notNull())
        .addColumn('algorithm', types.id, (column) => column.notNull())
        .addColumn('generation', types.count, (column) => column.notNull())
        .addColumn('kid', types.id, (column) => column.notNull())
        .addColumn('public_key', types.longText, (column) => column.notNull())
        .addColumn('private_key', types.longText, (column) => column.notNull())
        .addColumn('created_at', types.time, (column) => column.notNull())
        .execute()
      await database.schema
        .createTable('engine_denied_tokens')
        .ifNotExists()
        .addColumn('fingerprint', types.id, (column) => column.primaryKey().notNull())
        .addColumn('expires_at', types.time, (column) => column.notNull())
        .execute()
      await createIndex(database, kind, {
        name: 'engine_denied_tokens_expiry',
        table: 'engine_denied_tokens',
        columns: ['expires_at'],
      })
      await database.schema
        .createTable('engine_api_keys')
        .ifNotExists()
        .addColumn('id', types.id, (column) => column.primaryKey().notNull())
        .addColumn('name', types.text(200), (column) => column.notNull())
        .addColumn('digest', types.id, (column) => column.notNull())
        .addColumn('roles', types.longText, (column) => column.notNull())
        .addColumn('fields', types.longText, (column) => column.notNull())
        .addColumn('user_id', types.text(191))
        .addColumn('created_at', types.time, (column) => column.notNull())
        .addColumn('expires_at', types.time)
        .addColumn('last_used_at', types.time)
        .addColumn('revoked_at', types.time)
        .execute()
    },
  },
]
