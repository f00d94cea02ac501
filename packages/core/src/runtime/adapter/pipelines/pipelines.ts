/**
 * @module Pipelines short reads on few connections: the statements of one turn of the event loop are sent in a few
 * writes, and the answers arrive in a few reads.
 */
import type { Execution, ResultSet } from '../adapter.ts'
import type { LatencyEstimate } from './latency-estimate.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'
import type { QueueingSession } from './queueing-session.ts'

/** Connections that short reads share: statements are sent without waiting for the answers before them. */
export interface Pipelines {
  /**
   * Runs a statement on a shared connection, after others.
   *
   * @param latency of the statement; undefined where it may not share a connection.
   * @returns undefined where it needs its own connection; a promise of undefined where that turns out later.
   * @throws {GatewayError} the database's error.
   */
  run(
    execution: Execution,
    latency: LatencyEstimate | undefined,
  ): Promise<ResultSet | undefined> | undefined
  /** Accepts no more statements on the current connections. */
  renew(): void
  /** Accepts no more statements. */
  close(): void
}

export interface PipelinesOptions<Session> {
  /** Maximum connections. */
  readonly most: number
  /** A session for statements with this limit. */
  readonly acquire: (timeoutMs: number) => Promise<Session>
  readonly release: (session: Session) => void
  /** Maps an error of a session. */
  readonly toError: (error: unknown) => unknown
  /** Connections in use, including those of pipelines. */
  readonly busy: () => number
}

/** With fewer concurrent statements, each has its own connection. */
const leastUnderWay = 4

/** Tiny statements of one turn of the event loop that share a write, and the server's read. */
const mostPerWrite = 8

/** Interval of the checks of pipelines, in milliseconds. */
const checkMs = 25

/** Milliseconds for which a pipeline without statements is kept. */
const keepMs = 200

/**
 * Pipelines short reads on sessions of a pool.
 *
 * @example
 * const shared = pipelines.run(execution, latencyOf(execution.statement))
 * const result = (await shared) ?? (await runAlone(execution))
 */
export function createPipelines<Answer, Session extends QueueingSession<Answer>>(
  options: PipelinesOptions<Session>,
): Pipelines {
  const { most, acquire, release, toError, busy } = options
  const pipelines = new Set<Pipeline>()
  let isOpening = false
  let isClosed = false
  let isWatching = false

  const watch = () => {
    for (const pipeline of pipelines) {
      pipeline.check()
      if (pipeline.load() === 0 && pipeline.quietMs() > keepMs) pipeline.end()
    }
    isWatching = pipelines.size > 0
    if (isWatching) setTimeout(watch, checkMs).unref()
  }
  const add = (session: Session, timeoutMs: number) => {
    const pipeline = createPipeline(session, {
      timeoutMs,
      toError,
      onEnd: () => {
        pipelines.delete(pipeline)
        release(session)
      },
    })
    pipelines.add(pipeline)
    if (isClosed) pipeline.end()
    if (isWatching) return
    isWatching = true
    setTimeout(watch, checkMs).unref()
  }
  const open = (timeoutMs: number) => {
    if (isOpening || isClosed || pipelines.size >= most) return
    isOpening = true
    acquire(timeoutMs)
      .then(
        (session) => add(session, timeoutMs),
        // Statements then run on other connections, and report errors of the database there.
        () => undefined,
      )
      .finally(() => {
        isOpening = false
      })
  }
  /** Number of statements that run on the database now. */
  const underWay = () => {
    let count = busy() - pipelines.size
    for (const pipeline of pipelines) count += pipeline.load()
    return count
  }
  const leastLoaded = (execution: Execution, latency: LatencyEstimate): Pipeline | undefined => {
    let found: Pipeline | undefined
    for (const pipeline of pipelines) {
      const isBetter = found === undefined || pipeline.load() < found.load()
      if (isBetter && pipeline.canTake(execution, latency)) found = pipeline
    }
    return found
  }
  /** To write to another connection costs more than a tiny statement waits for those before it. */
  const aboutToWrite = (execution: Execution, latency: LatencyEstimate): Pipeline | undefined => {
    for (const pipeline of pipelines) {
      const unsent = pipeline.unsent()
      if (unsent > 0 && unsent < mostPerWrite && pipeline.canTake(execution, latency))
        return pipeline
    }
    return undefined
  }

  return {
    run: (execution, latency) => {
      const { statement, signal, timeoutMs } = execution
      if (latency === undefined || statement.settings !== undefined) return
      if (signal?.aborted || !latency.isShort() || underWay() < leastUnderWay) return
      const shared = latency.isTiny() ? aboutToWrite(execution, latency) : undefined
      const pipeline = shared ?? leastLoaded(execution, latency)
      if (pipeline === undefined || pipeline.load() > 0) open(timeoutMs)
      return pipeline?.run(execution, latency)
    },
    renew: () => {
      for (const pipeline of [...pipelines]) pipeline.end()
    },
    close: () => {
      isClosed = true
      for (const pipeline of [...pipelines]) pipeline.end()
    },
  }
}
