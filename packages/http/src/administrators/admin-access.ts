/** @module Controls access to `/admin`: addresses of the allow-list, with the master key or a session opened with it. */
import { isIP } from 'node:net'
import { GatewayError, type RateLimit, type RateLimiter } from '@engine/core'
import {
  addressKey,
  addressList,
  type Settings,
  secretMatcher,
  tooManyRequests,
} from '@engine/core/server'
import { bearerToken } from '../admission/bearer-token.ts'
import { unauthorized } from '../admission/unauthorized.ts'
import type { Call } from '../route-handler.ts'
import { isBackground, requireOwnPage, sessionToken } from './admin-cookie.ts'
import type { AdminSession, AdminSessions } from './admin-sessions.ts'

export interface AdminAccess {
  /**
   * @returns the session; undefined for the master key itself.
   * @throws {GatewayError} `permissionDenied` (403) for an address that is not on the list, with any credential;
   * `rateLimited` (429) after too many wrong keys from it, `unauthorized` (401) without the master key.
   */
  check(call: Call): Promise<AdminSession | undefined>
  /** The address alone, for files that hold no data. @throws {GatewayError} `permissionDenied` (403). */
  checkAddress(call: Call): void
  /** The address and this key. @throws as `check`. */
  checkKey(call: Call, key: string): Promise<void>
}

/**
 * A key of 32 bytes cannot be guessed; this limit stops clients that try. It is high enough that a script with an old key
 * does not lock out all other clients with the same address.
 */
const wrongKeys: RateLimit = {
  name: 'admin-wrong-key-ip',
  limit: 100,
  periodMs: 15 * 60_000,
  whenAway: 'count-locally',
}

/** May this address reach `/admin`? An unknown one may not. */
export function isAllowedAddress(
  { adminIpAllowlist }: Pick<Settings['security'], 'adminIpAllowlist'>,
  ip: string | undefined,
): boolean {
  if (ip === undefined || isIP(ip) === 0) return false
  return addressList(adminIpAllowlist).check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

export function createAdminAccess(
  { masterKey, security }: Pick<Settings, 'masterKey' | 'security'>,
  limiter: RateLimiter,
  sessions: Pick<AdminSessions, 'find'>,
): AdminAccess {
  const isMasterKey = secretMatcher(masterKey)
  const allowed = addressList(security.adminIpAllowlist)
  const isAllowed = (ip: string | undefined): ip is string =>
    ip !== undefined && isIP(ip) !== 0 && allowed.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')

  const allowedAddress = ({ client: { ip } }: Call): string => {
    if (isAllowed(ip)) return ip
    throw new GatewayError('permissionDenied', `The address ${ip} may not reach /admin.`, {
      publicMessage: 'This address may not reach /admin.',
    })
  }

  const checkKey = async (call: Call, key: string): Promise<void> => {
    const address = addressKey(allowedAddress(call))
    const tries = await limiter.peek(wrongKeys, address)
    if (!tries.isAllowed) throw tooManyRequests(tries)
    if (isMasterKey(key)) return
    await limiter.take(wrongKeys, address)
    throw unauthorized('The master key is wrong.')
  }

  return {
    checkKey,
    checkAddress: (call) => void allowedAddress(call),
    check: async (call) => {
      const { request } = call
      allowedAddress(call)
      const key = bearerToken(request)
      if (key !== undefined) {
        await checkKey(call, key)
        return undefined
      }
      const token = sessionToken(request)
      if (token === undefined) throw unauthorized('The master key is required as a bearer token.')
      requireOwnPage(request)
      const session = await sessions.find(token, !isBackground(request))
      if (session === undefined) throw unauthorized('The session has ended.')
      return session
    },
  }
}
