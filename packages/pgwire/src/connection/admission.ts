/** @module Checks before every statement: rate limits, and that the credential is still valid. */

import { GatewayError } from '@engine/core'
import { type Authenticated, type ClientInfo, originOf, recordDenial } from '@engine/core/server'
import type { ClientSession, PgWireServerOptions } from '@engine/core/session'
import type { Login } from '../startup/credentials.ts'

export interface AdmissionOptions
  extends Pick<PgWireServerOptions, 'requestLimits' | 'audit' | 'clock'> {
  readonly login: Login
  /** Applies the current rights of the credential. */
  readonly session: Pick<ClientSession, 'become' | 'configuration'>
  readonly info: ClientInfo
}

/** A credential is checked again after this many milliseconds. */
const trustedForMs = 1_000

/**
 * Creates `WireSessionOptions.admit`. Without limits, and with a recently checked credential, it returns at once.
 */
export function createAdmission(
  options: AdmissionOptions,
): (isFree: boolean) => Promise<void> | undefined {
  const { login, session, info, requestLimits, audit, clock } = options
  const { renew } = login
  let current: Authenticated = login.authenticated
  let seenAtMs = clock()
  /** The configuration under which the rights were read. */
  let seenUnder = session.configuration()

  const isExpired = (nowMs: number): boolean =>
    current.expiresAtMs !== undefined && nowMs >= current.expiresAtMs
  const isDue = (nowMs: number): boolean =>
    isExpired(nowMs) ||
    (renew !== undefined &&
      (nowMs - seenAtMs >= trustedForMs || session.configuration() !== seenUnder))

  const lookAgain = async (nowMs: number) => {
    while (renew !== undefined) {
      seenUnder = session.configuration()
      current = await renew()
      if (session.configuration() === seenUnder) break
    }
    if (renew !== undefined) session.become(current.caller, current.credentialId)
    if (isExpired(nowMs)) {
      throw new GatewayError('unauthorized', 'The credential has expired.', { sqlState: '28000' })
    }
    seenAtMs = nowMs
  }

  const admit = async (nowMs: number, isFree: boolean): Promise<void> => {
    try {
      if (!isFree) await requestLimits.ofClient(info)
      if (isDue(nowMs)) await lookAgain(nowMs)
      if (!isFree) await requestLimits.ofCaller(current.caller, info)
    } catch (error) {
      if (audit !== undefined && error instanceof GatewayError) {
        const { correlationId, ip } = info
        const { credentialId, caller } = current
        const origin = originOf({ correlationId, ip, via: 'pgwire', credentialId }, caller)
        await recordDenial(audit, error, { origin })
      }
      throw error
    }
  }

  return (isFree) => {
    const nowMs = clock()
    const isCounted = requestLimits.isActive && !isFree
    return isCounted || isDue(nowMs) ? admit(nowMs, isFree) : undefined
  }
}
