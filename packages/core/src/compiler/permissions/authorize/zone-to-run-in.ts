/** @module The time zone that a statement runs in. Permissions are evaluated as in UTC, whatever zone a client has set. */

import { zoneMatters } from '../../bind/refuse-zoned.ts'
import type { BoundStatement, FromItem, Write } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import type { SecuredTable } from '../../bind/tree/secured-table.ts'
import type { SessionTimeZone } from '../../bind/tree/session-time-zone.ts'
import { visitExpression, visitStatement } from '../../bind/tree/visit-query.ts'
import { type ZonedOperation, zonedOperation } from '../../bind/zoned-operation.ts'
import type { AuthorizedStatement } from './authorized.ts'

interface FoundOperation extends ZonedOperation {
  readonly position: number | undefined
}

/**
 * The zone of the session where the client's own part of the statement depends on it; undefined = UTC.
 *
 * A view may compute with the zone, too, which is not visible here: permissions on its rows or cells would select others in
 * another zone. The same is true of the database's row security.
 *
 * @param bound the same statement, as bound, before permissions
 * @param hasTimeZones the database runs statements in other zones than UTC
 * @throws {GatewayError} `unsupported` where the part that permissions add depends on it, too.
 */
export function zoneToRunIn(
  bound: BoundStatement,
  authorized: AuthorizedStatement,
  timeZone: SessionTimeZone | undefined,
  hasTimeZones: boolean,
): string | undefined {
  if (timeZone?.computedIn === undefined || !hasTimeZones) return undefined
  const zoned = zonedPart(bound)
  if (zoned === undefined) return undefined
  if (!hasZonedPolicy(authorized)) return timeZone.computedIn
  if (zoned.onlyCalendar) return undefined
  throw zoneMatters(zoned.construct, zoned.position)
}

/** The first operation whose result differs in another zone, else one whose result may differ. */
function zonedPart(statement: BoundStatement): FoundOperation | undefined {
  const { types } = statement.connection
  let found: FoundOperation | undefined
  visitStatement(statement, {
    expression: (part) => {
      if (found !== undefined && !found.onlyCalendar) return
      const zoned = zonedOperation(part, types)
      if (zoned === undefined || (zoned.onlyCalendar && found !== undefined)) return
      found = { ...zoned, position: part.position }
    },
  })
  return found
}

function hasZonedPolicy(statement: AuthorizedStatement): boolean {
  const { types } = statement.connection
  let isFound = false
  const judge = (condition: Expression | undefined): void => {
    if (condition === undefined) return
    visitExpression(condition, {
      expression: (part) => {
        // Request times of permissions are computed before, in UTC.
        const isMoment = part.kind === 'requestTime'
        if (!isMoment && zonedOperation(part, types) !== undefined) isFound = true
      },
      fromItem: (item) => {
        if ('table' in item && (item.table.kind === 'view' || item.table.hasRowSecurity))
          isFound = true
      },
    })
  }
  const judgeTable = ({ filter, masks, table }: SecuredTable): void => {
    const conditions = [filter, ...masks.values()].filter((condition) => condition !== undefined)
    if (table.hasRowSecurity || (table.kind === 'view' && conditions.length > 0)) isFound = true
    conditions.forEach(judge)
  }
  visitStatement(statement, {
    fromItem: (item: FromItem) => {
      if (item.kind === 'securedTable') judgeTable(item)
    },
    write: ({ security, target }: Write) => {
      if (target.table.hasRowSecurity) isFound = true
      if (security === undefined) return
      const { rows, existing, oldConditions, check, proposed, visible } = security
      if (rows !== undefined) judgeTable(rows)
      const conditions = [existing, ...oldConditions, check, proposed, visible].filter(
        (condition) => condition !== undefined,
      )
      if (target.table.kind === 'view' && conditions.length > 0) isFound = true
      conditions.forEach(judge)
    },
  })
  return isFound
}
