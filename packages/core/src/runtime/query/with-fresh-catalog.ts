/** @module Repeats work that failed because the schema of a database has changed since its catalog was read. */
import { GatewayError } from '../../foundation/errors.ts'
import { started } from '../../foundation/finishing.ts'
import type { EngineSnapshot } from '../databases/snapshot.ts'
import type { QueryEnvironment } from './query-environment.ts'

/** Attempts at work that meets one change of the schema after the other. */
const mostAttempts = 4

/**
 * Runs `attempt`. When it fails in a way that a change of the schema explains, looks at the schemas of the connections that it
 * touched, and tries once more if one of them has changed. The failed attempt must have done nothing.
 *
 * @param touched the connections that `attempt` used.
 * @throws the error of the last attempt; `conflict` with SQLSTATE 40001 when the schema changes all the time.
 */
export function withFreshCatalog<T>(
  environment: QueryEnvironment,
  touched: ReadonlySet<string>,
  attempt: () => Promise<T>,
  conditions: RepeatConditions = {},
): Promise<T> {
  const tryOnce = (attempts: number): Promise<T> => {
    let before: EngineSnapshot | undefined
    return started(() => {
      before = environment.snapshots.current()
      return attempt()
    }).catch(async (error: unknown) => {
      await refreshAfter(error, { environment, touched, attempts, before, ...conditions })
      return tryOnce(attempts + 1)
    })
  }
  return tryOnce(1)
}

/** Asked after a failure. */
export interface RepeatConditions {
  /** False when rows were delivered, or the transaction of the statement has failed with it. Absent: true. */
  readonly mayRepeat?: () => boolean
  /** The caller holds a connection in a transaction: no reading of the catalog may wait for it. Absent: false. */
  readonly isHolding?: () => boolean
}

interface FailedAttempt extends RepeatConditions {
  readonly environment: QueryEnvironment
  readonly touched: ReadonlySet<string>
  readonly attempts: number
  /** The snapshot before the attempt; undefined where there was none. */
  readonly before: EngineSnapshot | undefined
}

/** Resolves where another attempt may succeed. @throws what the caller gets otherwise. */
async function refreshAfter(
  error: unknown,
  {
    environment,
    touched,
    mayRepeat = () => true,
    isHolding = () => false,
    attempts,
    before,
  }: FailedAttempt,
): Promise<void> {
  const { sources, snapshots, log } = environment
  if (!mayBeStale(error)) throw error
  const isCertain = error.problem === 'staleCatalog'
  if (attempts === mostAttempts) throw isCertain ? unsettled(error) : error
  await Promise.all(
    [...touched].map(async (connection) => {
      try {
        await sources.get(connection)?.refreshIfChanged(isCertain, isHolding())
      } catch (err) {
        log.warn({ connection, err }, 'the catalog could not be read again')
      }
    }),
  )
  if (!mayRepeat()) throw isCertain ? unsettled(error) : error
  const isChanged = snapshots.current() !== before
  // The adapter has prepared a stale statement again at most once: another attempt may meet a session that has not.
  if (!isChanged && !(isCertain && attempts === 1)) throw isCertain ? missingPart(error) : error
}

/**
 * Does a change of the schema explain the error? A statement that was valid, or that is only now, names what the catalog does not
 * have, or has with another type.
 */
function mayBeStale(error: unknown): error is GatewayError {
  if (!(error instanceof GatewayError) || error.isStored) return false
  const { problem, sqlState, message } = error
  if (staleProblems.has(problem)) return true
  if (sqlState === '42601') return isAboutWidth.test(message)
  return sqlState !== undefined && staleStates.has(sqlState)
}

const staleProblems: ReadonlySet<GatewayError['problem']> = new Set([
  'staleCatalog',
  'tableNotFound',
  'unknownColumn',
  'columnDenied',
])

/** The only syntax error that depends on the table: an INSERT without column names has more values than the table has columns. */
const isAboutWidth = /^INSERT has more expressions than /

/**
 * SQLSTATEs of what is missing, ambiguous or of the wrong type; of values that a column's type does not have, though another
 * type may; 428C9 for a column that was generated, or is now.
 */
const staleStates: ReadonlySet<string> = new Set(
  '22001 22003 22007 22P02 3F000 42P01 42P10 42P18 42702 42703 42704 42725 42804 42809 42846 42883 428C9'.split(
    ' ',
  ),
)

/**
 * A part that the database lacks although the catalog is fresh is not a table of the statement, but one that a trigger, a view or
 * a foreign key of such a table refers to.
 */
function missingPart(error: GatewayError): GatewayError {
  const { cause, sqlState } = error
  if (sqlState === undefined || !/^(42P01|42703|42704|3F000)$/.test(sqlState)) {
    return unsettled(error)
  }
  const message = 'A table relies on something that is not there.'
  return new GatewayError('unsupported', message, { cause, sqlState })
}

/** Nothing was executed: the client may send the statement again. */
function unsettled(cause: GatewayError): GatewayError {
  const message = 'The tables were changed at the same time: try again.'
  return new GatewayError('conflict', message, { cause, sqlState: '40001' })
}
