/** @module What becomes of the rows of one step. */
import {
  type Cells,
  checkFailed,
  type Execution,
  type PlanStep,
  type ResultSet,
  type RowReceiver,
} from '@engine/core'
import { hintsOf } from '../native-statement.ts'

export interface RowReader {
  read(cells: Cells): void
  /** Where whoever gets the rows wants no more for now; see `RowReceiver`. Undefined where all are taken. */
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
  const sink = createSink(execution)
  const kept: string[] = []
  let rowCount = 0
  let isTruncated = false
  let isPermitted = true
  return {
    hold: yields === 'result' ? sink.hold : undefined,
    read: (cells) => {
      if (checkColumn !== undefined && cells[checkColumn] !== 't') isPermitted = false
      if (visibleColumn !== undefined && cells[visibleColumn] !== 't') return
      if (yields === 'keep') {
        kept.push(JSON.stringify(cells))
      } else if (yields === 'assert') {
        if (cells[0] !== 't') isPermitted = false
      } else if (yields === 'count') {
        rowCount = Number(cells[0])
      } else if (rowCount < maxRows) {
        sink.add(cells, rowCount)
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

/** Where rows of the answer go. */
interface Sink {
  readonly hold: RowReceiver['hold'] | undefined
  add(cells: Cells, index: number): void
  /** `ResultSet.rows` */
  finish(): string
}

function createSink({ statement, rowShape, receiver }: Execution): Sink {
  const { encoders, columnCount } = hintsOf(statement)
  if (receiver === undefined) return textSink(encoders[rowShape])
  const own = (cells: Cells): Cells =>
    cells.length === columnCount ? cells : cells.slice(0, columnCount)
  // Rows of a write are nobody's before the last one has been checked.
  return statement.isWrite ? laterSink(receiver, own) : directSink(receiver, own)
}

function textSink(encode: (cells: Cells) => string): Sink {
  let rows = ''
  return {
    hold: undefined,
    add: (cells, index) => {
      rows += index === 0 ? encode(cells) : `,${encode(cells)}`
    },
    finish: () => rows,
  }
}

function directSink(receiver: RowReceiver, own: (cells: Cells) => Cells): Sink {
  return {
    hold: () => receiver.hold(),
    add: (cells) => receiver.row(own(cells)),
    finish: () => '',
  }
}

function laterSink(receiver: RowReceiver, own: (cells: Cells) => Cells): Sink {
  const rows: Cells[] = []
  return {
    hold: undefined,
    add: (cells) => void rows.push(own(cells)),
    finish: () => {
      for (const cells of rows) receiver.row(cells)
      return ''
    },
  }
}
