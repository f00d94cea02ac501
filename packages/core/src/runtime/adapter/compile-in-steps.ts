import type { AuthorizedStatement } from '../../compiler/permissions/authorize/authorized.ts'
import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import { runSteps, type Steps } from '../../foundation/steps.ts'
import type { Compile } from './adapter.ts'

/** The `compile` of an adapter that compiles in steps. */
export function compileOf(
  inSteps: (statement: AuthorizedStatement) => Steps<CompiledStatement>,
): Compile {
  return Object.assign((statement: AuthorizedStatement) => runSteps(inSteps(statement)), {
    inSteps,
  })
}

/** Compiles in steps, or in one where the adapter knows no others. @throws {GatewayError} as `Compile`. */
export function* compileInSteps(
  adapter: { readonly compile: Compile },
  statement: AuthorizedStatement,
): Steps<CompiledStatement> {
  const steps = adapter.compile.inSteps?.(statement)
  return steps === undefined ? adapter.compile(statement) : yield* steps
}
