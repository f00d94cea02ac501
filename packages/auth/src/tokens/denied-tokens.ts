import { isUniqueViolation, type Store } from '@engine/core/store'
import type { TokenTables } from './migrations.ts'
import type { VerifiedToken } from './verify-token.ts'

/** Tokens without a session that were signed out before their end. `token-state.ts` reads them. */
export interface DeniedTokens {
  /** Takes effect at once on every node, until the token would have ended. */
  add(token: Pick<VerifiedToken, 'fingerprint' | 'expiresAtMs'>): Promise<void>
}

/** Maximum rows of ended tokens that are deleted whenever one is added. */
const sweep = 100

export function createDeniedTokens(
  store: Store,
  { clock, clockSkewMs }: { readonly clock: () => number; readonly clockSkewMs: number },
): DeniedTokens {
  const database = store.withTables<TokenTables>()
  return {
    add: async ({ fingerprint, expiresAtMs }) => {
      const row = { fingerprint, expires_at: Math.ceil(expiresAtMs) + clockSkewMs }
      try {
        await database.insertInto('engine_denied_tokens').values(row).execute()
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
      }
      await deleteEnded()
    },
  }

  async function deleteEnded(): Promise<void> {
    const ended = await database
      .selectFrom('engine_denied_tokens')
      .select('fingerprint')
      .where('expires_at', '<', clock())
      .orderBy('expires_at')
      .limit(sweep)
      .execute()
    const fingerprints = ended.map(({ fingerprint }) => fingerprint)
    if (fingerprints.length === 0) return
    await database
      .deleteFrom('engine_denied_tokens')
      .where('fingerprint', 'in', fingerprints)
      .execute()
  }
}
