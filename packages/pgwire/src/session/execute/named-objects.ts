/** @module Objects of the session: the catalog's views pg_prepared_statements and pg_cursors show them. */
import { sessionObjects } from '../../catalog/pglite/prepared-database.ts'
import type { CatalogScope } from '../../catalog/wire-catalog.ts'
import type { SessionParts } from '../parts/session-parts.ts'

/** The catalog reads them from settings, as JSON. Only statements that name one of the views get them. */
export function catalogScopeOf(parts: SessionParts, sql: string): CatalogScope {
  const scope = parts.lookups.catalogScope()
  if (!/pg_prepared_statement|pg_cursor/i.test(sql)) return scope
  const settings = new Map(scope.settings)
    .set(sessionObjects.preparedStatements, JSON.stringify(preparedStatements(parts)))
    .set(sessionObjects.cursors, JSON.stringify(cursors(parts)))
  return { ...scope, settings }
}

function preparedStatements({ statements }: SessionParts): readonly object[] {
  return statements.named().map(({ name, prepared, isFromSql, madeAtMs }) => ({
    name,
    statement: prepared.statement.sql,
    prepare_time: new Date(madeAtMs).toISOString(),
    parameter_types: prepared.parameterOids,
    from_sql: isFromSql,
  }))
}

function cursors({ portals, clock }: SessionParts): readonly object[] {
  return [...portals.all()].map(([name, { statement, fields = [], isHeld, isScrollable }]) => ({
    name,
    statement: statement.sql,
    is_holdable: isHeld,
    is_binary: fields.some(({ format }) => format === 1),
    is_scrollable: isScrollable,
    creation_time: new Date(clock()).toISOString(),
  }))
}
