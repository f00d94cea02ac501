/** @module Runs a statement of a transaction that continues after it: a client's, or an action's. */

import { GatewayError } from '../../foundation/errors.ts'
import type { IsolationLevel, ResultSet, Session } from '../adapter/adapter.ts'
import type { Runnable, TimeLimits, Work } from './runnable.ts'
import { withSavepoint } from './savepoint-guard.ts'
import type { Sender } from './sender.ts'
import { classifyWriteError, runPrecheck, type Send, seesOneState } from './write-checks.ts'

export interface WithinOptions {
  readonly session: Session
  /** Level of the transaction. */
  readonly isolation: IsolationLevel | undefined
  readonly limits: TimeLimits
}

/** @throws {GatewayError} the error that the caller may know of. */
export async function runWithin(
  sender: Sender,
  ready: Runnable,
  { session, isolation, limits }: WithinOptions,
  work: Work<ResultSet>,
): Promise<ResultSet> {
  const { traits } = sender
  const { precheck, recheck, checkFailure, withReportedFacts } = ready.prepared
  const state = seesOneState(traits, isolation) ? 'same' : 'other'
  const within: Send = (execution) => session.execute(execution)
  const proposals = precheck?.()
  // The rows that such a write proposes may have changed by the time it runs.
  if (proposals?.isPure === false && state === 'other') throw unjudgeable()
  const send = async () => {
    await runPrecheck(proposals, ready, within, limits)
    return work(sender.sendTo(session, ready), limits)
  }
  const judge = async (error: unknown) => {
    const verdict = await classifyWriteError(error, ready, traits, within, limits, state)
    return verdict.kind === 'error' ? verdict.error : checkFailure()
  }
  try {
    return await withSavepoint(session, recheck !== undefined, send, judge)
  } catch (error) {
    throw withReportedFacts(error)
  }
}

function unjudgeable(): GatewayError {
  return new GatewayError(
    'unsupported',
    'ON CONFLICT with a check that depends on rows is not supported at this isolation level: begin the transaction with ISOLATION LEVEL SERIALIZABLE',
    { sqlState: '0A000' },
  )
}
