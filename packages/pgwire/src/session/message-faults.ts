/** @module Messages that are refused whatever they say, and what errors call a message. */
import { GatewayError } from '@engine/core'
import type { DuringMessage } from '../errors/routine-of.ts'
import { protocolViolation, wireError } from '../errors/wire-error.ts'
import type { FrontendMessage } from '../protocol/frontend-message.ts'

export function tooLarge({
  size,
  limit,
}: Extract<FrontendMessage, { readonly type: 'tooLarge' }>): GatewayError {
  const message = `a message of ${size} bytes is larger than the limit of ${limit}`
  return new GatewayError('payloadTooLarge', message, { sqlState: '54000' })
}

export function malformed({
  sqlState,
  reason,
}: Extract<FrontendMessage, { readonly type: 'malformed' }>): GatewayError {
  return sqlState === '08P01' ? protocolViolation(reason) : wireError(sqlState, reason)
}

export function functionCall(): GatewayError {
  return wireError('0A000', 'function calls by the protocol are not supported', 'unsupported')
}

export function duringOf(message: FrontendMessage): DuringMessage {
  switch (message.type) {
    case 'query':
    case 'parse':
    case 'bind':
    case 'execute':
      return message.type
    case 'describe':
      return `describe ${message.of}`
    default:
      return 'other'
  }
}
