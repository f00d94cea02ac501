/** @module For adapters: running statements on connections. */

// Plans of statements.

export { explainingStep } from '../compiler/plan/explaining-step.ts'
export type { PlanLineOptions } from '../compiler/plan/plan-options.ts'

// Executing statements.

export { abortable } from '../foundation/abortable.ts'
export { finishing, started } from '../foundation/finishing.ts'
export { unreachable } from '../foundation/unreachable.ts'
export { type Cancelling, cancelUntilEnded } from '../runtime/adapter/cancel-until-ended.ts'
export {
  type DeferredCommands,
  deferBegin,
  isReadCommitted,
} from '../runtime/adapter/deferred-begin.ts'
export {
  createArrayEncoder,
  createObjectEncoder,
  type EncodedColumn,
  type RowEncoder,
} from '../runtime/adapter/encode-row.ts'
export {
  createLatencyEstimate,
  type LatencyEstimate,
} from '../runtime/adapter/pipelines/latency-estimate.ts'
export { createPipelines, type Pipelines } from '../runtime/adapter/pipelines/pipelines.ts'
export type { Queued, QueueingSession } from '../runtime/adapter/pipelines/queueing-session.ts'
export { retryReads } from '../runtime/adapter/retry-reads.ts'
export { runTransaction, type TransactionCommands } from '../runtime/adapter/transaction-body.ts'
export {
  createWaitingLine,
  type Waiter,
  type WaitingLine,
} from '../runtime/adapter/waiting-line.ts'
export { createWatchdog, type Watchdog } from '../runtime/adapter/watchdog.ts'

// The service database on this kind of database.

export {
  type ServiceConnection,
  type ServiceDatabase,
  type ServiceDatabaseFactory,
  type ServiceDatabaseOptions,
  type ServiceResult,
  serviceStatementTimeoutMs,
  serviceWaitMs,
} from '../service/store/service-database.ts'
export type { StoreValue } from '../service/store/store.ts'
