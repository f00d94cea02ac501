/** @module Ends sessions that send nothing for too long. */
import type { PgWireSettings } from '@engine/core/server'
import type { ErrorFields } from '../protocol/message-writer.ts'
import type { ConnectionSession } from './connection-session.ts'
import { fatal } from './fatal.ts'

/** How long a session may send nothing, at most. */
export type IdleLimits = Pick<PgWireSettings, 'idleSessionTimeoutMs' | 'idleInTransactionTimeoutMs'>

/** How long a session has been idle, and how long it may be. */
export interface IdleSession {
  readonly loop: Pick<ConnectionSession['loop'], 'isBusy' | 'idleSinceMs'>
  readonly settings: Pick<
    ConnectionSession['settings'],
    'idleSessionTimeoutMs' | 'idleInTransactionTimeoutMs'
  >
  readonly status: ConnectionSession['status']
}

/**
 * The reason why a session ends now, if it does: the maximum of the configuration, or the limit of the session itself.
 */
export function idleEnd(
  { loop, settings, status }: IdleSession,
  limits: IdleLimits,
  nowMs: number,
): ErrorFields | undefined {
  if (loop.isBusy()) return undefined
  const idleMs = nowMs - loop.idleSinceMs()
  if (status() === 'I') {
    return idleMs >= shorter(limits.idleSessionTimeoutMs, settings.idleSessionTimeoutMs())
      ? fatal('57P05', 'terminating connection due to idle-session timeout')
      : undefined
  }
  return idleMs >= shorter(limits.idleInTransactionTimeoutMs, settings.idleInTransactionTimeoutMs())
    ? fatal('25P03', 'terminating connection due to idle-in-transaction timeout')
    : undefined
}

function shorter(first: number | undefined, second: number | undefined): number {
  return Math.min(first ?? Infinity, second ?? Infinity)
}
