import type { Caller, CallerFields } from '@engine/core'
import type { Account } from '../accounts/account.ts'
import type { VerifiedApiKey } from './api-keys.ts'

/**
 * A key without a user has only the fields of the key. A key that acts as a user also has the user's fields. Roles are
 * always those of the key.
 *
 * @param fieldsOf returns the fields of a user. Throws where the user may not act now.
 */
export async function apiKeyCaller(
  { id, account, fields, roles }: VerifiedApiKey,
  fieldsOf: (account: Account) => Promise<CallerFields>,
): Promise<Caller> {
  if (account === undefined) return { kind: 'user', id: `key:${id}`, roles, fields }
  return {
    kind: 'user',
    id: account.id,
    roles,
    fields: { ...(await fieldsOf(account)), ...fields },
  }
}
