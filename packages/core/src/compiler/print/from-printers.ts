/** @module Prints FROM items by kind: a dialect has a function for each kind, and a missing function is a compile error. */

import { GatewayError } from '../../foundation/errors.ts'
import type { FromItem, RelationId } from '../bind/tree/bound-query.ts'
import { columnName } from './names.ts'
import { type Sql, sql } from './sql-writer.ts'
import type { PrintedColumn, RelationColumns, ValueProperties } from './value-properties.ts'

/** A table always has its security when it reaches the printer. */
type PrintedItemKind = Exclude<FromItem['kind'], 'table'>

/** A printer for each kind of item in FROM. */
export type FromPrinters<Place, Context, Printed> = {
  readonly [Kind in PrintedItemKind]: (
    item: Extract<FromItem, { kind: Kind }>,
    place: Place,
    context: Context,
  ) => Printed
}

/**
 * Prints an item of FROM with the printer of its kind.
 *
 * @param place the properties that an item gets from the joins around it.
 */
export function printFromItem<Place, Context, Printed>(
  item: FromItem,
  place: Place,
  context: Context,
  printers: FromPrinters<Place, Context, Printed>,
): Printed {
  switch (item.kind) {
    case 'table':
      throw new GatewayError('internal', 'a table reached the printer without its security')
    case 'join':
      return printers.join(item, place, context)
    case 'securedTable':
      return printers.securedTable(item, place, context)
    case 'subquery':
      return printers.subquery(item, place, context)
    case 'cte':
      return printers.cte(item, place, context)
    case 'function':
      return printers.function(item, place, context)
  }
}

/** Registers the columns of an item. Columns on the nullable side of an outer join can be NULL, whatever their properties. */
export function registerItem<Properties extends ValueProperties>(
  relation: RelationId,
  { isNullable }: { readonly isNullable: boolean },
  { relations }: { readonly relations: Map<RelationId, RelationColumns<Properties>> },
  column: (index: number) => PrintedColumn<Properties>,
): void {
  relations.set(relation, {
    column: (index) => (isNullable ? { ...column(index), isNullable: true } : column(index)),
  })
}

/** A column of a derived table or WITH query, with its name. */
export function derivedColumn<Properties>(
  alias: Sql,
  columns: readonly Properties[],
  index: number,
): Properties & { readonly sql: Sql } {
  const properties = columns[index]
  if (properties === undefined) throw new GatewayError('internal', 'a derived column is missing')
  return { ...properties, sql: sql`${alias}.${columnName(index)}` }
}

/** The number of joined tables, including those in derived tables that a database merges. */
export function tableCount(items: readonly FromItem[]): number {
  return items.reduce((count, item) => count + tablesIn(item), 0)
}

function tablesIn(item: FromItem): number {
  if (item.kind === 'join') return tablesIn(item.left) + tablesIn(item.right)
  const isOpened = item.kind === 'subquery' && item.query.kind === 'select'
  return isOpened ? Math.max(1, tableCount(item.query.from)) : 1
}
