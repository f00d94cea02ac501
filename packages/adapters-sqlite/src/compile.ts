import { type AuthorizedStatement, type CompiledStatement, GatewayError } from '@engine/core'

export function compile(_statement: AuthorizedStatement): CompiledStatement {
  throw new GatewayError('unsupported', 'the compiler is not there yet')
}
