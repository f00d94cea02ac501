/** @module Runs a planned statement: in the open transaction, otherwise in its own. */

import { afterWrite } from '../../foundation/adapter-errors.ts'
import type { GatewayError } from '../../foundation/errors.ts'
import type { ResultSet, RowReceiver } from '../adapter/adapter.ts'
import type { Work } from '../guard/runnable.ts'
import { withSlot } from '../limits/with-slot.ts'
import type { PreparedPlan } from '../prepare/prepare-plan.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import { placeOf, type ReadyStatement } from '../query/run-query.ts'
import { answeredWithin } from './answer-guard.ts'
import { deliverRows } from './deliver-rows.ts'
import type { SessionState } from './session-state.ts'
import type { ClientTransaction } from './session-transaction.ts'

/** The receiver of a statement's rows, and how many it gets. */
export interface Delivery {
  readonly receiver: RowReceiver
  readonly maxRows: number
  /** Makes the error for more rows; undefined leaves them out. */
  readonly tooMany: (() => GatewayError) | undefined
}

export function runReady(
  state: SessionState,
  environment: QueryEnvironment,
  ready: ReadyStatement,
  delivery: Delivery,
  signal: AbortSignal | undefined,
): Promise<ResultSet> {
  const transaction = state.open?.transaction
  if (transaction !== undefined && !isIndependent(ready.prepared, transaction)) {
    return runWithin(transaction, environment, ready, delivery, signal)
  }
  const isUndone = delivery.tooMany !== undefined && ready.prepared.mayReturnTooMany
  const work = deliverTo(delivery, ready)
  return runByItself(state, environment, ready, { isUndone, work }, signal)
}

/** Runs in its turn, with the remaining time. */
export function runByItself(
  { caller, origin }: SessionState,
  { concurrency, settings }: QueryEnvironment,
  ready: ReadyStatement,
  { isUndone, work }: { readonly isUndone: boolean; readonly work: Work<ResultSet> },
  signal: AbortSignal | undefined,
): Promise<ResultSet> {
  const { queryTimeoutMs: timeoutMs } = settings.limits
  const place = placeOf(ready, caller, { origin })
  return withSlot(concurrency, place, { timeoutMs, signal }, (limits) =>
    ready.prepared.adapter.runAlone(ready, { ...limits, isUndone }, work),
  )
}

/** Reads no table: it must not decide on which connection the transaction begins. */
export function isIndependent(
  { plan: { tables, connection }, isLasting }: PreparedPlan,
  transaction: ClientTransaction,
): boolean {
  return tables.length === 0 && !isLasting && !transaction.isOn(connection)
}

function runWithin(
  transaction: ClientTransaction,
  { settings }: QueryEnvironment,
  ready: ReadyStatement,
  delivery: Delivery,
  signal: AbortSignal | undefined,
): Promise<ResultSet> {
  const limits = { timeoutMs: settings.limits.queryTimeoutMs, signal }
  return transaction.use(
    ready.prepared,
    (session) => session.run(ready, limits, deliverTo(delivery, ready)),
    signal,
  )
}

/** Time spent waiting for a slow reader does not count as the statement's. */
function deliverTo(
  { receiver, maxRows, tooMany }: Delivery,
  { prepared }: ReadyStatement,
): Work<ResultSet> {
  const delivered = (result: ResultSet): ResultSet => {
    if (result.truncated && tooMany !== undefined) throw tooMany()
    return result
  }
  return (send, limits) =>
    answeredWithin(limits.timeoutMs, receiver, (watched) =>
      send({ rowShape: 'cells', receiver: watched, maxRows, ...limits }),
    ).then((result) => {
      if (result.rows.length === 0) return delivered(result)
      return deliverRows(result, receiver).then(
        () => delivered(result),
        (error: unknown) => {
          throw prepared.isLasting ? afterWrite(error) : error
        },
      )
    })
}
