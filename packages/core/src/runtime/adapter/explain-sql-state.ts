/** @module Maps an SQLSTATE to an error that a caller can act on, in the same words for every database. */
import type { Problem } from '../../foundation/errors.ts'

/** The problem that an SQLSTATE of a database means. */
export interface Explanation {
  readonly problem: Problem
  /** Safe for clients: contains no rows or names. */
  readonly message: string
}

/** By SQLSTATE. The problem of class 22 depends on whether a value was written. */
const explanations: ReadonlyMap<string, Explanation> = new Map<string, Explanation>([
  ['23505', { problem: 'conflict', message: 'A row with the same key exists already.' }],
  ['23P01', { problem: 'conflict', message: 'The row conflicts with another row.' }],
  [
    '23503',
    { problem: 'conflict', message: 'A referenced row does not exist or is still in use.' },
  ],
  [
    '23001',
    { problem: 'conflict', message: 'A referenced row does not exist or is still in use.' },
  ],
  ['23502', { problem: 'invalidValue', message: 'A column that requires a value has none.' }],
  ['23514', { problem: 'invalidValue', message: 'A value violates a check of the table.' }],
  ['428C9', { problem: 'invalidValue', message: 'A generated column cannot be written.' }],
  ['44000', { problem: 'checkFailed', message: 'The row violates the check of the view.' }],
  ['21000', { problem: 'dataError', message: 'More than one row stands where one is allowed.' }],
  ['25006', { problem: 'permissionDenied', message: 'The connection is read-only.' }],
  ['42501', { problem: 'permissionDenied', message: 'The database does not permit this.' }],
  ['40001', { problem: 'conflict', message: 'The rows were changed at the same time: try again.' }],
  ['40P01', { problem: 'conflict', message: 'The rows were changed at the same time: try again.' }],
  ['55P03', { problem: 'conflict', message: 'The rows are locked: try again.' }],
  ['57014', { problem: 'queryTimeout', message: 'The query took too long.' }],
  ['42P10', { problem: 'badRequest', message: 'No unique key matches the ON CONFLICT columns.' }],
  ['42883', { problem: 'unsupported', message: 'The database lacks a function or operator.' }],
  ['55000', { problem: 'unsupported', message: 'The table or view does not allow this.' }],
  ['0A000', { problem: 'unsupported', message: 'The database does not support this.' }],
  ['42P01', { problem: 'staleCatalog', message: 'A table is not there any more.' }],
  ['42703', { problem: 'staleCatalog', message: 'A column is not there any more.' }],
  ['42704', { problem: 'staleCatalog', message: 'A type is not there any more.' }],
  ['3F000', { problem: 'staleCatalog', message: 'A schema is not there any more.' }],
])

/** For class 22. */
const dataMessages: ReadonlyMap<string, string> = new Map([
  ['22001', 'A text is too long.'],
  ['22003', 'A number is out of range.'],
  ['22007', 'A text is not a date or time.'],
  ['22008', 'A date or time is out of range.'],
  ['22012', 'Division by zero.'],
  ['2201B', 'A regular expression is invalid.'],
  ['2201W', 'LIMIT must not be negative.'],
  ['2201X', 'OFFSET must not be negative.'],
  ['22P02', 'A text cannot be read as a value of the type.'],
  ['22P05', 'A character cannot be stored.'],
])

/** By the first two characters of the SQLSTATE. */
const classes: ReadonlyMap<string, Explanation> = new Map<string, Explanation>([
  ['08', { problem: 'unavailable', message: 'The database cannot be reached.' }],
  ['28', { problem: 'unavailable', message: 'The database cannot be reached.' }],
  ['3D', { problem: 'unavailable', message: 'The database cannot be reached.' }],
  ['53', { problem: 'unavailable', message: 'The database is out of resources.' }],
  ['57', { problem: 'unavailable', message: 'The database is not available.' }],
  ['54', { problem: 'limitExceeded', message: 'The statement exceeds a limit of the database.' }],
  ['P0', { problem: 'invalidValue', message: 'The database refused the operation.' }],
  ['38', { problem: 'dataError', message: 'A function of the database failed.' }],
  ['39', { problem: 'dataError', message: 'A function of the database failed.' }],
])

const unexpected: Explanation = { problem: 'internal', message: 'The database reported an error.' }

/** The error of an SQLSTATE for a client; a state that no caller can act on is `internal`. */
export function explainSqlState(sqlState: string, isWrite: boolean): Explanation {
  const known = explanations.get(sqlState) ?? classes.get(sqlState.slice(0, 2))
  if (known !== undefined) return known
  if (!sqlState.startsWith('22')) return unexpected
  return {
    problem: isWrite ? 'invalidValue' : 'dataError',
    message: dataMessages.get(sqlState) ?? 'A value cannot be processed.',
  }
}

/**
 * Is a database error with this state about the statement, its rights or the database, and not about values? Then its text quotes
 * no stored row, unless a function in the database raised it.
 */
export function isAboutStatement(sqlState: string): boolean {
  return statementClasses.has(sqlState.slice(0, 2))
}

const statementClasses: ReadonlySet<string> = new Set(
  '08 0A 25 26 28 34 3D 3F 40 42 53 54 55 57 58'.split(' '),
)
