/**
 * @module Runs prepared statements over the connection of mysql2: sends the commands, and reads the answers from the packets
 * instead of from mysql2's rows. The driver still connects, authenticates, cuts packets and runs its own commands.
 */
import type { Duplex } from 'node:stream'
import { connectionLost, GatewayError } from '@engine/core/adapter'
import type { Connection } from 'mysql2'
import { isServerError, isStaleStatement } from '../driver-error.ts'
import { isSameColumn, readColumn, type WireColumn } from '../protocol/column-definition.ts'
import { executeCommand, prepareCommand } from '../protocol/commands.ts'
import {
  errorMarker,
  headerLength,
  isEof,
  nullMarker,
  readLength,
  type SentCommand,
  type WirePacket,
} from '../protocol/packet.ts'
import type { BoundValue } from '../values/bind-value.ts'
import { createPreparedStatements, type PreparedStatement } from './prepared-statements.ts'

/** Receives the answer to a statement. */
export interface ResultReader {
  /** Before the first row. The same list means the same columns. */
  columns(columns: readonly WireColumn[]): void
  /** The packet of a row. The reader must not keep the bytes. */
  row(buffer: Buffer, start: number, end: number): void
}

export interface Outcome {
  /** Rows that a write found. */
  readonly affectedRows: number
  /** For a statement with rows. */
  readonly warningCount: number
}

export interface Exchange {
  /**
   * Prepares a statement unless it already is, and executes it. Not while another one runs. Rejects with the server's error, or
   * with the error of the reader, when the server is done.
   */
  run(sql: string, values: readonly BoundValue[], reader: ResultReader): Promise<Outcome>
  /** Rejects the running statement. */
  fail(error: unknown): void
  isRunning(): boolean
}

export interface ExchangeOptions {
  /** The most statements that the connection keeps prepared. */
  readonly mostPrepared: number
  /** The connection cannot be used any more: what came over it makes no sense, or too many rows would have to be skipped. */
  readonly onBreak: (error: unknown) => void
}

/** Private fields of the driver. */
interface DriverInternals {
  readonly stream: Duplex
  readonly packetParser: { onPacket: (packet: WirePacket) => void }
}

/** Rows that the caller no longer needs, and their bytes; when there are more of them, the connection is closed instead. */
const mostSkipped = { rows: 10_000, bytes: 32_000_000 } as const

/** The server's limit of prepared statements of all clients. */
const tooManyStatements = 1461

const moreResults = 0x0008

/** What is expected next. */
type Phase = 'idle' | 'prepared' | 'definitions' | 'header' | 'columns' | 'columnsEnd' | 'rows'

interface Run {
  readonly sql: string
  readonly values: readonly BoundValue[]
  readonly reader: ResultReader
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
  statement: PreparedStatement | undefined
  /** It was prepared for an earlier run: the server may not know it any more. */
  isReused: boolean
  isRetried: boolean
  affectedRows: number
  /** Results that were read: only the first one is delivered. */
  results: number
  failure: { readonly error: unknown } | undefined
  readonly skipped: { rows: number; bytes: number }
}

export function createExchange(connection: Connection, options: ExchangeOptions): Exchange {
  const { packetParser, stream } = internalsOf(connection)
  const deliver = packetParser.onPacket
  const statements = createPreparedStatements(options.mostPrepared)
  let phase: Phase = 'idle'
  let run: Run | undefined
  /** Number of the next packet. */
  let sequenceId = 0
  /** Lists of definitions in the answer to PREPARE that have not ended. */
  let lists = 0
  let columnCount = 0
  /** The columns of the current result, while they arrive. */
  let columns: WireColumn[] | undefined
  let known: readonly WireColumn[] | undefined
  let received = 0

  const send = ({ bytes, packets }: SentCommand): void => {
    const closed = statements.takeClosed()
    sequenceId = packets & 0xff
    stream.write(closed.length === 0 ? bytes : Buffer.concat([...closed, bytes]))
  }
  const finish = (): Run | undefined => {
    const finished = run
    run = undefined
    phase = 'idle'
    return finished
  }
  const prepare = (current: Run): void => {
    current.isReused = false
    phase = 'prepared'
    send(prepareCommand(current.sql))
  }
  const execute = (current: Run, { id }: PreparedStatement): void => {
    phase = 'header'
    send(executeCommand(id, current.values))
  }

  const reported = (current: Run, error: Error): void => {
    if (phase === 'prepared' && isServerError(error) && error.errno === tooManyStatements) {
      if (!current.isRetried && statements.yieldRoom()) {
        current.isRetried = true
        prepare(current)
        return
      }
    }
    if (phase === 'header' && isStaleStatement(error)) {
      statements.drop(current.sql)
      // Nothing was executed.
      if (current.isReused && !current.isRetried) {
        current.isRetried = true
        prepare(current)
        return
      }
    }
    finish()?.reject(current.failure === undefined ? error : current.failure.error)
  }

  /** OK, PREPARE's own: id, number of columns and of parameters. */
  const readPrepared = (current: Run, buffer: Buffer, start: number): void => {
    current.statement = statements.add(current.sql, buffer.readUInt32LE(start + 1))
    lists =
      (buffer.readUInt16LE(start + 5) > 0 ? 1 : 0) + (buffer.readUInt16LE(start + 7) > 0 ? 1 : 0)
    if (lists === 0) execute(current, current.statement)
    else phase = 'definitions'
  }

  const readHeader = (current: Run, { buffer, start }: WirePacket): void => {
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
    const affected = readLength(buffer, position + 1)
    current.affectedRows = affected.value
    const { position: status } = readLength(buffer, affected.position)
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

  const startRows = (current: Run): void => {
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

  const readRow = (current: Run, { buffer, start, end }: WirePacket): void => {
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
      options.onBreak(failure.error)
    }
  }

  const endResult = (current: Run, status: number, warningCount: number): void => {
    current.results += 1
    if ((status & moreResults) !== 0) {
      phase = 'header'
      return
    }
    const { affectedRows, failure } = current
    finish()
    if (failure === undefined) current.resolve({ affectedRows, warningCount })
    else current.reject(failure.error)
  }

  const receive = (current: Run, packet: WirePacket): void => {
    if (packet.sequenceId !== sequenceId) throw new Error('a packet is missing')
    sequenceId = (sequenceId + packet.numPackets) & 0xff
    const { buffer, start } = packet
    if (buffer[start + headerLength] === errorMarker) {
      reported(current, packet.asError('utf8'))
      return
    }
    switch (phase) {
      case 'rows':
        if (isEof(packet)) {
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
      case 'prepared':
        readPrepared(current, buffer, start + headerLength)
        break
      default:
        if (!isEof(packet)) return
        lists -= 1
        if (lists === 0 && current.statement !== undefined) execute(current, current.statement)
    }
  }

  packetParser.onPacket = (packet) => {
    if (run === undefined) {
      deliver(packet)
      return
    }
    try {
      receive(run, packet)
    } catch (cause) {
      options.onBreak(connectionLost(cause))
    }
  }

  return {
    run: (sql, values, reader) =>
      new Promise((resolve, reject) => {
        const statement = statements.get(sql)
        run = {
          sql,
          values,
          reader,
          resolve,
          reject,
          statement,
          isReused: statement !== undefined,
          isRetried: false,
          affectedRows: 0,
          results: 0,
          failure: undefined,
          skipped: { rows: 0, bytes: 0 },
        }
        if (statement === undefined) prepare(run)
        else execute(run, statement)
      }),
    fail: (error) => finish()?.reject(error),
    isRunning: () => run !== undefined,
  }
}

/** @throws {GatewayError} when the driver does not read its packets as it used to. */
function internalsOf(connection: Connection): DriverInternals {
  const { stream, packetParser } = connection as unknown as Partial<DriverInternals>
  if (typeof stream?.write !== 'function' || typeof packetParser?.onPacket !== 'function') {
    throw new GatewayError('internal', 'mysql2 does not read packets as it used to')
  }
  return { stream, packetParser }
}
