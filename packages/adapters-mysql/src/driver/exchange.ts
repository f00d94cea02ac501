/**
 * @module Runs prepared statements over the connection of mysql2: sends the commands, and reads the answers from the packets
 * instead of from mysql2's rows. The driver still connects, authenticates, cuts packets and runs its own commands.
 */
import type { Duplex } from 'node:stream'
import { connectionLost, GatewayError } from '@engine/core/adapter'
import type { Connection } from 'mysql2'
import { isServerError, isStaleStatement } from '../errors/driver-error.ts'
import type { BoundValue } from '../values/bind-value.ts'
import { createPreparedStatements, type PreparedStatement } from './prepared-statements.ts'
import { executeCommand, prepareCommand } from './protocol/commands.ts'
import {
  errorMarker,
  headerLength,
  isEof,
  type SentCommand,
  type WirePacket,
} from './protocol/packet.ts'
import { createResultPackets, type ResultInProgress, type ResultReader } from './result-packets.ts'

export interface Outcome {
  /** Rows that a write found. */
  readonly affectedRows: number
  /**
   * The number that the last stored row has in the column that the server numbers, in 64 bits without a sign: also a given number,
   * except after INSERT ... SELECT, and one that a trigger assigned; 0 without such a row.
   */
  readonly insertId: bigint
  /** For a statement with rows. */
  readonly warningCount: number
}

export interface Exchange {
  /**
   * Prepares a statement unless it already is, and executes it. Not while another one runs. Rejects with the server's error, or
   * with the error of the reader, when the server is done.
   */
  run(sql: string, values: readonly BoundValue[], reader: ResultReader): Promise<Outcome>
  /**
   * Executes a prepared statement after those in progress. The commands of one turn of the event loop leave in one write. Rejects
   * as `run` does, and when the server no longer knows the statement.
   */
  queue(sql: string, values: readonly BoundValue[], reader: ResultReader): Promise<Outcome>
  /** Prepares a statement after those in progress. */
  prepare(sql: string): Promise<Outcome>
  isPrepared(sql: string): boolean
  /** Number of commands that leave at the end of this turn of the event loop. */
  unsent(): number
  /** Rejects the running statement, and those after it. */
  fail(error: unknown): void
  isRunning(): boolean
}

export interface ExchangeOptions {
  /** The most statements that the connection keeps prepared. */
  readonly mostPrepared: number
  /** The server has started the next statement, or has no more. */
  readonly onNext: (isBusy: boolean) => void
  /** The connection cannot be used any more: what came over it makes no sense, or too many rows would have to be skipped. */
  readonly onBreak: (error: unknown) => void
}

/** Private fields of the driver. */
interface DriverInternals {
  readonly stream: Duplex
  readonly packetParser: { onPacket: (packet: WirePacket) => void }
}

/** The server's limit of prepared statements of all clients. */
const tooManyStatements = 1461

/** What is expected next. */
type Phase = 'prepared' | 'definitions' | 'result'

/** `alone`: no command is sent before it has ended. `preparing`: is not executed. */
type Kind = 'alone' | 'queued' | 'preparing'

interface Run extends ResultInProgress {
  readonly kind: Kind
  readonly sql: string
  readonly values: readonly BoundValue[]
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
  statement: PreparedStatement | undefined
  /** Packets of the last command. */
  packets: number
  /** It was prepared for an earlier run: the server may not know it any more. */
  isReused: boolean
  isRetried: boolean
}

export function createExchange(connection: Connection, options: ExchangeOptions): Exchange {
  const { packetParser, stream } = internalsOf(connection)
  const deliver = packetParser.onPacket
  const statements = createPreparedStatements(options.mostPrepared)
  let phase: Phase = 'result'
  /** In the order in which they were sent; the server runs the first one. */
  const runs: Run[] = []
  let outbox: Buffer[] = []
  let unsent = 0
  /** Number of the next packet. */
  let sequenceId = 0
  /** Lists of definitions in the answer to PREPARE that have not ended. */
  let lists = 0

  /** Statements that were dropped are closed after the queued commands that use them. */
  const flush = (): void => {
    const sent = [...outbox, ...statements.takeClosed()]
    outbox = []
    unsent = 0
    if (sent.length > 0) stream.write(sent.length === 1 ? sent[0] : Buffer.concat(sent))
  }
  const send = (current: Run, { bytes, packets }: SentCommand): void => {
    current.packets = packets
    if (runs[0] === current) sequenceId = packets & 0xff
    if (current.kind === 'alone') {
      outbox.push(...statements.takeClosed(), bytes)
      flush()
      return
    }
    outbox.push(bytes)
    unsent += 1
    if (unsent === 1) setImmediate(flush)
  }
  /** Expects the answer to the first command of a statement. */
  const begin = (current: Run): void => {
    phase = current.statement === undefined ? 'prepared' : 'result'
    results.expect()
    sequenceId = current.packets & 0xff
  }
  const finish = (): Run | undefined => {
    const finished = runs.shift()
    const [next] = runs
    if (next !== undefined) begin(next)
    options.onNext(next !== undefined)
    return finished
  }
  const prepare = (current: Run): void => {
    current.isReused = false
    current.statement = undefined
    phase = 'prepared'
    send(current, prepareCommand(current.sql))
  }
  const execute = (current: Run, { id }: PreparedStatement): void => {
    phase = 'result'
    results.expect()
    send(current, executeCommand(id, current.values))
  }

  const reported = (current: Run, error: Error): void => {
    if (phase === 'prepared' && isServerError(error) && error.errno === tooManyStatements) {
      if (current.kind === 'alone' && !current.isRetried && statements.yieldRoom()) {
        current.isRetried = true
        prepare(current)
        return
      }
    }
    if (phase === 'result' && results.isAtHeader() && isStaleStatement(error)) {
      statements.drop(current.sql)
      // Nothing was executed.
      if (current.kind === 'alone' && current.isReused && !current.isRetried) {
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
    if (lists === 0) endPreparation(current, current.statement)
    else phase = 'definitions'
  }

  const endPreparation = (current: Run, statement: PreparedStatement): void => {
    if (current.kind !== 'preparing') {
      execute(current, statement)
      return
    }
    finish()
    current.resolve({ affectedRows: 0, insertId: 0n, warningCount: 0 })
  }

  const results = createResultPackets<Run>({
    onEnd: (current, warningCount) => {
      const { affectedRows, insertId, failure } = current
      finish()
      if (failure === undefined) current.resolve({ affectedRows, insertId, warningCount })
      else current.reject(failure.error)
    },
    onUseless: options.onBreak,
  })

  const receive = (current: Run, packet: WirePacket): void => {
    if (packet.sequenceId !== sequenceId) throw new Error('a packet is missing')
    sequenceId = (sequenceId + packet.numPackets) & 0xff
    const { buffer, start } = packet
    if (buffer[start + headerLength] === errorMarker) {
      reported(current, packet.asError('utf8'))
      return
    }
    switch (phase) {
      case 'result':
        results.take(current, packet)
        break
      case 'prepared':
        readPrepared(current, buffer, start + headerLength)
        break
      default:
        if (!isEof(packet)) return
        lists -= 1
        if (lists === 0 && current.statement !== undefined) {
          endPreparation(current, current.statement)
        }
    }
  }

  packetParser.onPacket = (packet) => {
    const [current] = runs
    if (current === undefined) {
      deliver(packet)
      return
    }
    try {
      receive(current, packet)
    } catch (cause) {
      options.onBreak(connectionLost(cause))
    }
  }

  const start = (
    kind: Kind,
    sql: string,
    values: readonly BoundValue[],
    reader: ResultReader,
  ): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const statement = kind === 'preparing' ? undefined : statements.get(sql)
      if (kind === 'queued' && statement === undefined) {
        throw new GatewayError('internal', 'a statement is queued before it is prepared')
      }
      const added: Run = {
        kind,
        sql,
        values,
        reader,
        resolve,
        reject,
        statement,
        packets: 0,
        isReused: statement !== undefined,
        isRetried: false,
        affectedRows: 0,
        insertId: 0n,
        results: 0,
        failure: undefined,
        skipped: { rows: 0, bytes: 0 },
      }
      const isFirst = runs.push(added) === 1
      if (isFirst) options.onNext(true)
      send(
        added,
        statement === undefined ? prepareCommand(sql) : executeCommand(statement.id, values),
      )
      if (isFirst) begin(added)
    })

  return {
    run: (sql, values, reader) => start('alone', sql, values, reader),
    queue: (sql, values, reader) => start('queued', sql, values, reader),
    prepare: (sql) => start('preparing', sql, [], noReader),
    isPrepared: statements.has,
    unsent: () => unsent,
    fail: (error) => {
      const failed = runs.splice(0)
      outbox = []
      unsent = 0
      if (failed.length > 0) options.onNext(false)
      for (const each of failed) each.reject(error)
    },
    isRunning: () => runs.length > 0,
  }
}

const noReader: ResultReader = { columns: () => undefined, row: () => undefined }

/** @throws {GatewayError} when the driver does not read its packets as it used to. */
function internalsOf(connection: Connection): DriverInternals {
  const { stream, packetParser } = connection as unknown as Partial<DriverInternals>
  if (typeof stream?.write !== 'function' || typeof packetParser?.onPacket !== 'function') {
    throw new GatewayError('internal', 'mysql2 does not read packets as it used to')
  }
  return { stream, packetParser }
}
