/**
 * @module Finds expressions that depend on the time zone of a session. Many databases compute in UTC whatever zone a client of
 * the wire protocol has set, and would return results for UTC.
 */
import { GatewayError } from '../../foundation/errors.ts'
import { located, positioned } from '../sql/bind-error.ts'
import type { BoundStatement } from './tree/bound-query.ts'
import { visitStatement } from './tree/visit-query.ts'
import { zonedOperation } from './zoned-operation.ts'

/**
 * Refuses a statement of a session in another zone than UTC: without an error it would get the days and texts of UTC. Timestamps
 * may still be shifted by intervals: a day has 24 hours then.
 *
 * @throws {GatewayError} `unsupported`, naming the first part that depends on the zone.
 */
export function refuseZoned(statement: BoundStatement): void {
  const { types } = statement.connection
  visitStatement(statement, {
    expression: (part) => {
      const zoned = zonedOperation(part, types)
      if (zoned !== undefined && !zoned.onlyCalendar)
        throw zoneMatters(zoned.construct, part.position)
    },
  })
}

/** The error for a statement that needs another zone than UTC on a database that computes in UTC only. */
export function zoneMatters(construct: string, position: number | undefined): GatewayError {
  const message = `${construct} depends on the time zone of the session, which must be UTC for it`
  return new GatewayError('unsupported', located(message, position), {
    sqlState: '0A000',
    details: { hint: "SET TIME ZONE 'UTC', or use AT TIME ZONE." },
    ...positioned(position),
  })
}
