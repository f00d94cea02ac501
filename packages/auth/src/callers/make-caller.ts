import { type Caller, type CallerFields, type Engine, GatewayError, type Log } from '@engine/core'
import type { AuthSettings } from '@engine/core/server'
import { unitedRoles } from './claimed-roles.ts'
import type { Identity } from './identity.ts'
import { createSessionResolver } from './resolve-session.ts'
import type { RowOwner } from './row-owner.ts'
import { createUserRows, type UserRows } from './user-rows.ts'

export interface MakeCallerOptions {
  readonly settings: AuthSettings
  /** Needed for `auth.userTable` and `auth.resolveSession`. */
  readonly engine: Engine | undefined
  readonly log: Log
}

/**
 * Creates the caller of an identity, with the row of the user table and the fields that the application adds. Roles are
 * those of `resolveSession`, else of the row, else of the account, else of the token, else the default ones:
 * `roles.default` for an account, the setting of its issuer for a token that was created elsewhere.
 *
 * @throws {GatewayError} `permissionDenied` (403) while the account's e-mail address must be verified; `unauthorized`,
 *   `unavailable`.
 * @param engine reads the row, instead of that of `MakeCallerOptions`.
 */
export type MakeCaller = (identity: Identity, engine?: Engine) => Promise<Caller>

/**
 * @returns undefined where no user table is configured.
 * @throws {GatewayError} `invalidConfiguration` when it does not fit its database.
 */
export function openUserRows({ settings, engine, log }: MakeCallerOptions): UserRows | undefined {
  const { userTable } = settings
  return userTable && createUserRows({ settings: userTable, engine: needed(engine), log })
}

/**
 * @param userRows the result of `openUserRows`.
 * @param rowOwner undefined without accounts.
 */
export function createMakeCaller(
  { settings, engine, log }: MakeCallerOptions,
  userRows: UserRows | undefined,
  rowOwner?: RowOwner,
): MakeCaller {
  const { resolveSession: resolve } = settings
  const resolveSession =
    resolve && createSessionResolver({ resolveSession: resolve, engine: needed(engine), log })
  const requireVerified = ({ account }: Identity): void => {
    if (settings.emailVerification && account?.emailVerified === false) throw unverified()
  }
  return async (named, under) => {
    requireVerified(named)
    const found = await userRows?.find(named.claims, under)
    const owner = found && rowOwner ? await rowOwner(named, found) : named
    requireVerified(owner)
    const { id, account, fields, claimedRoles, issuerRoles } = owner
    const row = found?.fields
    const usual = account === undefined ? issuerRoles : settings.roles.default
    const roles = rolesOfRow(row, usual, settings) ?? account?.roles ?? claimedRoles ?? usual
    // The row provides the `$user` fields; an account adds its own facts, a token adds none.
    const known = row === undefined ? fields : { ...(account === undefined ? {} : fields), ...row }
    const user = { id, roles, fields: known }
    return { kind: 'user', id, ...((await resolveSession?.(user, under)) ?? user) }
  }
}

function needed(engine: Engine | undefined): Engine {
  if (engine === undefined)
    throw new Error('callers are looked up with an engine, and none was given')
  return engine
}

/** Are the roles of users in their rows? */
export function givesRoles({ userTable }: Pick<AuthSettings, 'userTable'>): boolean {
  return userTable?.columns.some((name) => name === 'roles' || name === 'role') ?? false
}

/**
 * Where the columns `roles` or `role` are listed, only they determine the roles of a caller; a row with NULL in them
 * has the default roles.
 *
 * @param usual the default roles.
 */
export function rolesOfRow(
  row: CallerFields | undefined,
  usual: readonly string[],
  settings: Pick<AuthSettings, 'userTable'>,
): readonly string[] | undefined {
  if (row === undefined || !givesRoles(settings)) return undefined
  const isListed = (name: string) => settings.userTable?.columns.includes(name) ?? false
  const said = (name: string) => (isListed(name) ? (row[name] ?? undefined) : undefined)
  return unitedRoles(rolesColumn(said('roles')), said('role')) ?? usual
}

/** A list, or a text that is a JSON list; any other text is not a list. */
function rolesColumn(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

function unverified(): GatewayError {
  return new GatewayError('permissionDenied', 'The e-mail address must be verified first.', {
    sqlState: '28000',
  })
}
