import {
  GatewayError,
  identifier,
  keyword,
  type Sql,
  sql,
  type Table,
  type TypeSystem,
} from '@engine/core/adapter'

/** `=` of a column's type, with its schema where an extension made the type. */
export function equalityOf(types: TypeSystem, table: Table, column: number): Sql {
  const found = table.columns[column]
  if (found === undefined) throw new GatewayError('internal', 'a column that no table has')
  const schema = types.comparison(found.type.oid)?.equal.schema
  return schema === undefined ? keyword('=') : sql`operator(${identifier(schema)}.=)`
}
