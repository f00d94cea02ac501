/** @module What a credential means, and for how long: the caller of a token or an API key. */
import type { Caller, Engine } from '@engine/core'
import {
  type Authenticated,
  type AuthSettings,
  addressKey,
  type ClientInfo,
} from '@engine/core/server'
import { apiKeyCaller } from '../api-keys/api-key-caller.ts'
import { apiKeyPrefix } from '../api-keys/api-key-format.ts'
import type { ApiKeys, VerifiedApiKey } from '../api-keys/api-keys.ts'
import type { Tokens } from '../tokens/create-tokens.ts'
import { accountIdentity } from './identity.ts'
import type { Resolved } from './known-callers.ts'
import type { MakeCaller } from './make-caller.ts'
import { createSameCaller } from './same-caller.ts'
import type { TokenOwners } from './token-owners.ts'

export interface Credentials {
  /** The name under which a credential of a client is remembered. */
  nameOf(credential: string, client: ClientInfo): string
  /** @throws {GatewayError} `unauthorized`, `rateLimited`, `unavailable`. */
  resolve(credential: string, client: ClientInfo): Promise<Resolved>
  /** The caller of an API key. */
  ofKey(key: VerifiedApiKey, engine: Engine | undefined): Promise<Caller>
}

export interface CredentialsOptions {
  readonly settings: AuthSettings
  readonly tokens: Pick<Tokens, 'verify'>
  readonly apiKeys: Pick<ApiKeys, 'verify' | 'recordUse'>
  readonly owners: TokenOwners
  readonly makeCaller: MakeCaller
  /** A token is valid for this long after its end. */
  readonly clockSkewMs: number
}

type Look = (engine: Engine | undefined) => Promise<Authenticated>

export function createCredentials(options: CredentialsOptions): Credentials {
  const { settings, tokens, apiKeys, owners, makeCaller, clockSkewMs } = options
  const sameCaller = createSameCaller()
  /** Nothing but the tables of accounts determines a caller. */
  const isFixed = settings.userTable === undefined && settings.resolveSession === undefined

  const resolved = async (untilMs: number, look: Look, onUse?: () => void): Promise<Resolved> => ({
    untilMs,
    caller: isFixed ? await look(undefined) : look,
    onUse,
  })

  const ofToken = async (text: string): Promise<Resolved> => {
    const token = await tokens.verify(text)
    const { sessionId, expiresAtMs } = token
    const endMs = expiresAtMs + clockSkewMs
    if (sessionId === undefined) {
      const identity = await owners.foreignIdentity(token)
      return resolved(endMs, async (engine) => {
        const caller = sameCaller(token.fingerprint, await makeCaller(identity, engine))
        return { caller, credential: 'token', credentialId: undefined, expiresAtMs }
      })
    }
    const session = await owners.liveSession(sessionId, token)
    const identity = accountIdentity(session.account)
    return resolved(Math.min(endMs, session.expiresAtMs), async (engine) => {
      const caller = sameCaller(sessionId, await makeCaller(identity, engine))
      return { caller, credential: 'session', credentialId: sessionId, expiresAtMs }
    })
  }

  const ofKey = (key: VerifiedApiKey, engine: Engine | undefined): Promise<Caller> =>
    apiKeyCaller(
      key,
      async (account) => (await makeCaller(accountIdentity(account), engine)).fields,
    )

  const ofApiKey = async (text: string, client: ClientInfo): Promise<Resolved> => {
    const key = await apiKeys.verify(text, client)
    const { id, expiresAtMs } = key
    const look = async (engine: Engine | undefined): Promise<Authenticated> => {
      const caller = sameCaller(`ek_${id}`, await ofKey(key, engine))
      return { caller, credential: 'apiKey', credentialId: id, expiresAtMs }
    }
    return resolved(expiresAtMs ?? Number.POSITIVE_INFINITY, look, () => apiKeys.recordUse(id))
  }

  return {
    // Wrong keys are counted by address: a key is accepted from each address on its own.
    nameOf: (credential, { ip }) =>
      isApiKey(credential) ? `${addressKey(ip)} ${credential}` : credential,
    resolve: (credential, client) =>
      isApiKey(credential) ? ofApiKey(credential, client) : ofToken(credential),
    ofKey,
  }
}

function isApiKey(credential: string): boolean {
  return credential.startsWith(apiKeyPrefix)
}
