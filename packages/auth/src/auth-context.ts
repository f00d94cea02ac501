/** @module The dependencies that the use cases share. */

import type { Engine, Log } from '@engine/core'
import type { AuthSettings, ClientInfo, ImpersonatedCaller } from '@engine/core/server'
import type { Store } from '@engine/core/store'
import type { Account } from './accounts/account.ts'
import type { AccountStore } from './accounts/account-store.ts'
import type { Accounts } from './accounts/accounts.ts'
import type { BackgroundQueue } from './background-queue.ts'
import type { Callers } from './callers/create-callers.ts'
import type { Mailer } from './mail/mailer.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'
import type { PasswordPolicy } from './passwords/password-policy.ts'
import type { RecentLogins } from './recent-logins.ts'
import type { SessionStore } from './sessions/session-store.ts'
import type { AuthDatabase } from './store/auth-tables.ts'
import type { Throttle } from './throttle/throttle.ts'
import type { Tokens } from './tokens/create-tokens.ts'

export interface AuthContext {
  readonly settings: AuthSettings
  /** Its settings and its catalog are those of the moment. */
  readonly engine: Engine
  readonly store: Store
  /** The tables of `store`. */
  readonly database: AuthDatabase
  readonly accountStore: AccountStore
  readonly accounts: Accounts
  readonly sessions: SessionStore
  readonly tokens: Tokens
  readonly callers: Callers
  readonly hasher: PasswordHasher
  readonly policy: PasswordPolicy
  readonly throttle: Throttle
  readonly recentLogins: RecentLogins
  readonly mailer: Mailer
  /** Runs work after the answer. */
  readonly background: BackgroundQueue
  readonly record: RecordAuthEvent
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Records an event of an account; never a credential. */
export type RecordAuthEvent = (
  client: ClientInfo,
  action: AuthAction,
  facts?: AuthEventFacts,
) => Promise<void>

export interface AuthEventFacts {
  readonly account?: Pick<Account, 'id' | 'email' | 'roles'>
  /** As the client sent it, where no account is known. */
  readonly email?: string
  readonly sessionId?: string
  readonly reason?: string
  /** As whom an administrator, who is the account then, acts. */
  readonly as?: ImpersonatedCaller
  /** Number of affected objects. */
  readonly count?: number
}

export type AuthAction =
  | 'sign-up'
  | 'sign-up-refused'
  | 'sign-in'
  | 'sign-in-failed'
  | 'sign-in-throttled'
  | 'sign-out'
  | 'session-refreshed'
  | 'session-revoked'
  | 'password-reset-requested'
  | 'password-reset'
  | 'password-reset-failed'
  | 'password-changed'
  | 'password-change-failed'
  | 'email-verification-requested'
  | 'email-verified'
  | 'email-verification-failed'
  | 'user-invited'
  | 'invitation-resent'
  | 'invitation-revoked'
  | 'invitation-accepted'
  | 'invitation-failed'
