/** @module Controls access to `/admin`: addresses of the allow-list, with the master key. */
import { isIP } from 'node:net'
import { GatewayError, type RateLimit, type RateLimiter } from '@engine/core'
import {
  addressKey,
  addressList,
  type Settings,
  secretMatcher,
  tooManyRequests,
} from '@engine/core/server'
import { bearerToken } from './bearer-token.ts'
import type { Call } from './route-handler.ts'
import { unauthorized } from './unauthorized.ts'

export interface AdminAccess {
  /**
   * @throws {GatewayError} `permissionDenied` (403) for an address that is not on the list, with any credential;
   * `rateLimited` (429) after too many wrong keys from it, `unauthorized` (401) without the master key.
   */
  check(call: Call): Promise<void>
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
): AdminAccess {
  const isMasterKey = secretMatcher(masterKey)
  const allowed = addressList(security.adminIpAllowlist)
  const isAllowed = (ip: string | undefined): boolean =>
    ip !== undefined && isIP(ip) !== 0 && allowed.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')

  return {
    check: async ({ request, client: { ip } }) => {
      if (!isAllowed(ip)) {
        throw new GatewayError('permissionDenied', `The address ${ip} may not reach /admin.`, {
          publicMessage: 'This address may not reach /admin.',
        })
      }
      const key = bearerToken(request)
      if (key === undefined) throw unauthorized('The master key is required as a bearer token.')
      const address = addressKey(ip)
      const tries = await limiter.peek(wrongKeys, address)
      if (!tries.isAllowed) throw tooManyRequests(tries)
      if (isMasterKey(key)) return
      await limiter.take(wrongKeys, address)
      throw unauthorized('The master key is wrong.')
    },
  }
}
