/** @module An INSERT that waits for its group, or runs in one. */
import {
  cancelled,
  type Execution,
  GatewayError,
  type PlanStep,
  type ResultSet,
  sqlOf,
} from '@engine/core/adapter'
import type { LatencyEstimate } from '@engine/core/driver'
import type { ExpectedColumns } from './expected-columns.ts'
import { hintsOf } from './native-statement.ts'
import { parameterTexts } from './protocol/parameter-text.ts'
import { createRowReader, type RowReader } from './row-reader.ts'
import type { SessionQuery } from './session-query.ts'

/** A member leaves the line after this time, in milliseconds. */
const mostWaitMs = 50

/** A statement with its caller. A class, since every such INSERT has one. */
export class GroupMember implements SessionQuery {
  readonly name: string
  readonly text: string
  readonly values: (string | null)[]
  readonly begin = undefined
  readonly settings = undefined
  readonly portal = undefined
  readonly hold = undefined
  readonly expects: ExpectedColumns | undefined
  readonly latency: LatencyEstimate
  readonly timeoutMs: number
  readonly #signal: AbortSignal | undefined
  readonly #reader: RowReader
  readonly #resolve: (result: ResultSet | undefined) => void
  readonly #reject: (error: unknown) => void
  readonly #sinceMs = performance.now()
  #error: unknown

  constructor(
    execution: Execution,
    latency: LatencyEstimate,
    resolve: (result: ResultSet | undefined) => void,
    reject: (error: unknown) => void,
  ) {
    const { statement, values, signal, timeoutMs } = execution
    const [step] = statement.steps as readonly [PlanStep]
    const { steps, expects } = hintsOf(statement)
    const [hints] = steps
    this.name = hints?.statementName ?? ''
    this.text = sqlOf(step)
    this.values = parameterTexts(values[0] ?? [], hints?.delimiters ?? [])
    this.expects = step.yields === 'result' ? expects : undefined
    this.latency = latency
    this.timeoutMs = timeoutMs
    this.#signal = signal
    this.#reader = createRowReader(execution, step)
    this.#resolve = resolve
    this.#reject = reject
  }

  onRow(bytes: Buffer, start: number): void {
    try {
      this.#reader.read(bytes, start)
    } catch (error) {
      // Thrown here, the error would reach the socket.
      this.#error ??= error
    }
  }

  /** Has it waited for too long, or without a caller? */
  leaves(nowMs: number): boolean {
    return nowMs - this.#sinceMs > mostWaitMs || this.#signal?.aborted === true
  }

  /** Returns false, and tells its caller, where that no longer waits. */
  isWanted(): boolean {
    if (this.#signal?.aborted !== true) return true
    this.#reject(cancelled())
    return false
  }

  runAlone(): void {
    if (this.isWanted()) this.#resolve(undefined)
  }

  fail(error: unknown): void {
    this.#reject(error)
  }

  finish(tag: string): void {
    if (this.#error !== undefined) {
      this.#reject(this.#error)
      return
    }
    try {
      const { result } = this.#reader.finish(tag)
      if (result === undefined) throw new GatewayError('internal', 'an INSERT without an answer')
      this.#resolve(result)
    } catch (error) {
      this.#reject(error)
    }
  }
}
