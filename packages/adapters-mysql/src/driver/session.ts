/** @module One server connection: statements prepared once and executed with values of their own, one at a time. */
import type { Duplex } from 'node:stream'
import { connectionLost, noAnswer } from '@engine/core/adapter'
import type { Connection, RowDataPacket } from 'mysql2'
import { isServerError, isStaleStatement } from '../driver-error.ts'
import type { Flavor } from '../flavor.ts'
import type { BoundValue } from '../values/bind-value.ts'
import type { ColumnDescription } from '../values/column-guard.ts'
import type { DriverValue } from '../values/driver-value.ts'
import { countWarnings } from './warnings.ts'

export interface MysqlSession {
  /** Id of the connection's thread, for stopping its statement. */
  readonly threadId: number
  readonly flavor: Flavor
  /**
   * Prepares a statement unless it already is, and executes it. Rejects with the driver's error, or with the error of a listener,
   * when the server is done.
   */
  execute(sql: string, values: readonly BoundValue[], listener: ResultListener): Promise<Outcome>
  /** Runs a command of the adapter itself. */
  command(text: string): Promise<void>
  /** Returns the rows of a query of the adapter itself. */
  rows(sql: string, values?: readonly string[]): Promise<readonly (readonly DriverValue[])[]>
  /** Lets the server stop statements after this number of milliseconds, if the server can. */
  limitTime(timeoutMs: number): Promise<void>
  /** Call it when a transaction was opened or has ended. */
  setInTransaction(isOpen: boolean): void
  /** May another request use the session? */
  isIdle(): boolean
  /** Marks the session as never to be used again. */
  condemn(): void
  /** Can it still be written to, as far as the client side knows? */
  isAlive(): boolean
  /** Ends the session with the protocol's quit command, and closes it. */
  close(): void
}

export interface Outcome {
  /** Rows that a write found. */
  readonly affectedRows: number
  /** For a statement with rows. */
  readonly warningCount: number
}

/** Receives the answer to a statement. */
export interface ResultListener {
  /** Before the first row. */
  readonly onColumns?: ((columns: readonly ColumnDescription[]) => void) | undefined
  readonly onRow: (row: readonly DriverValue[]) => void
}

/** How long after a timeout the server may still answer, in milliseconds. */
const graceMs = 5_000

/** Allowed for commands before any timeout was set, in milliseconds. */
const setUpMs = 10_000

/** Rows that the caller no longer needs; when there are more of them, the connection is closed instead. */
const mostSkipped = 10_000

/** Settles a command that waits for the server's final answer. */
type Settle = (error: unknown) => void

export function createSession(
  connection: Connection,
  threadId: number,
  flavor: Flavor,
): MysqlSession {
  let running: Settle | undefined
  let limitMs: number | undefined
  let isInTransaction = false
  let isCondemned = false
  let isLost = false

  const breakDown = (error: unknown) => {
    isLost = true
    running?.(error)
  }
  const warningCount = countWarnings(connection)
  connection.on('error', (error) => breakDown(connectionLost(error)))
  connection.on('end', () => breakDown(connectionLost(undefined)))

  /** Only the waiting statement receives a connection reset: an error that is not a report of the server ends the connection. */
  const reported = (error: unknown): unknown => {
    if (!isServerError(error)) isLost = true
    return error
  }

  /** Breaks the connection when the server does not answer in time, so that no caller waits for ever. */
  const run = <T>(start: (resolve: (value: T) => void, reject: Settle) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      const settle = () => {
        running = undefined
        clearTimeout(timer)
      }
      const fail: Settle = (error) => {
        settle()
        reject(error)
      }
      const timer = setTimeout(
        () => {
          breakDown(noAnswer())
          hangUp()
        },
        (limitMs ?? setUpMs) + graceMs,
      )
      running = fail
      start((value) => {
        settle()
        resolve(value)
      }, fail)
    })

  /** The driver's own `destroy` waits for the server. */
  const hangUp = () => {
    isLost = true
    const { stream } = connection as unknown as { readonly stream: Duplex }
    stream.destroy()
  }

  const command = (text: string): Promise<void> =>
    run((resolve, reject) => {
      connection.query(text, (error) => {
        if (error === null) resolve()
        else reject(reported(error))
      })
    })

  return {
    threadId,
    flavor,
    execute: (sql, values, { onColumns, onRow }) =>
      run((resolve, reject) => {
        let affectedRows = 0
        let skipped = 0
        let failure: { readonly error: unknown } | undefined
        /** An error thrown here would surface inside the driver's parser. */
        const guarded = (work: () => void) => {
          try {
            work()
          } catch (error) {
            failure = { error }
          }
        }
        const execution = connection.execute({ sql, values: [...values] })
        execution.on('fields', (columns: readonly ColumnDescription[] | undefined) => {
          if (columns !== undefined) guarded(() => onColumns?.(columns))
        })
        execution.on('result', (row: readonly DriverValue[] | WriteResult) => {
          if (failure !== undefined) {
            skipped += 1
            if (skipped === mostSkipped) {
              breakDown(failure.error)
              hangUp()
            }
            return
          }
          if (isWriteResult(row)) {
            affectedRows = row.affectedRows
            return
          }
          guarded(() => onRow(row))
        })
        execution.on('error', (error) => {
          failure ??= { error: reported(error) }
          if (isStaleStatement(error)) connection.unprepare(sql)
        })
        execution.on('end', () => {
          if (failure === undefined) resolve({ affectedRows, warningCount: warningCount() })
          else reject(failure.error)
        })
      }),
    command,
    rows: (sql, values = []) =>
      run((resolve, reject) => {
        connection.execute<RowDataPacket[][]>(sql, [...values], (error, rows) => {
          // Rows are arrays here, which the driver's types do not express.
          if (error === null) resolve(rows as unknown as readonly (readonly DriverValue[])[])
          else reject(reported(error))
        })
      }),
    limitTime: async (timeoutMs) => {
      if (limitMs === timeoutMs) return
      limitMs = undefined
      await command(limitCommand(flavor, timeoutMs))
      limitMs = timeoutMs
    },
    setInTransaction: (isOpen) => {
      isInTransaction = isOpen
    },
    isIdle: () => !isCondemned && !isLost && !isInTransaction && running === undefined,
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

interface WriteResult {
  readonly affectedRows: number
}

function isWriteResult(row: readonly DriverValue[] | WriteResult): row is WriteResult {
  return !Array.isArray(row)
}

/** MySQL's own time limit applies to reads only. */
function limitCommand({ kind }: Flavor, timeoutMs: number): string {
  const limit = Math.max(1, Math.round(timeoutMs))
  return kind === 'mariadb'
    ? `set session max_statement_time = ${limit / 1000}`
    : `set session max_execution_time = ${limit}`
}
