/** @module The system tables of the built-in catalog, filled with the objects that the caller may see. */
import type { VisibleCatalog } from '@engine/core/session'
import type { BuiltinTable } from './evaluated.ts'
import { informationSchemaTables } from './information-schema-tables.ts'
import { pgCatalogTables } from './pg-catalog-tables.ts'
import { objectsOf } from './visible-objects.ts'

/** Every table that a query may name. */
export function builtinTables(visible: VisibleCatalog, database: string): readonly BuiltinTable[] {
  const objects = objectsOf(visible, database)
  return [...pgCatalogTables(objects), ...informationSchemaTables(objects)]
}
