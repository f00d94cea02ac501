/** @module Runs a statement by itself, with the checks of its write. */

import { withAbortDeadline } from '../../foundation/deadline.ts'
import { started } from '../../foundation/finishing.ts'
import type { IsolationLevel, ResultSet } from '../adapter/adapter.ts'
import { inOneState } from './in-one-state.ts'
import type { AloneLimits, Runnable, TimeLimits, Work } from './runnable.ts'
import type { Sender } from './sender.ts'
import {
  classifyWriteError,
  isSerializationFailure,
  runPrecheck,
  runPrecheckInOneState,
  type Send,
} from './write-checks.ts'

/**
 * Runs a statement in a transaction of its own. Most writes are sent without further queries. A write that failed, or whose
 * proposed rows have to be checked first, runs in a transaction that sees one state if the check depends on rows. A write and the
 * queries that check it share the timeout of one statement.
 *
 * @throws {GatewayError} the error that the caller may know of.
 */
export function runAlone(
  sender: Sender,
  ready: Runnable,
  limits: AloneLimits,
  work: Work<ResultSet>,
): Promise<ResultSet> {
  return started(() => start(sender, ready, limits, work)).catch((error: unknown) => {
    throw ready.prepared.withReportedFacts(error)
  })
}

function start(
  sender: Sender,
  ready: Runnable,
  limits: AloneLimits,
  work: Work<ResultSet>,
): Promise<ResultSet> {
  const { precheck, recheck } = ready.prepared
  if (precheck !== undefined) {
    return withAbortDeadline(limits.timeoutMs, limits.signal, (signal) =>
      checked(sender, ready, { ...limits, signal }, work),
    )
  }
  return recheck === undefined
    ? sendAlone(sender, ready, limits, work)
    : checked(sender, ready, limits, work)
}

function sendAlone(
  sender: Sender,
  ready: Runnable,
  limits: AloneLimits,
  work: Work<ResultSet>,
): Promise<ResultSet> {
  const { adapter } = sender
  if (!limits.isUndone) return work(sender.sendTo(adapter, ready), limits)
  const { timeoutMs, signal } = limits
  return adapter.transaction({ timeoutMs, signal, readOnly: false }, (session) =>
    work(sender.sendTo(session, ready), limits),
  )
}

async function checked(
  sender: Sender,
  ready: Runnable,
  limits: AloneLimits,
  work: Work<ResultSet>,
): Promise<ResultSet> {
  const { adapter, traits } = sender
  const alone: Send = (execution) => adapter.execute(execution)
  const proposals = ready.prepared.precheck?.()
  if (proposals === undefined || proposals.isPure || !proposals.isComplete) {
    await runPrecheck(proposals, ready, alone, limits)
    try {
      return await sendAlone(sender, ready, limits, work)
    } catch (error) {
      const verdict = await classifyWriteError(error, ready, traits, alone, limits, 'other')
      if (verdict.kind === 'error') throw verdict.error
    }
  }
  const { timeoutMs, signal: abandoned } = limits
  return withAbortDeadline(timeoutMs, abandoned, (signal) =>
    inOneState(traits, ready, (isolation) =>
      runJudged(sender, ready, { timeoutMs, signal }, isolation, work),
    ),
  )
}

/** The check is evaluated before the write, in the state that the write sees. */
async function runJudged(
  sender: Sender,
  ready: Runnable,
  limits: TimeLimits,
  isolation: IsolationLevel,
  work: Work<ResultSet>,
): Promise<ResultSet> {
  const { adapter, traits } = sender
  const { precheck, checkFailure } = ready.prepared
  try {
    return await adapter.transaction({ ...limits, readOnly: false, isolation }, async (session) => {
      const within: Send = (execution) => session.execute(execution)
      await runPrecheck(precheck?.(), ready, within, limits)
      await runPrecheckInOneState(ready, within, limits)
      return work(sender.sendTo(session, ready), limits)
    })
  } catch (error) {
    if (isSerializationFailure(error)) throw error
    const alone: Send = (execution) => adapter.execute(execution)
    const verdict = await classifyWriteError(error, ready, traits, alone, limits, 'judged')
    throw verdict.kind === 'error' ? verdict.error : checkFailure()
  }
}
