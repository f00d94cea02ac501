/** @module Administration of accounts and sessions. */

import type { AdminSession, AdminUser } from '@engine/contract/admin-api'
import { GatewayError } from '@engine/core'
import { type Account, accountColumns, accountOf, isoTime } from './accounts/account.ts'
import type { AuthAdmin, NewUser, SessionFilter } from './auth.ts'
import type { AuthContext } from './auth-context.ts'
import { findRows } from './callers/find-rows.ts'
import { contains } from './input/contains.ts'
import { parseEmail } from './input/email-address.ts'
import { checkName } from './input/person-name.ts'
import { invalidInput } from './input/read-input.ts'
import { asInvalidField, checkFields } from './invitations/check-fields.ts'
import { readPassword } from './passwords/password.ts'
import { endSessions } from './sessions/session-store.ts'
import type { AuthTables } from './store/auth-tables.ts'
import { sendReset } from './use-cases/forgot-password.ts'
import { describeSession } from './use-cases/list-sessions.ts'

/** The methods of `AuthAdmin` for accounts and their sessions. */
export type UserAdmin = Pick<
  AuthAdmin,
  | 'createUser'
  | 'listUsers'
  | 'findRows'
  | 'updateUser'
  | 'startReset'
  | 'listSessions'
  | 'endSessions'
>

export function createUserAdmin(context: AuthContext): UserAdmin {
  return {
    createUser: (input) => createUser(input, context),
    listUsers: (filter) => listUsers(filter, context),
    findRows: (search, limit) => findRows(search, limit, context),
    updateUser: (id, change) => updateUser(id, change, context),
    startReset: async (id) => {
      const credentials = await context.accountStore.credentialsById(id)
      if (credentials === undefined) return false
      await sendReset(credentials, context)
      return true
    },
    listSessions: (filter) => listAllSessions(filter, context),
    endSessions: (filter) => endSomeSessions(filter, context),
  }
}

async function createUser(
  { email: given, name: givenName = '', roles, verified, password, fields = {} }: NewUser,
  context: AuthContext,
): Promise<AdminUser> {
  const { settings, engine, accounts, policy, hasher, clock } = context
  const email = parseEmail(given, settings.signUp.allowUtf8Email)
  if (email === undefined) throw invalidInput('email must be an e-mail address.')
  const name = checkName(givenName)
  checkFields(fields, settings.userTable, engine)
  await accounts.checkRow(email.key, fields).catch((error: unknown) => {
    throw asInvalidField(error)
  })
  let passwordHash: string | undefined
  if (password !== undefined) {
    const read = readPassword({ password }, 'password')
    await policy.check(read, 'password', { email: email.key, name })
    passwordHash = await hasher.hash(read)
  }
  const person = { email, name, passwordHash, nowMs: clock(), roles, fields }
  const created = await accounts
    .signUp({ ...person, emailVerified: verified === true })
    .catch((error: unknown) => {
      throw asUnfilledRow(error)
    })
  if (created === undefined) {
    throw new GatewayError('emailExists', 'There is an account with this e-mail address already.')
  }
  if (password === undefined) await sendReset(created, context)
  return describeUser(created.account)
}

/** A sign-up learns only that it is not possible; an administrator, which columns are the reason. */
function asUnfilledRow(error: unknown): unknown {
  const columns = error instanceof GatewayError ? error.details?.['columns'] : undefined
  if (!Array.isArray(columns)) return error
  const message = `A new row of the user needs a value for ${columns.join(', ')}: give them in fields. A person who has a row is invited instead: the account gets that row.`
  return new GatewayError('conflict', message, { cause: error })
}

function describeUser(account: Account): AdminUser {
  const { id, email, name, emailVerified, roles = null, isDisabled, createdAtMs } = account
  const createdAt = isoTime(createdAtMs)
  return { id, email, name, emailVerified, roles, disabled: isDisabled, createdAt }
}

/** Newest first. */
async function listUsers(
  { search = '', limit, offset }: Parameters<AuthAdmin['listUsers']>[0],
  { database }: AuthContext,
): Promise<readonly AdminUser[]> {
  const rows = await database
    .selectFrom('engine_users')
    .select(accountColumns)
    .$if(search !== '', (query) =>
      query.where((row) =>
        row.or([
          contains('email_key', search),
          contains('name', search),
          row('engine_users.id', '=', search),
        ]),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => describeUser(accountOf(row)))
}

/** A disabled account has no sessions; its tokens are refused from the next request on. */
async function updateUser(
  id: string,
  { roles, disabled }: Parameters<AuthAdmin['updateUser']>[1],
  { store }: AuthContext,
): Promise<boolean> {
  const isDone = await store.transaction<AuthTables, boolean>(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('engine_users')
      .set((row) => ({
        // The UPDATE needs at least one assignment, also when the request changes nothing.
        id: row.ref('id'),
        ...(roles === undefined ? {} : { roles: JSON.stringify(roles) }),
        ...(disabled === undefined ? {} : { disabled: disabled ? 1 : 0 }),
      }))
      .where('id', '=', id)
      .executeTakeFirst()
    if (disabled === true) await endSessions(transaction, { userId: id })
    return numUpdatedRows === 1n
  })
  return isDone
}

/** Of active sessions, latest first. */
async function listAllSessions(
  { userId, limit, offset }: SessionFilter,
  { database, clock }: AuthContext,
): Promise<readonly AdminSession[]> {
  const rows = await database
    .selectFrom('engine_sessions')
    .innerJoin('engine_users', (join) =>
      join
        .onRef('engine_users.id', '=', 'engine_sessions.user_id')
        .onRef('engine_users.epoch', '=', 'engine_sessions.epoch'),
    )
    .selectAll('engine_sessions')
    .select('engine_users.email')
    .where('engine_sessions.expires_at', '>', clock())
    .$if(userId !== undefined, (query) => query.where('engine_sessions.user_id', '=', userId ?? ''))
    .orderBy('engine_sessions.created_at', 'desc')
    .orderBy('engine_sessions.sid')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({
    ...describeSession(row),
    userId: row.user_id,
    email: row.email,
  }))
}

async function endSomeSessions(
  { userId, id }: Parameters<AuthAdmin['endSessions']>[0],
  { database }: AuthContext,
): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('engine_sessions')
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .$if(id !== undefined, (query) => query.where('sid', '=', id ?? ''))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
