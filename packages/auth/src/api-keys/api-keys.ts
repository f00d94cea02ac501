import { hash, timingSafeEqual } from 'node:crypto'
import type { ApiKeyDescription, CreatedApiKey } from '@engine/contract/admin-api'
import { GatewayError, type Log, type RateLimiter } from '@engine/core'
import { addressKey, type ClientInfo, type Rate } from '@engine/core/server'
import type { Store } from '@engine/core/store'
import { LRUCache } from 'lru-cache'
import type { Account } from '../accounts/account.ts'
import type { AccountStore } from '../accounts/account-store.ts'
import type { ApiKeyInput } from '../auth.ts'
import { namedLimit, tooMany } from '../throttle/refusal.ts'
import type { ApiKeysTable } from '../tokens/migrations.ts'
import { unauthorized } from '../unauthorized.ts'
import { apiKeyDigest, createApiKeyText, parseApiKey } from './api-key-format.ts'
import { checkApiKeyInput } from './api-key-input.ts'
import { createApiKeyStore } from './api-key-store.ts'
import { createLastUsedTimes } from './last-used.ts'

/** Credentials for programs: an administrator creates and revokes them. */
export interface ApiKeys {
  /** @throws {GatewayError} `invalidInput` (400), also when there is no such user. */
  create(input: ApiKeyInput): Promise<CreatedApiKey>
  list(): Promise<readonly ApiKeyDescription[]>
  /** Takes effect at once, on every node. @returns false when there is no such key, or it was already revoked. */
  revoke(id: string): Promise<boolean>
  /**
   * One indexed read, and one more for a key that acts as a user. Does not record the use.
   *
   * @throws {GatewayError} `unauthorized` (401), `rateLimited` (429) after too many wrong keys from one address.
   */
  verify(text: string, client: ClientInfo): Promise<VerifiedApiKey>
  /**
   * The key with this id, as `verify` returns it.
   *
   * @throws {GatewayError} `notFound` (404), `unauthorized` (401).
   */
  ofId(id: string): Promise<VerifiedApiKey>
  /** A key that `verify` accepted was used: its time is written in the background. */
  recordUse(id: string): void
  /** Resolves when the times of last use are written. */
  close(): Promise<void>
}

/** A key that is currently valid. */
export interface VerifiedApiKey {
  readonly id: string
  readonly roles: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  /** The key acts as this user. */
  readonly account: Account | undefined
  readonly expiresAtMs: number | undefined
}

export interface ApiKeysOptions {
  readonly store: Store
  readonly accounts: Pick<AccountStore, 'findById'>
  readonly limiter: RateLimiter
  /** Limit of wrong keys from one address; undefined: no limit. */
  readonly failures: Rate | undefined
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** A key that was accepted from an address is still accepted there, also when that address has too many failures. */
const proven = { max: 10_000, ttl: 24 * 60 * 60_000 }

export function createApiKeys(options: ApiKeysOptions): ApiKeys {
  const { accounts, limiter, clock } = options
  const keys = createApiKeyStore(options.store)
  const lastUsed = createLastUsedTimes(keys, options)
  const limit = options.failures && namedLimit('api-key-failures-ip', options.failures)
  const known = new LRUCache<string, true>(proven)

  const find = async (text: string): Promise<VerifiedApiKey | undefined> => {
    const key = parseApiKey(text)
    const row = key && (await keys.find(key.id))
    if (key === undefined || row === undefined) return undefined
    const isRight = timingSafeEqual(Buffer.from(row.digest), Buffer.from(apiKeyDigest(key)))
    return isRight ? current(row) : undefined
  }

  /** @returns undefined for a key that is over, or whose user may not act. */
  const current = async (row: ApiKeysTable): Promise<VerifiedApiKey | undefined> => {
    const isOver = row.revoked_at !== null || (row.expires_at ?? Infinity) <= clock()
    if (isOver) return undefined
    const account = row.user_id === null ? undefined : await accounts.findById(row.user_id)
    const lacksUser = row.user_id !== null && (account === undefined || account.isDisabled)
    return lacksUser ? undefined : verified(row, account)
  }

  return {
    create: async (input) => {
      const checked = checkApiKeyInput(input, clock())
      const { userId } = checked
      if (userId !== undefined && (await accounts.findById(userId)) === undefined) {
        throw new GatewayError('invalidInput', 'userId: there is no such user')
      }
      const key = createApiKeyText()
      const row: ApiKeysTable = {
        id: key.id,
        name: checked.name,
        digest: apiKeyDigest(key),
        roles: JSON.stringify(checked.roles),
        fields: JSON.stringify(checked.fields),
        user_id: userId ?? null,
        created_at: clock(),
        expires_at: checked.expiresAtMs ?? null,
        last_used_at: null,
        revoked_at: null,
      }
      await keys.insert(row)
      return { ...description(row), key: key.text }
    },
    list: async () => (await keys.list()).map(description),
    revoke: (id) => keys.revoke(id, clock()),
    verify: async (text, client) => {
      // A text without the form of a key costs nothing, and is not counted.
      if (parseApiKey(text) === undefined) throw wrongKey()
      const address = addressKey(client.ip)
      const use = hash('sha256', `${address} ${text}`, 'base64')
      if (limit !== undefined && !known.has(use)) {
        const decision = await limiter.peek(limit, address)
        if (!decision.isAllowed) throw tooMany(decision)
      }
      const found = await find(text)
      if (found === undefined) {
        known.delete(use)
        if (limit !== undefined) await limiter.take(limit, address)
        throw wrongKey()
      }
      known.set(use, true)
      return found
    },
    ofId: async (id) => {
      const row = await keys.find(id)
      if (row === undefined) throw new GatewayError('notFound', 'There is no such API key.')
      const key = await current(row)
      if (key === undefined) throw wrongKey()
      return key
    },
    recordUse: lastUsed.record,
    close: lastUsed.flush,
  }
}

function verified(row: ApiKeysTable, account: Account | undefined): VerifiedApiKey {
  const { id, roles, fields } = description(row)
  return { id, roles, fields, account, expiresAtMs: row.expires_at ?? undefined }
}

function description(row: ApiKeysTable): ApiKeyDescription {
  return {
    id: row.id,
    name: row.name,
    roles: JSON.parse(row.roles) as readonly string[],
    fields: JSON.parse(row.fields) as Readonly<Record<string, unknown>>,
    userId: row.user_id,
    createdAt: isoTime(row.created_at) ?? '',
    expiresAt: isoTime(row.expires_at),
    lastUsedAt: isoTime(row.last_used_at),
    revokedAt: isoTime(row.revoked_at),
  }
}

function isoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString()
}

function wrongKey(): GatewayError {
  return unauthorized('The API key is unknown, expired or revoked.')
}
