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
  return statements.named().map(({ name, prepared, text, isFromSql, madeAtMs }) => ({
    name,
    statement: text,
    prepare_time: new Date(madeAtMs).toISOString(),
    parameter_types: prepared.parameterOids,
    from_sql: isFromSql,
  }))
}

function cursors({ portals }: SessionParts): readonly object[] {
  return [...portals.all()].map(([name, { text, madeAtMs, isBinary, isHeld, isScrollable }]) => ({
    name,
    statement: text,
    is_holdable: isHeld,
    is_binary: isBinary,
    is_scrollable: isScrollable,
    creation_time: new Date(madeAtMs).toISOString(),
  }))
}
