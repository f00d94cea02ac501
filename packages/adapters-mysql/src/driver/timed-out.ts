import { GatewayError } from '@engine/core/adapter'

/** A statement that was stopped because its time was up. */
export function timedOut(cause: unknown): GatewayError {
  return new GatewayError('queryTimeout', 'The query took too long.', { cause, sqlState: '57014' })
}
