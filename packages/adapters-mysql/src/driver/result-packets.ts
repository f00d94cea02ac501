/** @module Reads the results of a statement from their packets. */

import type { PreparedStatement } from './prepared-statements.ts'
import { isSameColumn, readColumn, type WireColumn } from './protocol/column-definition.ts'
import {
  headerLength,
  isEof,
  nullMarker,
  readBigLength,
  readLength,
  type WirePacket,
} from './protocol/packet.ts'

/** Receives the answer to a statement. */
export interface ResultReader {
  /** Before the first row. The same list means the same columns. */
  columns(columns: readonly WireColumn[]): void
  /** The packet of a row. The reader must not keep the bytes. */
  row(buffer: Buffer, start: number, end: number): void
}

/** A statement whose results arrive. */
export interface ResultInProgress {
  readonly reader: ResultReader
  readonly statement: PreparedStatement | undefined
  affectedRows: number
  insertId: bigint
  /** Results that were read: only the first one is delivered. */
  results: number
  /** The error of the reader: it gets nothing more. */
  failure: { readonly error: unknown } | undefined
  /** What came after that. */
  readonly skipped: { rows: number; bytes: number }
}

export interface ResultPackets<Current> {
  /** The next packet is the first one of an answer. */
  expect(): void
  /** Takes any packet but one with an error. @throws {Error} when the packet makes no sense. */
  take(current: Current, packet: WirePacket): void
  isAtHeader(): boolean
}

export interface ResultPacketsOptions<Current> {
  readonly onEnd: (current: Current, warningCount: number) => void
  /** Too many rows would have to be skipped after an error of the reader. */
  readonly onUseless: (error: unknown) => void
}

/** Rows that the caller no longer needs, and their bytes; when there are more of them, the connection is closed instead. */
const mostSkipped = { rows: 10_000, bytes: 32_000_000 } as const

const moreResults = 0x0008

/** What is expected next. */
type Phase = 'header' | 'columns' | 'columnsEnd' | 'rows'

export function createResultPackets<Current extends ResultInProgress>({
  onEnd,
  onUseless,
}: ResultPacketsOptions<Current>): ResultPackets<Current> {
  let phase: Phase = 'header'
  let columnCount = 0
  /** The columns of the current result, while they arrive. */
  let columns: WireColumn[] | undefined
  let known: readonly WireColumn[] | undefined
  let received = 0

  const readHeader = (current: Current, { buffer, start }: WirePacket): void => {
    const position = start + headerLength
    const marker = buffer[position]
    if (marker === nullMarker) throw new Error('the server asks for a file')
    if (marker !== 0) {
      columnCount = readLength(buffer, position).value
      known = current.results === 0 ? current.statement?.columns : undefined
      if (known?.length !== columnCount) known = undefined
      columns = known === undefined ? [] : undefined
      received = 0
      phase = 'columns'
      return
    }
    const { value: affected, position: idAt } = readLength(buffer, position + 1)
    current.affectedRows = affected
    current.insertId = readBigLength(buffer, idAt)
    const { position: status } = readLength(buffer, idAt)
    endResult(current, buffer.readUInt16LE(status), buffer.readUInt16LE(status + 2))
  }

  const readDefinition = (packet: WirePacket): void => {
    if (columns === undefined && known !== undefined) {
      const before = known[received]
      if (before === undefined || !isSameColumn(before, packet)) columns = known.slice(0, received)
    }
    columns?.push(readColumn(packet))
    received += 1
    if (received === columnCount) phase = 'columnsEnd'
  }

  const startRows = (current: Current): void => {
    phase = 'rows'
    if (current.results > 0) return
    const found = columns ?? known ?? []
    if (current.statement !== undefined) current.statement.columns = found
    try {
      current.reader.columns(found)
    } catch (error) {
      current.failure = { error }
    }
  }

  const readRow = (current: Current, { buffer, start, end }: WirePacket): void => {
    if (current.results > 0) return
    if (current.failure === undefined) {
      try {
        current.reader.row(buffer, start, end)
      } catch (error) {
        current.failure = { error }
      }
      return
    }
    const { skipped, failure } = current
    skipped.rows += 1
    skipped.bytes += end - start
    if (skipped.rows > mostSkipped.rows || skipped.bytes > mostSkipped.bytes) {
      onUseless(failure.error)
    }
  }

  const endResult = (current: Current, status: number, warningCount: number): void => {
    current.results += 1
    if ((status & moreResults) !== 0) {
      phase = 'header'
      return
    }
    onEnd(current, warningCount)
  }

  return {
    expect: () => {
      phase = 'header'
    },
    isAtHeader: () => phase === 'header',
    take: (current, packet) => {
      switch (phase) {
        case 'rows':
          if (isEof(packet)) {
            const { buffer, start } = packet
            const body = start + headerLength
            endResult(current, buffer.readUInt16LE(body + 3), buffer.readUInt16LE(body + 1))
          } else {
            readRow(current, packet)
          }
          break
        case 'header':
          readHeader(current, packet)
          break
        case 'columns':
          readDefinition(packet)
          break
        case 'columnsEnd':
          if (!isEof(packet)) throw new Error('column definitions do not end')
          startRows(current)
          break
      }
    },
  }
}
