/** @module A statement by itself, with what its write is judged by. */
import type { IsolationLevel, ResultSet } from './adapter.ts'
import { withDeadline } from './execute/deadline.ts'
import type { PreparedPlan } from './prepare-plan.ts'
import type { ReadyStatement } from './run-query.ts'
import {
  isSerializationFailure,
  judgeBefore,
  judgeFailure,
  requireProposals,
  type Send,
  type TimeLimits,
} from './write-judgement.ts'

/** How often a transaction that sees one state is begun while others write in between. */
const mostAttempts = 4

/**
 * Runs a statement in a transaction of its own. Most writes are sent as they are. One that failed, or whose proposed rows
 * must be judged before it, runs in a transaction that sees one state if the judgement depends on rows.
 *
 * @param work sends the statement once.
 * @throws {GatewayError} what the caller may know of the failure.
 */
export async function runAlone(
  ready: ReadyStatement,
  work: (send: Send) => Promise<ResultSet>,
  limits: TimeLimits,
): Promise<ResultSet> {
  const { adapter, precheck, recheck } = ready.prepared
  const send: Send = (execution) => adapter.execute(execution)
  if (precheck === undefined && recheck === undefined) return work(send)
  const proposals = precheck?.()
  if (proposals === undefined || proposals.isPure || !proposals.isComplete) {
    await requireProposals(proposals, ready, send, limits)
    try {
      return await work(send)
    } catch (error) {
      const verdict = await judgeFailure(error, ready, send, limits, 'other')
      if (verdict.kind === 'error') throw verdict.error
    }
  }
  const { timeoutMs, signal: abandoned } = limits
  return withDeadline(timeoutMs, abandoned, (signal) =>
    inOneState(ready.prepared, (isolation) =>
      runJudged(ready, work, { timeoutMs, signal }, isolation),
    ),
  )
}

async function runJudged(
  ready: ReadyStatement,
  work: (send: Send) => Promise<ResultSet>,
  limits: TimeLimits,
  isolation: IsolationLevel,
): Promise<ResultSet> {
  const { adapter, precheck, checkFailure } = ready.prepared
  try {
    return await adapter.transaction({ ...limits, readOnly: false, isolation }, async (session) => {
      const send: Send = (execution) => session.execute(execution)
      await requireProposals(precheck?.(), ready, send, limits)
      await judgeBefore(ready, send, limits)
      return work(send)
    })
  } catch (error) {
    if (isSerializationFailure(error)) throw error
    const alone: Send = (execution) => adapter.execute(execution)
    const verdict = await judgeFailure(error, ready, alone, limits, 'judged')
    throw verdict.kind === 'error' ? verdict.error : checkFailure()
  }
}

/**
 * Runs a transaction in which every statement sees one state; runs it again while others write in between.
 *
 * @param prepared the checked write that needs it.
 * @throws {GatewayError} `checkFailed` where there is no such transaction, and when others write in between every time.
 */
export async function inOneState<T>(
  { adapter, checkFailure }: Pick<PreparedPlan, 'adapter' | 'checkFailure'>,
  transaction: (isolation: IsolationLevel) => Promise<T>,
): Promise<T> {
  const isolation = adapter.oneStateIsolation
  if (isolation === undefined) throw checkFailure()
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    try {
      return await transaction(isolation)
    } catch (error) {
      if (!isSerializationFailure(error)) throw error
    }
  }
  throw checkFailure()
}
