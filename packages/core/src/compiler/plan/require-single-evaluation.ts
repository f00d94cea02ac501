import { GatewayError } from '../../foundation/errors.ts'
import type { CompiledStatement } from './plan.ts'

/**
 * Refuses a write that evaluates a volatile expression of the client twice: the stored rows could differ from the found or
 * checked ones.
 *
 * @throws {GatewayError} `unsupported` (400, SQLSTATE 0A000)
 */
export function requireSingleEvaluation({ isWrite, steps }: CompiledStatement): void {
  if (!isWrite) return
  const evaluated = new Set<number>()
  for (const { volatileCalls = [] } of steps) {
    for (const call of volatileCalls) {
      if (evaluated.has(call)) throw evaluatedTwice(call)
      evaluated.add(call)
    }
  }
}

function evaluatedTwice(position: number): GatewayError {
  return new GatewayError(
    'unsupported',
    'a volatile function here is not supported: the write would evaluate it more than once on this database',
    { sqlState: '0A000', ...(position > 0 ? { position } : {}) },
  )
}
