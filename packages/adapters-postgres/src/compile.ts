import {
  type AuthorizedStatement,
  type CompiledStatement,
  GatewayError,
  type PlanStep,
} from '@engine/core/adapter'
import { renderInSteps, runSteps, type Steps } from '@engine/core/print'
import {
  isPlainInsert,
  isWrite,
  mayOutlastItself,
  nextValuesOf,
  type Query,
  type Write,
} from '@engine/core/tree'
import { noNumbersOf } from './driver/drawn-numbers.ts'
import { nativeStatement } from './driver/native-statement.ts'
import { printStatement } from './print/print-statement.ts'
import type { PrintedStep } from './print/printed-step.ts'

/** The protocol has 16 bits for the number of parameters. */
const mostParameters = 65_535

/**
 * Compiles one native statement. Pure.
 *
 * @param serverVersion as in `server_version_num`; undefined = the newest one
 */
export function compileStatement(
  statement: AuthorizedStatement,
  serverVersion: number | undefined = undefined,
): CompiledStatement {
  return runSteps(compileInSteps(statement, serverVersion))
}

/** The same in steps: the outputs of a SELECT are printed one by one, and the text is written piece by piece. */
export function* compileInSteps(
  statement: AuthorizedStatement,
  serverVersion: number | undefined,
): Steps<CompiledStatement> {
  const { steps: printed, columns } = yield* printStatement(statement, serverVersion)
  const steps: PlanStep[] = []
  for (const step of printed) steps.push(yield* nativeStep(step))
  yield
  return nativeStatement(
    {
      steps,
      columns,
      isWrite: writes(statement.body) || nextValuesOf(statement).length > 0,
      isPlainInsert: isPlainInsert(statement),
      belongsToTransaction: mayOutlastItself(statement),
      noNumbers: noNumbersOf(statement),
    },
    statement.connection.types,
  )
}

function* nativeStep({ sql, ...outcome }: PrintedStep): Steps<PlanStep> {
  const placeholders = { kind: 'numbered', prefix: '$' } as const
  const { text, parameters, volatileCalls } = yield* renderInSteps(sql, placeholders)
  if (parameters.length > mostParameters) {
    throw new GatewayError('limitExceeded', 'The statement has too many values.', {
      sqlState: '54000',
    })
  }
  return { sql: text, parameters, volatileCalls, ...outcome }
}

function writes(body: Query | Write): boolean {
  return isWrite(body) || body.ctes.some(({ query }) => isWrite(query))
}
