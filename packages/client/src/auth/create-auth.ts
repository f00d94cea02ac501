import type {
  InvitationResponse,
  SessionDescription,
  SessionResponse,
  SessionsResponse,
  User,
} from '@engine/contract'
import type { CallOptions, TokenSource } from '../client.ts'
import { createTransport, type TransportOptions } from '../transport/transport.ts'
import { untilAborted } from '../transport/until-aborted.ts'
import { type AuthStorage, memoryStorage } from './auth-storage.ts'
import { createRenewal, isUnauthorized } from './renewal.ts'
import { type AuthListener, createSessionState } from './session-state.ts'
import { type SignedIn, signedInBy } from './signed-in.ts'
import { createTokenTransport } from './token-transport.ts'

/** Options of `createAuth`. */
export interface AuthOptions extends TransportOptions {
  /** Where the session is stored; by default in memory, until the page is closed. */
  readonly storage?: AuthStorage
  /** Milliseconds since 1970; it may be wrong. Default `Date.now`. */
  readonly clock?: () => number
}

/**
 * Accounts of an engine, and the session of the user: pass it to `createClient({ session })`. Methods that send requests to
 * the engine throw `EngineError` (rely on its `code`), or the reason of their signal.
 */
export interface EngineAuth extends TokenSource {
  /** Returns the signed-in user without a request. The object is the same until a fact changes. */
  current(): SignedIn | undefined
  /** Calls back at every change, in this tab or in another one. @returns a function that removes the listener. */
  onChange(listener: AuthListener): () => void
  /** Returns a valid token, renewed before it expires; undefined when no user is signed in. */
  token(): Promise<string | undefined>
  /** `EMAIL_EXISTS`, `VALIDATION_ERROR`, `RATE_LIMITED`. */
  signUp(input: SignUpInput, options?: CallOptions): Promise<User>
  /** `INVALID_CREDENTIALS`, `EMAIL_NOT_VERIFIED`, `RATE_LIMITED`. */
  signIn(input: Credentials, options?: CallOptions): Promise<User>
  /** Always signs out on this device. Throws when the engine could not be reached to end the session. */
  signOut(options?: CallOptions): Promise<void>
  /** Requests the signed-in user, and a new token if it is due. Concurrent calls share one request. */
  getSession(options?: CallOptions): Promise<SignedIn | undefined>
  /** Does not reveal whether the user exists. */
  forgotPassword(input: { readonly email: string }, options?: CallOptions): Promise<void>
  /** Ends every session of the account. `INVALID_TOKEN`, `VALIDATION_ERROR`. */
  resetPassword(
    input: { readonly token: string; readonly password: string },
    options?: CallOptions,
  ): Promise<void>
  /** `INVALID_TOKEN`. */
  verifyEmail(input: { readonly token: string }, options?: CallOptions): Promise<void>
  /** Does not reveal whether the user exists. */
  resendVerification(input: { readonly email: string }, options?: CallOptions): Promise<void>
  /** Returns whom the token of an invitation invites; the token stays valid. `INVALID_TOKEN`. */
  invitation(input: { readonly token: string }, options?: CallOptions): Promise<InvitedUser>
  /**
   * Sets the password of an invited user and signs the user in. `INVALID_TOKEN`, `VALIDATION_ERROR`.
   *
   * @example
   * const token = takeLinkToken()
   * if (token !== undefined) await auth.acceptInvitation({ token, password, name: 'Ada' })
   */
  acceptInvitation(input: InvitationAnswer, options?: CallOptions): Promise<User>
  /** Ends the other sessions of the account. `INVALID_CREDENTIALS` for a wrong current password. */
  changePassword(
    input: { readonly currentPassword: string; readonly newPassword: string },
    options?: CallOptions,
  ): Promise<void>
  /** Lists the sessions of this user. */
  listSessions(options?: CallOptions): Promise<readonly SessionDescription[]>
  /** @param id of one session, or `others`. `NOT_FOUND`. */
  endSession(id: string, options?: CallOptions): Promise<void>
  /** Stops listening to other tabs; listeners are not called any more. */
  close(): void
}

/** What a user signs in with. */
export interface Credentials {
  readonly email: string
  readonly password: string
}

/** A person whom an administrator has invited. */
export type InvitedUser = InvitationResponse['invitation']

/** What an invited person accepts an invitation with. */
export interface InvitationAnswer {
  /** From the link in the mail. */
  readonly token: string
  readonly password: string
  /** Instead of the name in the invitation. */
  readonly name?: string
}

/** What a new account is made of. */
export interface SignUpInput extends Credentials {
  readonly name?: string
}

/**
 * Makes the accounts of one engine for one user: sign-up, sign-in and the session, which is renewed in time.
 *
 * @example
 * const auth = createAuth({ url, storage: browserStorage() })
 * const client = createClient({ url, session: auth })
 * await auth.signIn({ email, password })
 */
export function createAuth(options: AuthOptions): EngineAuth {
  const { storage = memoryStorage(), clock = Date.now } = options
  const transport = createTransport(options)
  const state = createSessionState(storage)
  const renewal = createRenewal({ state, storage, transport, clock })

  const post = async (path: string, body: unknown, { signal }: CallOptions = {}) =>
    transport({ method: 'POST', path, body, signal, isRepeatable: false })
  const ready = ({ signal }: CallOptions = {}) => untilAborted(state.ready, signal)
  const enter = async (path: string, body: unknown, options?: CallOptions): Promise<User> => {
    await ready(options)
    const answer = (await post(path, body, options)) as SessionResponse
    await state.change('signed-in', signedInBy(answer, clock()))
    return answer.user
  }
  const withToken = createTokenTransport({ transport, renewal, state })
  /** Reads the session again after a call that may have ended or changed it. The call succeeded, so a failure here is ignored. */
  const look = async ({ signal }: CallOptions = {}): Promise<void> => {
    if (state.current() === undefined) return
    await untilAborted(renewal.renew, signal).catch(() => undefined)
  }

  return {
    current: state.current,
    onChange: state.onChange,
    token: renewal.freshToken,
    refused: renewal.replaced,
    signUp: ({ email, password, name }, options) =>
      enter('/auth/sign-up', { email, password, name }, options),
    signIn: ({ email, password }, options) => enter('/auth/sign-in', { email, password }, options),
    signOut: async ({ signal } = {}) => {
      await ready({ signal })
      const before = state.current()
      if (before === undefined) return
      const path = '/auth/sign-out'
      try {
        // Ending a session twice does no harm: the second time it has already ended, which is the purpose.
        const call = { method: 'POST', path, signal, isRepeatable: true } as const
        await transport({ ...call, token: before.token })
      } catch (error) {
        if (!isUnauthorized(error)) throw error
      } finally {
        if (state.current()?.id === before.id) await state.change('signed-out', undefined)
      }
    },
    getSession: async (options = {}) => {
      await ready(options)
      return state.current() && untilAborted(renewal.renew, options.signal)
    },
    forgotPassword: async (input, options) => {
      await post('/auth/forgot-password', input, options)
    },
    resetPassword: async (input, options) => {
      await post('/auth/reset-password', input, options)
      await look(options)
    },
    verifyEmail: async (input, options) => {
      await post('/auth/verify-email', input, options)
      await look(options)
    },
    resendVerification: async (input, options) => {
      await post('/auth/resend-verification', input, options)
    },
    invitation: async ({ token }, options) => {
      const answer = await post('/auth/invitation', { token }, options)
      return (answer as InvitationResponse).invitation
    },
    acceptInvitation: ({ token, password, name }, options) =>
      enter('/auth/accept-invitation', { token, password, name }, options),
    changePassword: async (body, options) => {
      await withToken({ method: 'POST', path: '/auth/change-password', body }, options)
    },
    listSessions: async (options) => {
      const answer = await withToken({ method: 'GET', path: '/auth/sessions' }, options)
      return (answer as SessionsResponse).sessions
    },
    endSession: async (id, options) => {
      const path = `/auth/sessions/${encodeURIComponent(id)}`
      await withToken({ method: 'DELETE', path }, options)
      if (id !== 'others') await look(options)
    },
    close: state.close,
  }
}
