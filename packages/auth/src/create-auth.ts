/** @module Creates the built-in auth provider. */
import { type Audit, type Engine, type Log, type RateLimiter, silentLog } from '@engine/core'
import {
  type AuthSettings,
  boxSecrets,
  type ClientInfo,
  createSecretBox,
  type JwtSettings,
} from '@engine/core/server'
import type { Store } from '@engine/core/store'
import { createAccountStore } from './accounts/account-store.ts'
import { createAccounts } from './accounts/accounts.ts'
import { createUserProfiles } from './accounts/user-profiles.ts'
import { requireSignUp } from './accounts/user-table.ts'
import type { Auth } from './auth.ts'
import type { AuthContext, RecordAuthEvent } from './auth-context.ts'
import { createBackgroundQueue } from './background-queue.ts'
import { createCallers } from './callers/create-callers.ts'
import { acceptInvitation, showInvitation } from './invitations/accept-invitation.ts'
import { createActionAccounts } from './invitations/invitations-of-actions.ts'
import { createInvitationAdmin } from './invitations/invite.ts'
import { createMailer } from './mail/create-mailer.ts'
import { createHashQueue, type HashQueue } from './passwords/hash-queue.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { createPasswordPolicy } from './passwords/password-policy.ts'
import { createRecentLogins } from './recent-logins.ts'
import { createSessionStore } from './sessions/session-store.ts'
import { openAuthTables } from './store/auth-store.ts'
import { keepSweeping } from './store/sweep.ts'
import { createThrottle } from './throttle/throttle.ts'
import { createTokens } from './tokens/create-tokens.ts'
import { authenticatePassword } from './use-cases/authenticate-password.ts'
import { changePassword } from './use-cases/change-password.ts'
import { endSession } from './use-cases/end-session.ts'
import { forgotPassword } from './use-cases/forgot-password.ts'
import { listSessions } from './use-cases/list-sessions.ts'
import { resendVerification } from './use-cases/resend-verification.ts'
import { resetPassword } from './use-cases/reset-password.ts'
import { session } from './use-cases/session.ts'
import { signIn } from './use-cases/sign-in.ts'
import { signOut } from './use-cases/sign-out.ts'
import { signUp } from './use-cases/sign-up.ts'
import { verifyEmail } from './use-cases/verify-email.ts'
import { createUserAdmin } from './users.ts'

/** What accounts and sessions work with. */
export interface AuthOptions {
  readonly settings: AuthSettings
  readonly jwt: JwtSettings
  readonly masterKey: string | undefined
  readonly store: Store
  /** Reads and writes `userTable`, and is the `db` of `resolveSession`. */
  readonly engine: Engine
  readonly limiter: RateLimiter
  /** undefined: nothing is audited. */
  readonly audit: Audit | undefined
  readonly isProduction: boolean
  readonly log?: Log
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

/**
 * Opens accounts, sessions, tokens, API keys and e-mail on a service database, and brings its tables up to date.
 *
 * @throws {GatewayError} `invalidConfiguration`: no secret in production, an unsuitable user table, or one whose rows sign-up cannot make.
 *
 * @example
 * const auth = await createAuth({ settings, jwt, masterKey, store, engine, limiter, audit: undefined, isProduction: true })
 * const { user, session } = await auth.signUp({ email: 'ada@example.com', password }, client)
 */
export async function createAuth(options: AuthOptions): Promise<Auth> {
  const hashQueue = createHashQueue()
  const context = await createContext(options, hashQueue)
  const stopSweeping = keepSweeping(context.database, context)
  const { callers, mailer, background, tokens } = context
  return {
    authenticate: (credential, client) => callers.authenticate(credential, client),
    expect: callers.expect,
    impersonate: (owner) => callers.impersonate(owner),
    under: (engine) => ({
      authenticate: (credential, client) => callers.authenticate(credential, client, engine),
      expect: callers.expect,
      impersonate: (owner) => callers.impersonate(owner, engine),
    }),
    authenticatePassword: (email, password, client) =>
      authenticatePassword(email, password, client, context),
    signUp: (body, client) => signUp(body, client, context),
    signIn: (body, client) => signIn(body, client, context),
    signOut: (token, client) => signOut(token, client, context),
    session: (token, client) => session(token, client, context),
    forgotPassword: (body, client) => forgotPassword(body, client, context),
    resetPassword: (body, client) => resetPassword(body, client, context),
    verifyEmail: (body, client) => verifyEmail(body, client, context),
    resendVerification: (body, client) => resendVerification(body, client, context),
    showInvitation: (body, client) => showInvitation(body, client, context),
    acceptInvitation: (body, client) => acceptInvitation(body, client, context),
    changePassword: (token, body, client) => changePassword(token, body, client, context),
    listSessions: (token, client) => listSessions(token, client, context),
    endSession: (token, id, client) => endSession(token, id, client, context),
    forActions: (caller, origin) => createActionAccounts(caller, origin, context),
    jwks: () => tokens.jwks(),
    hashingLoad: () => hashQueue.stats(),
    admin: {
      ...createUserAdmin(context),
      ...createInvitationAdmin(context),
      createApiKey: (input) => callers.apiKeys.create(input),
      listApiKeys: () => callers.apiKeys.list(),
      revokeApiKey: (id) => callers.apiKeys.revoke(id),
      outbox: () => mailer.outbox(),
    },
    close: async () => {
      await background.drain()
      await stopSweeping()
      await mailer.close()
      await callers.close()
      tokens.close()
    },
  }
}

async function createContext(options: AuthOptions, queue: HashQueue): Promise<AuthContext> {
  const { settings, jwt, masterKey, store, engine, limiter, audit, isProduction } = options
  const { log = silentLog, clock = Date.now } = options
  const database = await openAuthTables(store)
  const background = createBackgroundQueue({ log })
  const accountStore = createAccountStore(database)
  const sessions = createSessionStore({ database, background, clock })
  const tokens = await createTokens({
    settings,
    jwt,
    masterKey,
    store,
    log,
    clock,
    isProduction,
  })
  const callers = createCallers({
    settings,
    jwt,
    store,
    engine,
    accounts: accountStore,
    sessions,
    tokens,
    limiter,
    log,
    clock,
  })
  const { userTable } = settings
  const profiles = userTable && createUserProfiles(userTable, engine)
  requireSignUp({ auth: settings }, engine)
  const secrets = boxSecrets(masterKey, settings.secrets)
  return {
    settings,
    engine,
    store,
    database,
    accountStore,
    accounts: createAccounts({
      store: accountStore,
      profiles,
      hasOldPasswords: userTable?.passwordColumn !== undefined,
      isUser: (account) => callers.isUser(account),
      clock,
    }),
    sessions,
    tokens,
    callers,
    hasher: await createPasswordHasher(settings.password, { queue, log }),
    policy: createPasswordPolicy(settings, log),
    recentLogins: createRecentLogins(clock),
    throttle: createThrottle({ settings: settings.throttle, limiter, store, clock }),
    mailer: createMailer({ settings, store, box: createSecretBox(secrets, 'mail'), log, clock }),
    background,
    record: recorder(audit, settings.roles.default),
    log,
    clock,
  }
}

/** Maximum characters of a given e-mail address; longer texts are not valid addresses. */
const longestEmail = 254

function recorder(audit: Audit | undefined, defaultRoles: readonly string[]): RecordAuthEvent {
  return async (client: ClientInfo, action, facts = {}) => {
    const { account, email = account?.email, sessionId, ...others } = facts
    await audit?.record({
      kind: 'auth',
      action,
      correlationId: client.correlationId,
      ip: client.ip,
      via: client.via ?? 'http',
      caller: account?.id,
      roles: account === undefined ? undefined : (account.roles ?? defaultRoles),
      credentialId: sessionId,
      facts: { ...others, ...(email === undefined ? {} : { email: email.slice(0, longestEmail) }) },
    })
  }
}
