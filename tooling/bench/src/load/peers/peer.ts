import type { LoadRequest } from '../send-requests.ts'
import type { WorkloadName } from '../workloads.ts'

/** A row of an answer, by column. Sums by group have the columns `status`, `count` and `sum`. */
export type Row = Readonly<Record<string, unknown>>

/** Another library that serves a database to callers with row rules. */
export interface Peer {
  /** Of its module in `tooling/bench/peers`. */
  readonly name: string
  readonly title: string
  /** Its package, which names its version. */
  readonly packageName: string
  /** Workloads that it has no request for, each with the reason. */
  readonly leftOut: Readonly<Partial<Record<WorkloadName, string>>>
  /** The request of a workload in the peer's own form. */
  requestOf(workload: WorkloadName, params: Params): LoadRequest
  /** The rows of an answer; none where it was refused. */
  rowsOf(workload: WorkloadName, answer: unknown): readonly Row[]
}

/** The values of a workload's statement. */
export type Params = readonly (number | string)[]
