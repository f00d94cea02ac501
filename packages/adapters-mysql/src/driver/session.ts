/** @module One server connection: statements prepared once and executed with values of their own, one at a time. */
import type { Duplex } from 'node:stream'
import { connectionLost, GatewayError, noAnswer } from '@engine/core/adapter'
import { createWatchdog, started } from '@engine/core/driver'
import type { Connection } from 'mysql2'
import { isServerError } from '../errors/driver-error.ts'
import type { Flavor } from '../server/flavor.ts'
import { traitsOf } from '../server/server-traits.ts'
import type { BoundValue } from '../values/bind-value.ts'
import type { DriverValue } from '../values/driver-value.ts'
import { createExchange, type Exchange, type Outcome } from './exchange.ts'
import { createRowFormat, type RowFormat } from './protocol/json-rows.ts'
import type { ResultReader } from './result-packets.ts'

export interface MysqlSession {
  /** Id of the connection's thread, for stopping its statement. */
  readonly threadId: number
  readonly flavor: Flavor
  /**
   * Prepares a statement unless it already is, and executes it. Rejects with the server's error, or with the error of the reader,
   * when the server is done.
   */
  execute(sql: string, values: readonly BoundValue[], reader: ResultReader): Promise<Outcome>
  /** Executes a prepared statement after those in progress; see `Exchange`. */
  readonly queue: Exchange['queue']
  readonly prepare: Exchange['prepare']
  readonly isPrepared: Exchange['isPrepared']
  readonly unsent: Exchange['unsent']
  /** Runs a command of the adapter itself. */
  command(text: string): Promise<void>
  /** The warnings of the last statement: level, number, text. MySQL cannot prepare the question. */
  warnings(): Promise<readonly (readonly unknown[])[]>
  /** Returns the rows of a query of the adapter itself. */
  rows(sql: string, values?: readonly string[]): Promise<readonly (readonly DriverValue[])[]>
  /**
   * Lets the server stop statements after this number of milliseconds, if the server can. Undefined where the server has this
   * limit already.
   */
  limitTime(timeoutMs: number): Promise<void> | undefined
  /** The time limit that the server has, in milliseconds; undefined before one was set. */
  limit(): number | undefined
  /** Calls back once after this number of milliseconds, instead of the earlier callback; undefined: not at all. */
  remind(afterMs: number | undefined, onTime?: () => void): void
  /** Call it when a transaction was opened or has ended. */
  setInTransaction(isOpen: boolean): void
  /** May another request use the session? */
  isIdle(): boolean
  /** Breaks the connection: what it runs fails with this error. */
  abandon(error: GatewayError): void
  /** Marks the session as never to be used again. */
  condemn(): void
  /** Can it still be written to, as far as the client side knows? */
  isAlive(): boolean
  /** Ends the session with the protocol's quit command, and closes it. */
  close(): void
}

/** How long after a timeout the server may still answer, in milliseconds. */
const graceMs = 5_000

/** How long after a timeout a server that stops reads only does so by itself, in milliseconds. */
const behindMs = 250

/** Allowed for commands before any timeout was set, in milliseconds. */
const setUpMs = 10_000

/** Settles a command that waits for the server's final answer. */
type Settle = (error: unknown) => void

export interface SessionFacts {
  readonly threadId: number
  readonly flavor: Flavor
  /** The most statements that the session keeps prepared. */
  readonly mostPrepared: number
}

export function createSession(
  connection: Connection,
  { threadId, flavor, mostPrepared }: SessionFacts,
): MysqlSession {
  /** Rejects the running command of the driver. */
  let running: Settle | undefined
  let limitMs: number | undefined
  let isInTransaction = false
  let isCondemned = false
  let isLost = false

  const breakDown = (error: unknown) => {
    isLost = true
    running?.(error)
    exchange.fail(error)
  }
  /** The driver's own `destroy` waits for the server. */
  const hangUp = () => {
    isLost = true
    const { stream } = connection as unknown as { readonly stream: Duplex }
    stream.destroy()
  }
  const breakOff = (error: unknown) => {
    breakDown(error)
    hangUp()
  }
  const exchange = createExchange(connection, {
    mostPrepared,
    onNext: (isBusy) => (isBusy ? watch() : watchdog.stop()),
    onBreak: breakOff,
  })
  connection.on('error', (error) => breakDown(connectionLost(error)))
  connection.on('end', () => breakDown(connectionLost(undefined)))

  /** Breaks the connection when the server does not answer in time, so that no caller waits for ever. */
  const watchdog = createWatchdog(() => breakOff(noAnswer()))
  const watch = () => watchdog.start((limitMs ?? setUpMs) + graceMs)

  let reminder: (() => void) | undefined
  const clock = createWatchdog(() => reminder?.())

  /** Only the waiting command receives a connection reset: an error that is not a report of the server ends the connection. */
  const reported = (error: unknown): unknown => {
    if (!isServerError(error)) isLost = true
    return error
  }

  /** The packets of an answer belong to the statement that runs: two at a time would read each other's. */
  const requireIdle = () => {
    if (running !== undefined || exchange.isRunning()) throw twoAtATime()
  }

  const requireUsable = () => {
    if (running !== undefined) throw twoAtATime()
    if (isLost) throw connectionLost(undefined)
  }
  const execute: MysqlSession['execute'] = (sql, values, reader) =>
    started(() => {
      requireIdle()
      requireUsable()
      return exchange.run(sql, values, reader)
    })

  const ask = (text: string): Promise<readonly (readonly unknown[])[]> =>
    new Promise((resolve, reject) => {
      requireIdle()
      watch()
      const settle = () => {
        running = undefined
        watchdog.stop()
      }
      running = (error) => {
        settle()
        reject(error)
      }
      connection.query(text, (error, rows) => {
        settle()
        if (error === null) resolve(Array.isArray(rows) ? (rows as readonly unknown[][]) : [])
        else reject(reported(error))
      })
    })

  return {
    threadId,
    flavor,
    execute,
    queue: (sql, values, reader) =>
      started(() => {
        requireUsable()
        return exchange.queue(sql, values, reader)
      }),
    prepare: (sql) =>
      started(() => {
        requireUsable()
        return exchange.prepare(sql)
      }),
    isPrepared: exchange.isPrepared,
    unsent: exchange.unsent,
    command: async (text) => void (await ask(text)),
    warnings: () => ask('show warnings'),
    rows: async (sql, values = []) => {
      const rows: (readonly DriverValue[])[] = []
      let format: RowFormat | undefined
      await execute(sql, values, {
        columns: (columns) => {
          format = createRowFormat(columns, [])
        },
        row: (buffer, start, end) => {
          format?.locate(buffer, start, end)
          rows.push(format?.allValues(buffer) ?? [])
        },
      })
      return rows
    },
    limitTime: (timeoutMs) => {
      if (limitMs === timeoutMs) return undefined
      limitMs = undefined
      return ask(limitCommand(flavor, timeoutMs)).then(() => {
        limitMs = timeoutMs
      })
    },
    limit: () => limitMs,
    remind: (afterMs, onTime) => {
      reminder = onTime
      if (afterMs === undefined) clock.stop()
      else clock.start(afterMs)
    },
    setInTransaction: (isOpen) => {
      isInTransaction = isOpen
    },
    isIdle: () =>
      !isCondemned && !isLost && !isInTransaction && running === undefined && !exchange.isRunning(),
    abandon: breakOff,
    condemn: () => {
      isCondemned = true
    },
    isAlive: () => !isLost,
    close: () => {
      if (isLost) hangUp()
      else connection.end(hangUp)
      isCondemned = true
    },
  }
}

function twoAtATime(): GatewayError {
  return new GatewayError('internal', 'a connection runs one statement at a time')
}

/** Where the server's own limit applies to reads only, the connection's timer comes first: the limit is for when we are gone. */
function limitCommand(flavor: Flavor, timeoutMs: number): string {
  const limit = Math.max(1, Math.round(timeoutMs))
  return traitsOf(flavor).limitsWrites
    ? `set session max_statement_time = ${limit / 1000}`
    : `set session max_execution_time = ${limit + behindMs}`
}
