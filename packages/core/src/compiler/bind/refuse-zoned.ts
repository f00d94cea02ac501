/**
 * @module What depends on the time zone of a session, and would be answered as of UTC: many databases compute in UTC
 * whatever zone a client of the wire protocol has set.
 */
import { GatewayError } from '../../foundation/errors.ts'
import { located, positioned } from '../sql/bind-error.ts'
import type { BoundStatement } from './tree/bound-query.ts'
import { visitStatement } from './tree/visit-query.ts'
import { zonedOperation } from './zoned-operation.ts'

/**
 * Refuses a statement of a session in another zone than UTC: silently it would get the days and texts of UTC. Moments
 * may be moved by intervals all the same: a day has 24 hours then.
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

/** For a statement that would have to be computed in another zone than UTC, and cannot be. */
export function zoneMatters(construct: string, position: number | undefined): GatewayError {
  const message = `${construct} depends on the time zone of the session, which must be UTC for it`
  return new GatewayError('unsupported', located(message, position), {
    sqlState: '0A000',
    details: { hint: "SET TIME ZONE 'UTC', or use AT TIME ZONE." },
    ...positioned(position),
  })
}
