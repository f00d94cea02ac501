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

export function createResultPackets<Current extends ResultInProgress>(
  options: ResultPacketsOptions<Current>,
): ResultPackets<Current> {
  return new Packets(options)
}

class Packets<Current extends ResultInProgress> implements ResultPackets<Current> {
  readonly #options: ResultPacketsOptions<Current>
  #phase: Phase = 'header'
  #columnCount = 0
  /** The columns of the current result, while they arrive. */
  #columns: WireColumn[] | undefined
  #known: readonly WireColumn[] | undefined
  #received = 0

  constructor(options: ResultPacketsOptions<Current>) {
    this.#options = options
  }

  expect(): void {
    this.#phase = 'header'
  }

  isAtHeader(): boolean {
    return this.#phase === 'header'
  }

  take(current: Current, packet: WirePacket): void {
    switch (this.#phase) {
      case 'rows':
        if (isEof(packet)) {
          const { buffer, start } = packet
          const body = start + headerLength
          this.#endResult(current, buffer.readUInt16LE(body + 3), buffer.readUInt16LE(body + 1))
        } else {
          this.#readRow(current, packet)
        }
        break
      case 'header':
        this.#readHeader(current, packet)
        break
      case 'columns':
        this.#readDefinition(packet)
        break
      case 'columnsEnd':
        if (!isEof(packet)) throw new Error('column definitions do not end')
        this.#startRows(current)
        break
    }
  }

  #readHeader(current: Current, { buffer, start }: WirePacket): void {
    const position = start + headerLength
    const marker = buffer[position]
    if (marker === nullMarker) throw new Error('the server asks for a file')
    if (marker !== 0) {
      this.#columnCount = readLength(buffer, position).value
      this.#known = current.results === 0 ? current.statement?.columns : undefined
      if (this.#known?.length !== this.#columnCount) this.#known = undefined
      this.#columns = this.#known === undefined ? [] : undefined
      this.#received = 0
      this.#phase = 'columns'
      return
    }
    const { value: affected, position: idAt } = readLength(buffer, position + 1)
    current.affectedRows = affected
    current.insertId = readBigLength(buffer, idAt)
    const { position: status } = readLength(buffer, idAt)
    this.#endResult(current, buffer.readUInt16LE(status), buffer.readUInt16LE(status + 2))
  }

  #readDefinition(packet: WirePacket): void {
    if (this.#columns === undefined && this.#known !== undefined) {
      const before = this.#known[this.#received]
      if (before === undefined || !isSameColumn(before, packet))
        this.#columns = this.#known.slice(0, this.#received)
    }
    this.#columns?.push(readColumn(packet))
    this.#received += 1
    if (this.#received === this.#columnCount) this.#phase = 'columnsEnd'
  }

  #startRows(current: Current): void {
    this.#phase = 'rows'
    if (current.results > 0) return
    const found = this.#columns ?? this.#known ?? []
    if (current.statement !== undefined) current.statement.columns = found
    try {
      current.reader.columns(found)
    } catch (error) {
      current.failure = { error }
    }
  }

  #readRow(current: Current, { buffer, start, end }: WirePacket): void {
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
      this.#options.onUseless(failure.error)
    }
  }

  #endResult(current: Current, status: number, warningCount: number): void {
    current.results += 1
    if ((status & moreResults) !== 0) {
      this.#phase = 'header'
      return
    }
    this.#options.onEnd(current, warningCount)
  }
}
