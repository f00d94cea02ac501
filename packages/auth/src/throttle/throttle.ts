/** @module Rate limits of the auth routes. */
import { hash } from 'node:crypto'
import type { RateLimiter } from '@engine/core'
import { addressKey, type ClientInfo, type ThrottleSettings } from '@engine/core/server'
import type { Store } from '@engine/core/store'
import { createPasswordThrottle, type PasswordThrottle } from './password-throttle.ts'
import { namedLimit, takeOrRefuse, tooMany } from './refusal.ts'

/** Methods throw `rateLimited` (429), with `rate`, when the calls are too frequent. */
export interface Throttle {
  readonly passwords: PasswordThrottle
  signUp(client: ClientInfo): Promise<void>
  /** @param emailGiven known or not: both are counted in the same way. */
  forgotPassword(client: ClientInfo, emailGiven: string): Promise<void>
  /** A mail that an action sends. @param emailGiven known or not: both are counted in the same way. */
  invitation(emailGiven: string): Promise<void>
  /** Called before a one-time token is looked up. */
  token(client: ClientInfo): Promise<void>
  tokenFailed(client: ClientInfo): Promise<void>
}

export interface ThrottleOptions {
  /** undefined: switched off. */
  readonly settings: ThrottleSettings | undefined
  readonly limiter: RateLimiter
  readonly store: Store
  readonly clock: () => number
}

export function createThrottle({ settings, limiter, store, clock }: ThrottleOptions): Throttle {
  if (settings === undefined) return unlimited
  const signUpPerIp = namedLimit('sign-up-ip', settings.signUpPerIp)
  const forgotPasswordPerIp = namedLimit('forgot-ip', settings.forgotPasswordPerIp)
  const forgotPasswordPerEmail = namedLimit('forgot-email', settings.forgotPasswordPerEmail)
  const invitationsPerEmail = namedLimit('invite-email', settings.forgotPasswordPerEmail)
  const tokenFailuresPerIp = namedLimit('token-ip', settings.tokenFailuresPerIp)
  return {
    passwords: createPasswordThrottle({ settings, limiter, store, clock }),
    signUp: (client) => takeOrRefuse(limiter, signUpPerIp, addressKey(client.ip)),
    forgotPassword: async (client, emailGiven) => {
      await takeOrRefuse(limiter, forgotPasswordPerIp, addressKey(client.ip))
      await takeOrRefuse(limiter, forgotPasswordPerEmail, emailHash(emailGiven))
    },
    invitation: (emailGiven) => takeOrRefuse(limiter, invitationsPerEmail, emailHash(emailGiven)),
    token: async (client) => {
      const decision = await limiter.peek(tokenFailuresPerIp, addressKey(client.ip))
      if (!decision.isAllowed) throw tooMany(decision)
    },
    tokenFailed: async (client) => {
      await limiter.take(tokenFailuresPerIp, addressKey(client.ip))
    },
  }
}

function emailHash(email: string): string {
  return hash('sha256', email, 'base64url')
}

const nothing = async (): Promise<void> => undefined

const unlimited: Throttle = {
  passwords: {
    begin: async () => ({ failed: nothing, succeeded: nothing, abandoned: () => undefined }),
    forgive: nothing,
  },
  signUp: nothing,
  forgotPassword: nothing,
  invitation: nothing,
  token: nothing,
  tokenFailed: nothing,
}
