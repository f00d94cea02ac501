/** @module The owner of the credential that an audit entry was recorded for. */
import type { AuditEntry } from '@engine/contract/admin-api'
import { type CredentialOwner, userIdOf } from '@engine/core/server'

export type RecordedOwner =
  | { readonly kind: 'admin' }
  | { readonly kind: 'anonymous' }
  | RecordedCredential

interface RecordedCredential {
  readonly kind: 'credential'
  /** Can be the id of a session instead, where there is a user. */
  readonly apiKey: string | undefined
  readonly user: Omit<Extract<CredentialOwner, { readonly kind: 'user' }>, 'kind'> | undefined
}

/** The caller `key:<id>` is an API key without a user. */
const keyPrefix = 'key:'

/**
 * Of entries of an administrator who acted as somebody, that one.
 *
 * @returns undefined where the entry names no caller: refusals before one was known, or without `audit.logUser`.
 */
export function ownerIn(
  entry: Pick<AuditEntry, 'caller' | 'roles' | 'credentialId' | 'facts'>,
): RecordedOwner | undefined {
  const { caller, credentialId, facts } = entry
  const as = facts?.['as']
  if (caller === 'admin' && as !== undefined) return impersonated(as)
  if (caller === null) return undefined
  if (caller === 'anonymous') return { kind: 'anonymous' }
  const id = userIdOf(caller)
  if (id === undefined) return { kind: 'admin' }
  return credentialOf(id, entry.roles ?? [], credentialId)
}

function credentialOf(
  id: string,
  roles: readonly string[],
  credentialId: string | null,
): RecordedOwner {
  if (id.startsWith(keyPrefix)) {
    const apiKey = id.slice(keyPrefix.length)
    return { kind: 'credential', apiKey, user: undefined }
  }
  // Without an id, the credential can be a token that was created elsewhere: its claims are not recorded, but the roles are.
  if (credentialId === null) return { kind: 'credential', apiKey: undefined, user: { id, roles } }
  return { kind: 'credential', apiKey: credentialId, user: { id, hasSession: true } }
}

function impersonated(as: unknown): RecordedOwner | undefined {
  if (typeof as !== 'object' || as === null) return undefined
  const { kind, id, roles } = as as Readonly<Record<string, unknown>>
  if (kind === 'admin' || kind === 'anonymous') return { kind }
  if (typeof id !== 'string' || id === '') return undefined
  const names = Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : []
  return credentialOf(id, names, null)
}
