/** @module EXPLAIN: the plan of a database, which depends on all rows. */
import type { PlanLineOptions } from '../../compiler/plan/plan-options.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { Compiler } from '../guard/guarded-adapter.ts'
import type { TimeLimits } from '../guard/runnable.ts'
import type { ReadyStatement } from './run-query.ts'

/** The most lines of a plan. */
export const maxPlanLines = 100_000

/**
 * Refuses plans that the caller may not see, and those that the database does not have.
 *
 * @param isUnrestricted the caller may see and do everything
 * @throws {GatewayError} `unsupported`
 */
export function requirePlans(
  { planLines, analyze, traits: { planFormats } }: Compiler,
  { format, isAnalyzed = false, named = {} }: PlanLineOptions,
  isUnrestricted: boolean,
): void {
  if (!isUnrestricted) {
    throw unsupported('its plans are only for callers who may see and do everything')
  }
  if (planLines === undefined) throw unsupported('the database tells no plans')
  if (!planFormats.includes(format)) {
    throw unsupported(`the database has its plans as ${planFormats.join(', ')} only`)
  }
  if (analyze !== undefined) return
  if (isAnalyzed) throw unsupported('the database does not measure a plan, leave out ANALYZE')
  const [detail] = Object.entries(named).flatMap(([name, isOn]) => (isOn ? [name] : []))
  if (detail !== undefined) throw unsupported(`the database has no ${detail.toUpperCase()}`)
}

/**
 * The plan of a statement, which does not run.
 *
 * @param place where the database is asked: the adapter of the statement, or a transaction of it
 */
export async function planLinesOf(
  { prepared: { adapter, plan }, values }: ReadyStatement,
  limits: TimeLimits,
  options: PlanLineOptions,
  place: Pick<Compiler, 'planLines'> = adapter,
): Promise<readonly string[]> {
  const execution = { values, rowShape: 'array', maxRows: maxPlanLines, ...limits } as const
  const plans = await place.planLines?.({ ...execution, statement: plan.compiled }, options)
  return plans?.flat() ?? []
}

/** The statement with its plan as rows. It runs as the read or write that it is. */
export function analyzedStatement(ready: ReadyStatement, options: PlanLineOptions): ReadyStatement {
  const { prepared } = ready
  const { adapter, plan } = prepared
  const compiled = adapter.analyze?.(plan.compiled, options) ?? plan.compiled
  return { ...ready, prepared: { ...prepared, plan: { ...plan, compiled } } }
}

function unsupported(reason: string): GatewayError {
  return new GatewayError('unsupported', `EXPLAIN is not supported: ${reason}`, {
    sqlState: '0A000',
  })
}
