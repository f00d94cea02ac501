/** @module The invitations of one call of an action, see `ActionAccounts`. */

import type { Invitation } from '@engine/contract/admin-api'
import type { ActionAccounts, ActionInvitation, Caller } from '@engine/core'
import { type ClientInfo, type RequestOrigin, recordedCaller } from '@engine/core/server'
import type { NewInvitation } from '../auth.ts'
import type { AuthAction, AuthContext } from '../auth-context.ts'
import { invalidInput } from '../input/read-input.ts'
import { createScopedInvitations, type ScopedInvitations } from './invite.ts'

/** Maximum characters of a scope: it is a key. */
const longestScope = 190
const mostListed = 1_000

/** Records each change in the audit log, under the caller of the action. */
export function createActionAccounts(
  caller: Caller,
  origin: RequestOrigin,
  context: AuthContext,
): ActionAccounts {
  const client: ClientInfo = {
    ip: origin.ip,
    userAgent: undefined,
    correlationId: origin.correlationId,
    via: origin.via,
  }
  const { caller: callerId = '', roles = [], as } = recordedCaller(caller, origin)
  const account = { id: callerId, email: '', roles }
  const record = (action: AuthAction, { email }: { readonly email: string }) =>
    context.record(client, action, { account, email, ...(as && { as }) })
  const within = (scope: unknown): ScopedInvitations =>
    createScopedInvitations(scopeText(scope), context)
  return {
    invite: async ({ scope, ...input }) => {
      const invitation = await within(scope).invite(readInput(input))
      await record('user-invited', invitation)
      return shown(invitation)
    },
    listInvitations: async ({ scope, limit = 100, offset = 0 }) => {
      const range = { limit: wholeNumber(limit, mostListed), offset: wholeNumber(offset) }
      return (await within(scope).list(range)).map(shown)
    },
    resendInvitation: async ({ scope, id }) => {
      const invitations = within(scope)
      const known = await invitations.find(requireText(id, 'id'))
      const sent = known && (await invitations.resend(known))
      if (sent === undefined) return undefined
      await record('invitation-resent', sent)
      return shown(sent)
    },
    revokeInvitation: async ({ scope, id }) => {
      const invitations = within(scope)
      const known = await invitations.find(requireText(id, 'id'))
      if (known === undefined || !(await invitations.revoke(known.id))) return false
      await record('invitation-revoked', known)
      return true
    },
  }
}

/**
 * `7`, `7n` and `'7'` are the same scope.
 *
 * @throws {TypeError} for anything that names none: an organisation that the caller lacks must not become a scope of its own.
 */
function scopeText(scope: unknown): string {
  const isNumber = typeof scope === 'bigint' || Number.isSafeInteger(scope)
  const text = isNumber ? String(scope) : scope
  if (typeof text !== 'string' || text === '' || !text.isWellFormed() || text.includes('\0')) {
    throw new TypeError('accounts: scope must be a text or a whole number')
  }
  if (text.length > longestScope) {
    throw new TypeError(`accounts: scope has more than ${longestScope} characters`)
  }
  return text
}

/** JavaScript checks no types: an action may hand on what its caller sent. */
function readInput({ email, name, roles, fields, expiresIn }: NewInvitation): NewInvitation {
  if (roles !== undefined && !(Array.isArray(roles) && roles.every(isText))) {
    throw invalidInput('roles: must be a list of texts.')
  }
  if (fields !== undefined && (typeof fields !== 'object' || fields === null)) {
    throw invalidInput('fields: must be an object of columns and values.')
  }
  return {
    email: requireText(email, 'email'),
    name: name === undefined ? undefined : requireText(name, 'name'),
    expiresIn: expiresIn === undefined ? undefined : requireText(expiresIn, 'expiresIn'),
    roles,
    // Own properties, read once: what is checked is what is stored.
    fields: fields === undefined ? undefined : { ...fields },
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function requireText(value: unknown, name: string): string {
  if (!isText(value)) throw invalidInput(`${name}: must be a text.`)
  return value
}

function wholeNumber(value: number, most: number = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError('accounts: limit and offset must be whole numbers from 0')
  }
  return Math.min(value, most)
}

function shown({ unknownRoles: _, scope: __, ...invitation }: Invitation): ActionInvitation {
  return invitation
}
