import type { AuthorizedStatement } from '../../compiler/permissions/authorize/authorized.ts'
import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import type { Steps } from '../../foundation/steps.ts'
import type { Adapter } from './adapter.ts'

/** Compiles in steps; an adapter that only has `compile` does so in one step. @throws {GatewayError} as `Adapter.compile`. */
export function* compileInSteps(
  adapter: Pick<Adapter, 'compile' | 'compileInSteps'>,
  statement: AuthorizedStatement,
): Steps<CompiledStatement> {
  const steps = adapter.compileInSteps?.(statement)
  return steps === undefined ? adapter.compile(statement) : yield* steps
}
