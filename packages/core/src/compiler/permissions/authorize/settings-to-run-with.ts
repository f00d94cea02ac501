/**
 * @module The settings that a statement runs with: its time zone, and the styles of dates and intervals. Permissions are evaluated as in
 * UTC and in the style ISO, whatever a client has set.
 */

import { returnsZoned, styleMatters, zoneMatters } from '../../bind/refuse-other-settings.ts'
import { styledOperation } from '../../bind/styled-operation.ts'
import type { BoundStatement, FromItem, Write } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import type { SecuredTable } from '../../bind/tree/secured-table.ts'
import type { SessionStyles, SessionTimeZone } from '../../bind/tree/session-time-zone.ts'
import { type StatementSettings, usualSettings } from '../../bind/tree/statement-settings.ts'
import { visitExpression, visitStatement } from '../../bind/tree/visit-query.ts'
import { type ZonedOperation, zonedOperation } from '../../bind/zoned-operation.ts'
import type { Table } from '../../catalog/catalog.ts'
import type { AuthorizedStatement } from './authorized.ts'

interface Found {
  readonly construct: string
  readonly position: number | undefined
}

interface FoundOperation extends ZonedOperation, Found {}

/**
 * The settings of the session where the client's own part of the statement depends on them; undefined = `usualSettings`.
 *
 * A view may compute with them, too, which is not visible here: permissions on its rows or cells would select others with other
 * settings. The same is true of the database's row security.
 *
 * @param bound the same statement, as bound, before permissions
 * The query of a view may choose rows by dates that it turns into texts: a caller with restricted rights must not choose them by a style.
 *
 * @param hasSettings the database runs statements with other settings than the usual ones
 * @throws {GatewayError} `unsupported` where the part that permissions add depends on them, too.
 */
export function settingsToRunWith(
  bound: BoundStatement,
  authorized: AuthorizedStatement,
  timeZone: SessionTimeZone | undefined,
  { hasSettings, isFull }: { readonly hasSettings: boolean; readonly isFull: boolean },
): StatementSettings | undefined {
  if (timeZone === undefined || !hasSettings) return undefined
  const { computedIn, styles } = timeZone
  const styled = styles && styledPart(bound, styles)
  const zoned = computedIn === undefined ? undefined : zonedPart(bound)
  if (styles !== undefined && styled !== undefined) {
    const mayChoose = !isFull && readsFilteringView(authorized)
    if (!mayChoose && !dependsOn(authorized, stylesOrZone(bound, styles))) return styles.settings
    throw styleMatters(styled.construct, styled.position)
  }
  if (computedIn === undefined || zoned === undefined) return undefined
  if (!dependsOn(authorized, zonedOnly(bound))) return { ...usualSettings, timeZone: computedIn }
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

/** The first operation whose result differs in another style, and what only the database can write. */
function styledPart(statement: BoundStatement, styles: SessionStyles): Found | undefined {
  const { types } = statement.connection
  let found: Found | undefined
  visitStatement(statement, {
    expression: (part) => {
      if (found !== undefined) return
      const construct = styledOperation(part, types, styles.settings)
      if (construct !== undefined) found = { construct, position: part.position }
    },
  })
  if (found !== undefined || !styles.writesAbbreviations || !returnsZoned(statement)) return found
  return { construct: 'the abbreviation of a time zone', position: undefined }
}

/** Does the statement name a view that may hide rows of its tables? Other views below it do not count for themselves. */
function readsFilteringView(statement: AuthorizedStatement): boolean {
  let isFound = false
  const judge = ({ kind, viewWrites }: Table): void => {
    if (kind === 'view' && viewWrites?.showsEveryRow !== true) isFound = true
  }
  visitStatement(statement, {
    fromItem: (item: FromItem) => {
      if ('table' in item) judge(item.table)
    },
    write: ({ target }: Write) => judge(target.table),
  })
  return isFound
}

/** Does the operation depend on the settings? */
type Depends = (part: Expression) => boolean

function zonedOnly({ connection: { types } }: BoundStatement): Depends {
  // Request times of permissions are computed before, in UTC.
  return (part) => part.kind !== 'requestTime' && zonedOperation(part, types) !== undefined
}

function stylesOrZone(bound: BoundStatement, { settings }: SessionStyles): Depends {
  const { types } = bound.connection
  const isZoned = settings.timeZone === 'UTC' ? () => false : zonedOnly(bound)
  return (part) => isZoned(part) || styledOperation(part, types, settings) !== undefined
}

/** Does the part of a statement depend on the settings that permissions add, or that only the database knows? */
function dependsOn(statement: AuthorizedStatement, depends: Depends): boolean {
  let isFound = false
  const judge = (condition: Expression | undefined): void => {
    if (condition === undefined) return
    visitExpression(condition, {
      expression: (part) => {
        if (depends(part)) isFound = true
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
