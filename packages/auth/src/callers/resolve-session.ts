import {
  type CallerFields,
  type Engine,
  GatewayError,
  type Log,
  type ResolvedSession,
  type ResolvedUser,
  type ResolveSession,
} from '@engine/core'
import { abortable } from '@engine/core/server'
import { unauthorized } from '../unauthorized.ts'
import { unitedRoles } from './claimed-roles.ts'

/** @throws {GatewayError} `unauthorized` when the application refuses the caller; `unavailable` (503). */
export type SessionResolver = (
  user: ResolvedUser,
  engine?: Engine,
) => Promise<{ readonly roles: readonly string[]; readonly fields: CallerFields }>

export interface SessionResolverOptions {
  readonly resolveSession: ResolveSession
  readonly engine: Engine
  readonly log: Log
}

/** Calls the application's `resolveSession`. Its result overrides known fields; other fields stay. */
export function createSessionResolver(options: SessionResolverOptions): SessionResolver {
  return async (user, engine = options.engine) => {
    const added = await ask(user, { ...options, engine }).catch((error: unknown) => {
      throw refusal(error, options.log)
    })
    if (added === undefined) return user
    const { roles, role, ...fields } = added
    return { roles: unitedRoles(roles, role) ?? user.roles, fields: { ...user.fields, ...fields } }
  }
}

/** Time limit: the same as that of a statement, since the application may run queries. */
async function ask(
  user: ResolvedUser,
  { resolveSession, engine }: SessionResolverOptions,
): Promise<ResolvedSession | undefined> {
  const signal = AbortSignal.timeout(engine.settings.limits.queryTimeoutMs)
  const { database, end } = engine.database({ signal })
  try {
    const added = await abortable(signal, async () => resolveSession(user, database))
    if (added === undefined || (typeof added === 'object' && added !== null)) return added
    throw new Error('auth.resolveSession gave no object')
  } catch (error) {
    if (!signal.aborted) throw error
    throw new GatewayError('unavailable', 'auth.resolveSession took too long.', { cause: error })
  } finally {
    await end()
  }
}

/**
 * A database that is unavailable, busy or slow is not a reason to refuse a session: users must not sign in again
 * because of it.
 */
const away: ReadonlySet<string> = new Set([
  'unavailable',
  'queryTimeout',
  'rateLimited',
  'internal',
])

function refusal(error: unknown, log: Log): GatewayError {
  if (error instanceof GatewayError && away.has(error.problem)) {
    return new GatewayError('unavailable', 'The caller cannot be looked up.', { cause: error })
  }
  log.warn({ err: error }, 'auth.resolveSession refused a caller')
  return unauthorized('The application refused the caller.', error)
}
