import { GatewayError } from '@engine/core/adapter'
import type { Table, TypeSystem } from '@engine/core/catalog'
import { identifier, keyword, type Sql, sql } from '@engine/core/print'

/** `=` of a column's type, with its schema where an extension made the type. */
export function equalityOf(types: TypeSystem, table: Table, column: number): Sql {
  const found = table.columns[column]
  if (found === undefined) throw new GatewayError('internal', 'a column that no table has')
  const schema = types.comparison(found.type.oid)?.equal.schema
  return schema === undefined ? keyword('=') : sql`operator(${identifier(schema)}.=)`
}
