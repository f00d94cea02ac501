/** @module The reason why a statement failed, as plain data: it crosses threads, which an error class cannot. */
import { sqlStateOf } from '../functions/register/sql-error.ts'

export type Fault =
  | {
      readonly kind: 'database'
      /** PostgreSQL's state for the error. */
      readonly sqlState: string
      readonly cause: Cause
    }
  /** A written row violates the permission, or an assertion of the plan does not hold. */
  | { readonly kind: 'checkFailed' }
  /** A value is not of the type of its column, for a client that relies on types. */
  | { readonly kind: 'misfit'; readonly column: string }
  /** The schema has changed since the introspection. */
  | { readonly kind: 'schemaChanged' }
  /** Stopped at its deadline, or because the caller no longer waits. */
  | { readonly kind: 'interrupted' }

/** For the log only. */
export interface Cause {
  readonly name: string
  readonly message: string
  /** SQLite's own: `SQLITE_CONSTRAINT_UNIQUE`. */
  readonly code: string | undefined
  readonly stack: string | undefined
}

const faultOf = new WeakMap<Error, Fault>()

/** Carries a fault up the stack, through SQLite where a function of the adapter threw it. */
export function faultError(fault: Fault): Error {
  const error = new Error(fault.kind)
  faultOf.set(error, fault)
  return error
}

/** The fault of a thrown error. */
export function describeFault(error: unknown): Fault {
  if (!(error instanceof Error)) return databaseFault('XX000', new Error(String(error)))
  return faultOf.get(error) ?? databaseFault(sqlStateOf(error) ?? stateOfDriverError(error), error)
}

export function databaseFault(sqlState: string, error: Error): Fault {
  const { name, message, stack } = error
  return { kind: 'database', sqlState, cause: { name, message, code: codeOf(error), stack } }
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error) ?? '')
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** SQLSTATE by SQLite's extended result code. */
const states: ReadonlyMap<string, string> = new Map([
  ['SQLITE_CONSTRAINT_UNIQUE', '23505'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', '23505'],
  ['SQLITE_CONSTRAINT_ROWID', '23505'],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'],
  ['SQLITE_CONSTRAINT_NOTNULL', '23502'],
  ['SQLITE_CONSTRAINT_CHECK', '23514'],
  ['SQLITE_CONSTRAINT_DATATYPE', '22P02'],
  ['SQLITE_CONSTRAINT_TRIGGER', 'P0001'],
  ['SQLITE_MISMATCH', '22P02'],
  ['SQLITE_ERROR_MISSING_COLLSEQ', '55000'],
  ['SQLITE_SCHEMA', '42P01'],
  ['SQLITE_RANGE', '54000'],
  ['SQLITE_TOOBIG', '54000'],
  ['SQLITE_NOMEM', '53200'],
  ['SQLITE_FULL', '53100'],
  ['SQLITE_READONLY', '25006'],
  ['SQLITE_PERM', '42501'],
  ['SQLITE_AUTH', '42501'],
])

/** By the first word after `SQLITE_`, where the extended code gives no more detail. */
const families: ReadonlyMap<string, string> = new Map([
  ['CONSTRAINT', '23514'],
  ['BUSY', '57P03'],
  ['LOCKED', '57P03'],
  ['PROTOCOL', '57P03'],
  ['READONLY', '25006'],
  ['CANTOPEN', '08001'],
  ['IOERR', '08006'],
  ['NOTADB', '08006'],
  ['CORRUPT', '08006'],
])

function stateOfDriverError(error: Error): string {
  const code = codeOf(error)
  if (code === undefined) return error instanceof RangeError ? '54000' : 'XX000'
  return sqlStateOfCode(code, error.message)
}

/**
 * The SQLSTATE of an error of SQLite.
 *
 * @param code SQLite's own, extended if known
 */
export function sqlStateOfCode(code: string, message: string): string {
  if (code === 'SQLITE_ERROR') return stateOfMessage(message)
  return states.get(code) ?? families.get(code.split('_')[1] ?? '') ?? 'XX000'
}

/**
 * SQLite has one code, SQLITE_ERROR, for all faults of a statement or its values: only the text distinguishes them. An unknown
 * text is a fault of the adapter.
 *
 * @see https://www.sqlite.org/rescode.html#error
 */
const messages: readonly (readonly [pattern: RegExp, sqlState: string])[] = [
  [/^no such (table|view)|^no such index/, '42P01'],
  [/^no such column|has no column named|^table .* has \d+ columns/, '42703'],
  [/^foreign key mismatch/, '55000'],
  [/^cannot modify .* because it is a view|^table .* may not be modified/, '55000'],
  // SQLite itself has rolled back the whole transaction, for example because the disk was full.
  [/^no such savepoint/, '40001'],
  [/integer overflow/, '22003'],
  [/^malformed JSON|^JSON (path|cannot)|^bad JSON path/, '22P02'],
  [/pattern too complex|^parser stack overflow|too (many|large|big|deep)|^at most/, '54000'],
  [/maximum depth|string or blob too big|^recursion limit/i, '54000'],
  [/ON CONFLICT clause does not match/, '42P10'],
  [/^unsafe use of/, '55000'],
]

function stateOfMessage(message: string): string {
  return messages.find(([pattern]) => pattern.test(message))?.[1] ?? 'XX000'
}
