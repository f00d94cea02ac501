import { GatewayError } from '@engine/core'

/** 401; production reveals no more than that. */
export function unauthorized(message: string, cause?: unknown): GatewayError {
  return new GatewayError('unauthorized', message, {
    publicMessage: 'A valid bearer token is required.',
    sqlState: '28000',
    cause,
  })
}
