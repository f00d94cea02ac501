/**
 * @module Finds expressions that depend on the time zone of a session, or on its styles of dates. Many databases compute in UTC and in
 * the style ISO whatever a client of the wire protocol has set, and would return other results than the client asks for.
 */
import { GatewayError } from '../../foundation/errors.ts'
import { located, positioned } from '../sql/bind-error.ts'
import { oids } from '../sql-types/oids.ts'
import { styledOperation, typeContains } from './styled-operation.ts'
import type { BoundStatement } from './tree/bound-query.ts'
import type { Expression } from './tree/expression.ts'
import { isWrite } from './tree/map-query.ts'
import type { SessionTimeZone } from './tree/session-time-zone.ts'
import { visitStatement } from './tree/visit-query.ts'
import { zonedOperation } from './zoned-operation.ts'

/**
 * Refuses a statement of a session in another zone than UTC or in another style than ISO: without an error it would get the days and
 * texts of UTC and ISO. Timestamps may still be shifted by intervals: a day has 24 hours then.
 *
 * @throws {GatewayError} `unsupported`, naming the first part that depends on these settings.
 */
export function refuseOtherSettings(
  statement: BoundStatement,
  { computedIn, styles }: SessionTimeZone,
): void {
  const { types } = statement.connection
  const refuseZoned = (part: Expression): void => {
    const zoned = zonedOperation(part, types)
    if (zoned !== undefined && !zoned.onlyCalendar)
      throw zoneMatters(zoned.construct, part.position)
  }
  const refuseStyled = (part: Expression): void => {
    const styled = styles && styledOperation(part, types, styles.settings)
    if (styled !== undefined) throw styleMatters(styled, part.position)
  }
  visitStatement(statement, {
    expression: (part) => {
      if (computedIn !== undefined) refuseZoned(part)
      refuseStyled(part)
    },
  })
  if (styles?.writesAbbreviations === true && returnsZoned(statement)) {
    throw styleMatters('the abbreviation of a time zone', undefined)
  }
}

/** Does a row of the answer hold timestamps with time zone? */
export function returnsZoned({ body, connection }: BoundStatement): boolean {
  const columns = isWrite(body) ? (body.returning?.columns ?? []) : body.columns
  const zoned = new Set([oids.timestamptz])
  return columns.some(({ type }) => typeContains(type, connection.types, zoned))
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

/** The error for a statement that needs another style than ISO on a database that knows that style only. */
export function styleMatters(construct: string, position: number | undefined): GatewayError {
  const message = `${construct} depends on DateStyle and IntervalStyle, which must be "ISO, MDY" and "postgres" for it`
  return new GatewayError('unsupported', located(message, position), {
    sqlState: '0A000',
    details: { hint: 'SET DateStyle, or use to_char().' },
    ...positioned(position),
  })
}
