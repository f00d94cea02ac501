import type { AuthAdmin } from '@engine/auth'
import { GatewayError } from '@engine/core'
import type { AdminOptions } from './admin-options.ts'

/** @throws {GatewayError} `notFound` (404) where there are no accounts. */
export function accounts({ auth }: AdminOptions): AuthAdmin {
  if (auth === undefined) {
    throw new GatewayError('notFound', 'There are no accounts: `auth` is not configured here.')
  }
  return auth.admin
}
