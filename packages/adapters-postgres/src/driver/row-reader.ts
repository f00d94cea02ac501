/** @module Reads the rows of one step. */
import {
  type Cells,
  checkFailed,
  type Execution,
  type PlanStep,
  type ResultSet,
  type RowReceiver,
} from '@engine/core/adapter'
import { hintsOf } from '../native-statement.ts'
import { cellsOf, isTrue } from './backend-messages.ts'
import { createJsonRows } from './json-rows.ts'

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
  const { maxRows } = execution
  const { yields, checkColumn, visibleColumn } = step
  const sink = yields === 'result' ? createSink(execution) : noSink
  const kept: string[] = []
  let rowCount = 0
  let isTruncated = false
  let isPermitted = true
  return {
    hold: sink.hold,
    read: (bytes, start) => {
      if (checkColumn !== undefined && !isTrue(bytes, start, checkColumn)) isPermitted = false
      if (visibleColumn !== undefined && !isTrue(bytes, start, visibleColumn)) return
      if (yields === 'keep') {
        kept.push(JSON.stringify(cellsOf(bytes, start)))
      } else if (yields === 'assert') {
        if (!isTrue(bytes, start, 0)) isPermitted = false
      } else if (yields === 'count') {
        rowCount = Number(cellsOf(bytes, start)[0])
      } else if (rowCount < maxRows) {
        sink.add(bytes, start)
        rowCount += 1
      } else {
        isTruncated = true
      }
    },
    finish: (tag) => {
      if (!isPermitted) throw checkFailed()
      switch (yields) {
        case 'keep':
          return { result: undefined, kept: `[${kept.join(',')}]` }
        case 'assert':
        case 'nothing':
          return { result: undefined, kept: undefined }
        case 'affected':
          rowCount = affectedRows(tag)
          break
        default:
      }
      return { result: { rows: sink.finish(), rowCount, truncated: isTruncated }, kept: undefined }
    },
  }
}

/** `INSERT 0 5` → 5 */
function affectedRows(tag: string): number {
  return Number(tag.slice(tag.lastIndexOf(' ') + 1))
}

/** Destination of the rows of the answer. */
interface Sink {
  readonly hold: RowReceiver['hold'] | undefined
  add(bytes: Buffer, start: number): void
  /** `ResultSet.rows` */
  finish(): string | Uint8Array
}

/** For a step whose rows are not the answer. */
const noSink: Sink = { hold: undefined, add: () => undefined, finish: () => '' }

function createSink({ statement, rowShape, receiver }: Execution): Sink {
  const { layouts, columnCount } = hintsOf(statement)
  if (receiver === undefined) return { hold: undefined, ...createJsonRows(layouts[rowShape]) }
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
