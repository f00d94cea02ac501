/**
 * @module Converts errors of MariaDB and MySQL to errors that a caller can act on. The original texts go to the log only: they
 * quote rows.
 */
import {
  checkFailed,
  connectionLost,
  type DatabaseReport,
  explainSqlState,
  GatewayError,
  isAboutStatement,
} from '@engine/core/adapter'

import { isCheckFailure, raisedSqlState } from '../print/raise.ts'
import type { TargetTable } from './target-table.ts'
import { violationOf } from './violation.ts'

/** An error that the server reported, as mysql2 throws it. */
export interface ServerError extends Error {
  /** `1062` */
  readonly errno: number
  /** The server's own SQLSTATE, less specific than PostgreSQL's. */
  readonly sqlState: string
}

/** PostgreSQL's SQLSTATE by error number. */
const states: ReadonlyMap<number, string> = new Map([
  ...numbered('23505', 1022, 1062, 1169, 1586, 1859),
  ...numbered('23503', 1216, 1217, 1451, 1452, 1701, 1834),
  // 1067, 1978: a column without a value has a default that the session refuses.
  ...numbered('23502', 1048, 1067, 1263, 1364, 1566, 1978),
  ...numbered('23514', 3819, 4025),
  ...numbered('44000', 1369),
  ...numbered('22001', 1406),
  ...numbered('22003', 1264, 1690, 1916),
  // 1265: an ENUM or SET does not have this text.
  ...numbered('22P02', 1265, 1366, 3140, 3141, 3156),
  ...numbered('22007', 1292, 1411, 1525),
  ...numbered('22008', 1441),
  ...numbered('22012', 1365),
  ...numbered(
    '2201B',
    1139,
    3685,
    3686,
    3687,
    3688,
    3689,
    3690,
    3691,
    3692,
    3693,
    3694,
    3695,
    3696,
    3697,
  ),
  ...numbered('22P05', 1300, 1977, 3854, 3988),
  ...numbered('21000', 1242),
  ...numbered('428C9', 1906, 3105),
  ...numbered('25006', 1290, 1792, 1836),
  ...numbered('42501', 1142, 1143, 1227, 1370, 1419),
  ...numbered('40001', 1020, 1213, 3101),
  ...numbered('55P03', 1099, 1205, 3572),
  ...numbered('57014', 1028, 1317, 1969, 3024),
  ...numbered('42P01', 1049, 1051, 1146, 1932),
  ...numbered('42703', 1054),
  ...numbered('42883', 1128, 1305, 1630),
  ...numbered('55000', 1288, 1348, 1356, 1394, 1395, 1442, 1443, 1471),
  ...numbered('54000', 1, 23, 24, 1038, 1116, 1118, 1117, 1153, 1301, 1390, 1436, 1473, 3636, 1104),
  // A regular expression over a long text.
  ...numbered('54000', 3698, 3699),
  // More than 127 calls with OVER in one SELECT of MySQL, also with the same window.
  ...numbered('54000', 4086),
  ...numbered('53000', 1021, 1037, 1041, 1114, 1135, 1206, 1461, 3015),
  ...numbered('53300', 1040, 1203, 1226),
  ...numbered('57P01', 1053, 1077, 1079, 1927, 1152, 1158, 1159, 1160, 1161, 1184, 3169),
  ...numbered('22014', 4024),
  // Printed combinations that the server has no rule for.
  ...numbered(
    '0A000',
    1109,
    1111,
    1210,
    1221,
    1235,
    1241,
    1247,
    1253,
    1267,
    1270,
    1271,
    3995,
    4178,
  ),
  ...numbered('0A000', 3666, 6432),
  ...numbered(
    '0A000',
    4006,
    4007,
    4008,
    4012,
    4015,
    4016,
    4017,
    4018,
    4019,
    4020,
    4021,
    4022,
    4023,
  ),
  ...numbered(
    '0A000',
    3579,
    3580,
    3581,
    3582,
    3583,
    3584,
    3587,
    3588,
    3591,
    3593,
    3599,
    4078,
    4104,
  ),
  ...numbered('28000', 1044, 1045, 1130, 1396, 1524, 1698, 1862, 1820),
  ...numbered('P0001', 1644, 1642, 1643),
])

function numbered(
  sqlState: string,
  ...errnos: readonly number[]
): readonly (readonly [number, string])[] {
  return errnos.map((errno) => [errno, sqlState])
}

/**
 * Wraps an error of the driver; an error of the engine is returned unchanged.
 *
 * @param target the table that was written to, if known
 */
export function driverError(error: unknown, isWrite: boolean, target?: TargetTable): GatewayError {
  if (error instanceof GatewayError) return error
  if (isNetworkError(error)) return connectionLost(error)
  if (!isServerError(error)) {
    return new GatewayError('internal', 'A statement could not be run.', { cause: error })
  }
  if (error.errno === outOfRange && isCheckFailure(error.message)) return checkFailed()
  const raised = raisedState(error)
  const sqlState =
    raised ?? textState(error) ?? zeroDateState(error, target) ?? states.get(error.errno) ?? 'XX000'
  const { problem, message } = explainSqlState(sqlState, isWrite)
  return new GatewayError(problem, message, {
    cause: error,
    sqlState,
    report: raised === undefined ? reportOf(error, sqlState) : undefined,
    violation: violationOf(error, target),
  })
}

function reportOf({ errno, message }: ServerError, sqlState: string): DatabaseReport {
  return { code: String(errno), text: message, isAboutStatement: isAboutStatement(sqlState) }
}

/**
 * Is it the server's report on a statement, after which the connection can still be used? The driver's own errors have no
 * SQLSTATE.
 */
export function isServerError(error: unknown): error is ServerError {
  if (!(error instanceof Error)) return false
  const { errno, sqlState, fatal } = error as Partial<ServerError> & { readonly fatal?: boolean }
  return typeof errno === 'number' && typeof sqlState === 'string' && fatal !== true
}

/** The driver marks an error that ends the connection as fatal; Node gives socket errors a code. */
function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error) || isServerError(error)) return false
  const { fatal, code } = error as { readonly fatal?: unknown; readonly code?: unknown }
  return fatal === true || typeof code === 'string'
}

/** An integer overflow, which the printer's expressions use to fail. */
const outOfRange = 1690

/** The SQLSTATE that an expression of the printer raised. */
function raisedState({ errno, message }: ServerError): string | undefined {
  return errno === outOfRange ? raisedSqlState(message) : undefined
}

/** For a parameter that a window function does not take: PostgreSQL has rules of its own for the last two. */
const argumentStates: ReadonlyMap<string, string> = new Map([
  ['Incorrect arguments to ntile', '22014'],
  ['Incorrect arguments to nth_value', '22016'],
  ['Incorrect arguments to lag', '0A000'],
  ['Incorrect arguments to lead', '0A000'],
])

/**
 * The SQLSTATE of an error whose number has several causes, by its message, which is English: a text with a character that the
 * column's character set does not have has the number of a text that is not a number.
 */
function textState({ errno, message }: ServerError): string | undefined {
  if (errno === 1366 && message.startsWith('Incorrect string value: ')) return '22P05'
  return errno === 1210 ? argumentStates.get(message) : undefined
}

/**
 * The SQLSTATE for a required date without a value: MySQL reports the zero date that is the column's default, which the sessions
 * refuse, as a wrong value. MariaDB has an error of its own.
 */
function zeroDateState(error: ServerError, target: TargetTable | undefined): string | undefined {
  const column = error.errno === wrongValue ? zeroDate.exec(error.message)?.[1] : undefined
  return column !== undefined && target?.requiredDates.has(column) ? '23502' : undefined
}

const wrongValue = 1292

/** `Incorrect datetime value: '0000-00-00 00:00:00' for column 'at' at row 1` */
const zeroDate =
  /^Incorrect \w+ value: '\d{4}-(?:00-\d\d|\d\d-00)(?: 00:00:00)?' for column '([^']+)' at row \d+$/

/**
 * Does the server refuse a prepared statement: a table has changed, or the statement no longer exists (a proxy switched to
 * another connection)? Then nothing was executed, and preparing again helps.
 */
export function isStaleStatement(error: unknown): boolean {
  return isServerError(error) && (error.errno === 1615 || error.errno === 1243)
}
