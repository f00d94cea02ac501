/** @module Processes of one machine that serve the same configuration on the same ports: any of them gets a request. */
import type { Engine } from '@engine/core'
import type { PoolState } from '@engine/core/adapter'
import type { SharedRateLimiter } from '@engine/core/server'
import type { PgWireLoad, PgWireSession, PgWireSiblings } from '@engine/core/session'
import type { ActivityReport } from '../metrics/activity.ts'
import type { MetricsText } from '../metrics/metrics.ts'

/** The other processes, as one of them sees them. */
export interface Siblings {
  /** The number of this process, from 1 on. */
  readonly worker: number
  /** Counts of requests that all of them share. */
  readonly counts: SharedRateLimiter
  readonly pgWire: PgWireSiblings
  /** The metrics of all processes, this one included, added up. */
  renderMetrics(): Promise<MetricsText>
  /** The states of all processes, this one included, by their numbers. */
  states(): Promise<readonly WorkerState[]>
  /** What all processes did in the last hour, this one included. */
  activities(): Promise<readonly ActivityReport[]>
  /** The sessions of the wire protocol of all processes, this one included. */
  wireSessions(): Promise<readonly WorkerSession[]>
  /** The others read the catalogs of their databases again. */
  refreshCatalogs(): Promise<void>
}

/** The state of one process. */
export interface ProcessState {
  readonly startedAt: string
  readonly uptimeSeconds: number
  readonly load: ReturnType<Engine['load']>
  readonly pgWire: PgWireLoad | null
  readonly cachedPlans: number
  /** By connection. */
  readonly pools: Readonly<Record<string, PoolState>>
}

/** The state of one worker process. */
export interface WorkerState extends ProcessState {
  readonly worker: number
  readonly pid: number
}

/** A session of the wire protocol, and the number of the process that has it. */
export interface WorkerSession extends PgWireSession {
  readonly worker: number
}

/** @returns a function that reads the state of this process, which starts now. */
export function processState(
  engine: Pick<Engine, 'load' | 'pgWireLoad' | 'cachedPlans' | 'pools'>,
  clock: () => number,
): () => ProcessState {
  const startedAtMs = clock()
  return () => ({
    startedAt: new Date(startedAtMs).toISOString(),
    uptimeSeconds: Math.max(0, Math.floor((clock() - startedAtMs) / 1_000)),
    load: engine.load(),
    pgWire: engine.pgWireLoad() ?? null,
    cachedPlans: engine.cachedPlans(),
    pools: Object.fromEntries(engine.pools()),
  })
}
