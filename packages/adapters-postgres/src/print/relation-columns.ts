/** @module The text of columns of a FROM item. */

import { GatewayError } from '@engine/core/adapter'
import type { Table } from '@engine/core/catalog'
import { columnName, commaList, identifier, qualifiedName, type Sql, sql } from '@engine/core/print'

/** How the rest of a statement refers to a FROM item or to the row of a write. */
export interface RelationColumns {
  /** Column by index: the catalog's for a table. */
  column(index: number): Sql
  /** A condition that is false for a null-extended row of an outer join. */
  isPresent(): Sql
}

/** Columns with names of the printer: `t5.c1`. */
export function generatedColumns(alias: Sql): RelationColumns {
  return {
    column: (index) => sql`${alias}.${columnName(index)}`,
    isPresent: () => presence(alias),
  }
}

/** Columns of a base table under an alias: `t5."id"`. */
export function tableColumns(table: Table, alias: Sql): RelationColumns {
  return {
    column: (index) => sql`${alias}.${tableColumnName(table, index)}`,
    isPresent: () => presence(alias),
  }
}

export function tableColumnName(table: Table, index: number): Sql {
  const column = table.columns[index]
  if (column === undefined) throw new GatewayError('internal', 'a column that no table has')
  return identifier(column.name)
}

/** `"public"."orders"`, `only "public"."orders"` */
export function tableName({ native, isOnly }: Table): Sql {
  const name = qualifiedName(native.schema, native.name)
  return isOnly === true ? sql`only ${name}` : name
}

/** A row of NULLs is distinct from NULL, a null-extended row of an outer join is not. */
export function presence(alias: Sql): Sql {
  return sql`(${alias}.* is distinct from null)`
}

/** `t5(c1, c2)` */
export function aliasWithColumns(alias: Sql, count: number): Sql {
  if (count === 0) return alias
  const names = Array.from({ length: count }, (_, index) => columnName(index))
  return sql`${alias}(${commaList(names)})`
}
