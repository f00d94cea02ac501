import {
  type AuthorizedStatement,
  type CompiledStatement,
  GatewayError,
  isWrite,
  mayOutlastItself,
  nextValuesOf,
  type PlanStep,
  type Query,
  renderSql,
  type Write,
} from '@engine/core/adapter'
import { noNumbersOf } from './drawn-numbers.ts'
import { nativeStatement } from './native-statement.ts'
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
  const { steps, columns } = printStatement(statement, serverVersion)
  return nativeStatement(
    {
      steps: steps.map(nativeStep),
      columns,
      isWrite: writes(statement.body) || nextValuesOf(statement).length > 0,
      belongsToTransaction: mayOutlastItself(statement),
      noNumbers: noNumbersOf(statement),
    },
    statement.connection.types,
  )
}

function nativeStep({ sql, ...outcome }: PrintedStep): PlanStep {
  const { text, parameters, volatileCalls } = renderSql(sql, { kind: 'numbered', prefix: '$' })
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
