import type { Store } from '@engine/core/store'
import type { ApiKeysTable, TokenTables } from '../tokens/migrations.ts'

/** Rows of API keys: single reads and writes. */
export interface ApiKeyStore {
  insert(row: ApiKeysTable): Promise<void>
  /** One indexed read. */
  find(id: string): Promise<ApiKeysTable | undefined>
  /** Newest first, revoked ones too. */
  list(): Promise<readonly ApiKeysTable[]>
  /** @returns false when there is none, or it was already revoked. */
  revoke(id: string, nowMs: number): Promise<boolean>
  used(id: string, nowMs: number): Promise<void>
}

/** Maximum keys in a list. */
const maxListed = 10_000

export function createApiKeyStore(store: Store): ApiKeyStore {
  const database = store.withTables<TokenTables>()
  return {
    insert: async (row) => {
      await database.insertInto('engine_api_keys').values(row).execute()
    },
    find: (id) =>
      database.selectFrom('engine_api_keys').selectAll().where('id', '=', id).executeTakeFirst(),
    list: () =>
      database
        .selectFrom('engine_api_keys')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(maxListed)
        .execute(),
    revoke: async (id, nowMs) => {
      const { numUpdatedRows } = await database
        .updateTable('engine_api_keys')
        .set({ revoked_at: nowMs })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    used: async (id, nowMs) => {
      await database
        .updateTable('engine_api_keys')
        .set({ last_used_at: nowMs })
        .where('id', '=', id)
        .execute()
    },
  }
}
