/** @module Options of a configuration that have no effect, or another effect than their author may expect. Never refused. */
import { type Fault, suggestion } from '../../foundation/faults.ts'
import { isOpenMode } from '../parse/open-mode.ts'
import { userReferences } from '../parse/user-references.ts'
import type { Settings } from '../settings/settings.ts'

/** The fields of `$user` for a caller with an account, with any configuration. */
export const accountFields: readonly string[] = ['id', 'sub', 'email', 'name', 'emailVerified']

/** Mistakes whose only symptoms are missing rows or refused tokens. */
export function configurationWarnings(
  settings: Settings,
  primaryKeyOf: (connection: string, table: string) => string | undefined,
): readonly Fault[] {
  return [
    ...idleOpen(settings),
    ...idleJwt(settings),
    ...unmatchedAccounts(settings),
    ...unknownFields(settings, primaryKeyOf),
    ...impossibleRoles(settings),
    ...misspeltRoles(settings),
  ]
}

/** Open mode itself is reported where requests are served. */
function idleOpen(settings: Settings): readonly Fault[] {
  return settings.open && !isOpenMode(settings)
    ? [{ path: 'open', message: 'has no effect beside auth or permissions: these hold' }]
    : []
}

function idleJwt({ auth, authProvider, jwt }: Settings): readonly Fault[] {
  const { algorithms, issuer, audience } = jwt
  const isConfigured = algorithms !== undefined || issuer !== undefined || audience !== undefined
  if (authProvider !== undefined || !isConfigured) return []
  if (auth === undefined) {
    return [{ path: 'jwt', message: 'is configured, but auth is not: no token is verified' }]
  }
  if (auth.issuers.length > 0) return []
  const named = [
    ...(issuer === undefined ? [] : ['issuer']),
    ...(audience === undefined ? [] : ['audience']),
  ]
  return named.map((name) => ({
    path: `jwt.${name}`,
    message: `is compared with tokens that auth.secret or this service signs: no token of another issuer is verified without auth.issuers, which holds its keys`,
  }))
}

/** Accounts of this service have no claims but these: with another claim in `matchOn`, every request of theirs is refused. */
function unmatchedAccounts({ auth }: Settings): readonly Fault[] {
  const { jwtField } = auth?.userTable?.matchOn ?? {}
  if (auth === undefined || jwtField === undefined || accountFields.includes(jwtField)) return []
  if (!auth.signUp.enabled && auth.issuers.length > 0) return []
  const hint = suggestion(jwtField, accountFields)
  return [
    {
      path: 'auth.userTable.matchOn.jwtField',
      message: `tokens of this service have no "${jwtField}"${hint}: accounts that sign up or sign in here find no row and are refused (they have ${accountFields.join(', ')}; for tokens of issuers alone set auth.signUp.enabled to false)`,
    },
  ]
}

function unknownFields(
  settings: Settings,
  primaryKeyOf: (connection: string, table: string) => string | undefined,
): readonly Fault[] {
  const known = fieldsOfCallers(settings, primaryKeyOf)
  if (known === undefined) return []
  const { auth } = settings
  return [...settings.permissions].flatMap(([name, permission]) =>
    userReferences(permission, `permissions.${name}`)
      .filter(({ field }) => !known.has(field))
      .map(({ path, field }) => ({
        path,
        message:
          auth === undefined
            ? `no caller has "$user.${field}": auth is not configured`
            : `no account has "$user.${field}"${suggestion(field, known)}${otherSources(settings)}`,
      })),
  )
}

/** Other possible sources of a field. */
function otherSources(settings: Settings): string {
  const { auth } = settings
  const byClaims = auth?.userTable === undefined && takesSharedTokens(settings)
  return byClaims
    ? ' (only a token signed elsewhere with auth.secret, or an API key, could bring it)'
    : ' (only an API key could bring it)'
}

/** Other issuers may sign tokens with the same secret. */
export function takesSharedTokens({ auth, jwt }: Pick<Settings, 'auth' | 'jwt'>): boolean {
  return (auth?.secrets.length ?? 0) > 0 && (jwt.algorithms?.includes('HS256') ?? true)
}

/** @returns undefined when callers may have any field. */
function fieldsOfCallers(
  { auth, authProvider, ...settings }: Settings,
  primaryKeyOf: (connection: string, table: string) => string | undefined,
): ReadonlySet<string> | undefined {
  if (authProvider !== undefined || auth?.resolveSession !== undefined) return undefined
  if (auth === undefined) return mayHaveApiKeys(settings) ? undefined : new Set()
  const { userTable, issuers } = auth
  if (userTable === undefined) return issuers.length > 0 ? undefined : new Set(accountFields)
  const { connection, table, matchOn, columns } = userTable
  const matched = matchOn?.column ?? primaryKeyOf(connection, table)
  return matched === undefined ? undefined : new Set([...accountFields, ...columns, matched])
}

/** API keys can exist without accounts if the master key can create them, or if the service database is open for them. */
function mayHaveApiKeys({
  masterKey,
  isServiceDatabaseNamed,
  pgWire,
}: Pick<Settings, 'masterKey' | 'isServiceDatabaseNamed' | 'pgWire'>): boolean {
  const isWireStrategy = pgWire?.strategies.includes('apiKey') === true
  return masterKey !== undefined || isServiceDatabaseNamed || isWireStrategy
}

/** A role that is used once, and resembles one that accounts get or that is used elsewhere. */
function misspeltRoles(settings: Settings): readonly Fault[] {
  const { permissions, actions, auth } = settings
  const uses = [
    ...[...permissions].map(([name, { roles }]) => [`permissions.${name}`, roles] as const),
    ...[...actions].map(([name, { roles }]) => [`actions.${name}`, roles] as const),
  ]
  const counts = new Map<string, number>()
  for (const role of uses.flatMap(([, roles]) => roles)) {
    counts.set(role, (counts.get(role) ?? 0) + 1)
  }
  const given = [
    ...(auth?.roles.default ?? []),
    ...(auth?.issuers ?? []).flatMap(({ defaultRoles }) => defaultRoles),
  ]
  const misspelt = misspeltDefaults(settings, counts)
  const wrong = new Set(misspelt.map(({ role }) => role))
  const right = given.filter((role) => !wrong.has(role))
  const sure = new Set([...right, 'anonymous', ...usedOften(counts)])
  const unsure = uses.flatMap(([path, roles]) =>
    roles.flatMap((role): readonly Fault[] => {
      if (sure.has(role) || role === '*') return []
      const hint = suggestion(role, sure)
      const message = `"${role}" is the role of nothing else${hint}`
      return hint === '' ? [] : [{ path: `${path}.roles`, message }]
    }),
  )
  return [...misspelt.map(({ fault }) => fault), ...unsure]
}

/**
 * Roles of every account that nothing names, and that resemble one that is used more than once. Where the other is used once, it may
 * be the misspelt one.
 */
function misspeltDefaults(
  { auth, channels }: Settings,
  counts: ReadonlyMap<string, number>,
): readonly { readonly role: string; readonly fault: Fault }[] {
  const named = new Set([...counts.keys(), ...channels.flatMap(({ roles }) => roles)])
  return (auth?.roles.default ?? []).flatMap((role) => {
    const hint = named.has(role) ? '' : suggestion(role, usedOften(counts))
    const message = `no permission, action or channel names the role "${role}"${hint}`
    return hint === '' ? [] : [{ role, fault: { path: 'auth.roles.default', message } }]
  })
}

function usedOften(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts].filter(([, count]) => count > 1).map(([role]) => role)
}

/** Roles that no caller can have, as far as this is known without reading accounts. */
function impossibleRoles(settings: Settings): readonly Fault[] {
  const { auth, authProvider, pgWire } = settings
  if (authProvider !== undefined) return []
  const rolesOf = [
    ...[...settings.permissions].map(
      ([name, { roles }]) => [`permissions.${name}`, roles] as const,
    ),
    ...[...settings.actions].map(([name, { roles }]) => [`actions.${name}`, roles] as const),
  ]
  const isTrusting = pgWire?.strategies.includes('trust') === true
  const reasonOf = (role: string): string | undefined => {
    if (auth !== undefined) {
      return role === 'anonymous' && !isTrusting && auth.resolveSession === undefined
        ? 'no caller has the role "anonymous": with auth every caller shows a credential'
        : undefined
    }
    if (role === 'anonymous' || mayHaveApiKeys(settings)) return undefined
    return role === '*'
      ? 'no caller is authenticated, as "*" asks for: auth is not configured'
      : `no caller has the role "${role}": without auth every caller is "anonymous"`
  }
  return rolesOf.flatMap(([path, roles]) =>
    roles.flatMap((role): readonly Fault[] => {
      const message = reasonOf(role)
      return message === undefined ? [] : [{ path: `${path}.roles`, message }]
    }),
  )
}
