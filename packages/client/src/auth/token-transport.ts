/** @module Requests with the token of the session: where it is refused, it is replaced and the request is sent once more. */
import type { CallOptions } from '../client.ts'
import type { Transport } from '../transport/transport.ts'
import { untilAborted } from '../transport/until-aborted.ts'
import { isUnauthorized, type Renewal } from './renewal.ts'
import type { SessionState } from './session-state.ts'

export interface TokenTransportOptions {
  readonly transport: Transport
  readonly renewal: Pick<Renewal, 'freshToken' | 'replaced'>
  readonly state: Pick<SessionState, 'current'>
}

/** A request to the routes of accounts. */
export interface TokenCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/** @returns the answer's body. @throws {EngineError} */
export type TokenTransport = (call: TokenCall, options?: CallOptions) => Promise<unknown>

export function createTokenTransport(options: TokenTransportOptions): TokenTransport {
  const { transport, renewal, state } = options
  return async (call, { signal } = {}) => {
    const isRepeatable = call.method === 'GET'
    const token = await untilAborted(renewal.freshToken, signal)
    try {
      return await transport({ ...call, token, signal, isRepeatable })
    } catch (error) {
      const isRefused = token !== undefined && isUnauthorized(error)
      if (!isRefused || !(await untilAborted(() => renewal.replaced(token), signal))) throw error
      return transport({ ...call, token: state.current()?.token, signal, isRepeatable })
    }
  }
}
