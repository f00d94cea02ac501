import type { Refusal } from '@engine/contract/admin-api'
import type { GatewayError } from '../../foundation/errors.ts'

/** An error as data: the client's version in development and in production. Without its cause. */
export function refusalFrom(error: GatewayError): Refusal {
  const { status, code, message, publicMessage, details, sqlState, position } = error
  return { status, error: code, message, publicMessage, details, sqlState, position }
}
