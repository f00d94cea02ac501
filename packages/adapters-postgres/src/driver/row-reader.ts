/** @module Reads the rows of one step. */
import {
  type Cells,
  checkFailed,
  type Execution,
  type PlanStep,
  type ResultSet,
  type RowReceiver,
} from '@engine/core/adapter'
import { hintsOf } from './native-statement.ts'
import { cellsOf, isTrue } from './protocol/backend-messages.ts'
import { createJsonRows } from './protocol/json-rows.ts'

export interface RowReader {
  /** @param start of a DataRow, after its header. */
  read(bytes: Buffer, start: number): void
  /** Back-pressure of the receiver; see `RowReceiver`. Undefined where all rows are buffered. */
  readonly hold: RowReceiver['hold'] | undefined
  /** @throws {GatewayError} `checkFailed` when a row violates a policy. */
  finish(tag: string): StepOutcome
}

export interface StepOutcome {
  readonly result: ResultSet | undefined
  readonly kept: string | undefined
}

export function createRowReader(execution: Execution, step: PlanStep): RowReader {
  return new StepReader(execution, step)
}

/** A class, since every step has one: methods cost nothing where closures are allocated. */
class StepReader implements RowReader {
  readonly hold: RowReceiver['hold'] | undefined
  readonly #step: PlanStep
  readonly #maxRows: number
  readonly #sink: Sink
  #kept: string[] | undefined
  #rowCount = 0
  #isTruncated = false
  #isPermitted = true

  constructor(execution: Execution, step: PlanStep) {
    this.#step = step
    this.#maxRows = execution.maxRows
    this.#sink = step.yields === 'result' ? createSink(execution) : noSink
    this.hold = this.#sink.hold
  }

  read(bytes: Buffer, start: number): void {
    const { yields, checkColumn, visibleColumn } = this.#step
    if (checkColumn !== undefined && !isTrue(bytes, start, checkColumn)) this.#isPermitted = false
    if (visibleColumn !== undefined && !isTrue(bytes, start, visibleColumn)) return
    if (yields === 'keep') {
      this.#kept ??= []
      this.#kept.push(JSON.stringify(cellsOf(bytes, start)))
    } else if (yields === 'assert') {
      if (!isTrue(bytes, start, 0)) this.#isPermitted = false
    } else if (yields === 'count') {
      this.#rowCount = Number(cellsOf(bytes, start)[0])
    } else if (this.#rowCount < this.#maxRows) {
      this.#sink.add(bytes, start)
      this.#rowCount += 1
    } else {
      this.#isTruncated = true
    }
  }

  finish(tag: string): StepOutcome {
    const { yields } = this.#step
    if (!this.#isPermitted) throw checkFailed()
    switch (yields) {
      case 'keep':
        return { result: undefined, kept: `[${(this.#kept ?? []).join(',')}]` }
      case 'assert':
      case 'nothing':
        return { result: undefined, kept: undefined }
      case 'affected':
        this.#rowCount = affectedRows(tag)
        break
      default:
    }
    const rows = this.#sink.finish()
    const result = { rows, rowCount: this.#rowCount, truncated: this.#isTruncated }
    return { result, kept: undefined }
  }
}

/** `INSERT 0 5` → 5 */
function affectedRows(tag: string): number {
  return Number(tag.slice(tag.lastIndexOf(' ') + 1))
}

/** Destination of the rows of the answer. */
interface Sink {
  readonly hold?: RowReceiver['hold'] | undefined
  add(bytes: Buffer, start: number): void
  /** `ResultSet.rows` */
  finish(): string | Uint8Array
}

/** For a step whose rows are not the answer. */
const noSink: Sink = { hold: undefined, add: () => undefined, finish: () => '' }

function createSink({ statement, rowShape, receiver }: Execution): Sink {
  const { layouts, columnCount } = hintsOf(statement)
  if (receiver === undefined) return createJsonRows(layouts[rowShape])
  const own = (cells: Cells): Cells =>
    cells.length === columnCount ? cells : cells.slice(0, columnCount)
  // Rows of a write are not delivered before the last one has been checked.
  return statement.isWrite ? laterSink(receiver, own) : directSink(receiver, own)
}

function directSink(receiver: RowReceiver, own: (cells: Cells) => Cells): Sink {
  return {
    hold: () => receiver.hold(),
    add: (bytes, start) => receiver.row(own(cellsOf(bytes, start))),
    finish: () => '',
  }
}

function laterSink(receiver: RowReceiver, own: (cells: Cells) => Cells): Sink {
  const rows: Cells[] = []
  return {
    hold: undefined,
    add: (bytes, start) => void rows.push(own(cellsOf(bytes, start))),
    finish: () => {
      for (const cells of rows) receiver.row(cells)
      return ''
    },
  }
}
