/** @module The calls that a clause forbids, with PostgreSQL's messages. */
import { bindError } from '../../sql/bind-error.ts'
import type { CallCounts } from './call-counts.ts'
import type { Clause, ExpressionEnvironment } from './context.ts'

const clausePlaces: Readonly<Record<Clause, string>> = {
  SELECT: 'SELECT',
  WHERE: 'WHERE',
  'JOIN/ON': 'JOIN conditions',
  'GROUP BY': 'GROUP BY',
  HAVING: 'HAVING',
  'ORDER BY': 'ORDER BY',
  'DISTINCT ON': 'DISTINCT ON',
  VALUES: 'VALUES',
  UPDATE: 'UPDATE',
  RETURNING: 'RETURNING',
  LIMIT: 'LIMIT',
  OFFSET: 'OFFSET',
  FROM: 'functions in FROM',
  FILTER: 'FILTER',
  WINDOW: 'window definitions',
  'ON CONFLICT': 'ON CONFLICT',
  WHEN: 'MERGE WHEN conditions',
}

/** @throws {GatewayError} `badRequest` (42803) where aggregates are not allowed. */
export function requireAggregates(
  environment: ExpressionEnvironment,
  position: number | undefined,
  what = 'aggregate functions',
): void {
  if (environment.aggregates === 'allowed') return
  throw bindError(`${what} are not allowed in ${clausePlaces[environment.clause]}`, {
    sqlState: '42803',
    position,
  })
}

/** @throws {GatewayError} `badRequest` (42P20) where window calls are not allowed. */
export function requireWindows(
  environment: ExpressionEnvironment,
  position: number | undefined,
): void {
  if (environment.windows === 'allowed') return
  throw bindError(`window functions are not allowed in ${clausePlaces[environment.clause]}`, {
    sqlState: '42P20',
    position,
  })
}

const setClauses: ReadonlySet<Clause> = new Set<Clause>([
  'SELECT',
  'GROUP BY',
  'ORDER BY',
  'DISTINCT ON',
  'FROM',
])

/**
 * @param isSet does the call itself return a set?
 * @param inArguments the calls found in its arguments.
 * @throws {GatewayError} `badRequest` (0A000) where a set-returning function is not allowed.
 */
export function requireSets(
  isSet: boolean,
  inArguments: CallCounts,
  environment: ExpressionEnvironment,
  position: number | undefined,
): void {
  const { clause } = environment
  if (clause === 'FROM' && inArguments.sets > 0) {
    const message = 'set-returning functions must appear at top level of FROM'
    throw bindError(message, { sqlState: '0A000', position })
  }
  if (!isSet || setClauses.has(clause)) return
  throw bindError(`set-returning functions are not allowed in ${clausePlaces[clause]}`, {
    sqlState: '0A000',
    position,
  })
}
