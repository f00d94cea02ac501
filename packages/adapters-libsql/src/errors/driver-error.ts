/** @module Maps errors of a libSQL server to errors that a caller can act on. Its own messages go only to the log. */
import {
  sqlStateOfCode,
  sqlStateOf as stateOfValue,
  violationOf,
} from '@engine/adapters-sqlite/dialect'
import {
  type DatabaseReport,
  explainSqlState,
  GatewayError,
  isAboutStatement,
} from '@engine/core/adapter'
import { LibsqlError } from '@libsql/client/web'

/** @param error any value that the client threw */
export function driverError(error: unknown, isWrite: boolean): GatewayError {
  if (error instanceof GatewayError) return error
  const sqlState = sqlStateOf(error)
  const report = reportOf(error, sqlState)
  if (sqlState === '40001') {
    const message = 'The server has ended the transaction: try it again.'
    return new GatewayError('conflict', message, { sqlState, cause: error, report })
  }
  if (sqlState === '0A000') {
    const message = 'The statement needs something that this libSQL server does not have.'
    return new GatewayError('unsupported', message, { sqlState, cause: error, report })
  }
  const { problem, message } = explainSqlState(sqlState, isWrite)
  const violation = sqlState.startsWith('23') ? violationOf(textOf(error), undefined) : undefined
  return new GatewayError(problem, message, { sqlState, cause: error, violation, report })
}

function reportOf(error: unknown, sqlState: string): DatabaseReport | undefined {
  if (!(error instanceof LibsqlError)) return undefined
  return { code: error.code, text: textOf(error), isAboutStatement: isAboutStatement(sqlState) }
}

function sqlStateOf(error: unknown): string {
  // Values that the protocol cannot carry: infinities.
  if (isCausedBy(error, RangeError)) return '0A000'
  if (!(error instanceof LibsqlError)) {
    // Values that cannot be bound; otherwise errors of `fetch` and sockets.
    return (error instanceof Error ? stateOfValue(error) : undefined) ?? '08006'
  }
  const text = textOf(error)
  switch (error.code) {
    case 'SQL_PARSE_ERROR':
      return '0A000'
    case 'SQL_INPUT_ERROR':
    case 'SQLITE_UNKNOWN':
    case 'SQLITE_ERROR':
      return sqlStateOfCode('SQLITE_ERROR', text.replace(/^SQL input error: /, ''))
    case 'SQLITE_CONSTRAINT':
      return constraintState(text)
    case 'SQL_NO_STATEMENT':
    case 'SQL_MANY_STATEMENTS':
      return 'XX000'
    // The transaction was idle, or blocked another one, for too long.
    case 'TRANSACTION_TIMEOUT':
    case 'TRANSACTION_CLOSED':
    case 'STREAM_EXPIRED':
      return '40001'
    case 'TRANSACTION_BUSY':
      return '57P03'
    default:
      return error.code.startsWith('SQLITE_') ? sqlStateOfCode(error.code, text) : '08006'
  }
}

/** Without the codes before SQLite's own text. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return error.message.replace(/^(?:[A-Z_]+: )+/, '').replace(/^SQLite error: /, '')
}

function isCausedBy(error: unknown, kind: new () => Error): boolean {
  if (error instanceof kind) return true
  return error instanceof Error && isCausedBy(error.cause, kind)
}

/** The server returns no extended code, but SQLite's message names the kind of constraint. */
const constraints: readonly (readonly [start: string, sqlState: string])[] = [
  ['UNIQUE', '23505'],
  ['FOREIGN KEY', '23503'],
  ['NOT NULL', '23502'],
  ['CHECK', '23514'],
]

function constraintState(text: string): string {
  return constraints.find(([start]) => text.startsWith(start))?.[1] ?? '23514'
}
