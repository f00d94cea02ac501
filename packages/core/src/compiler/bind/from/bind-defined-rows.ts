/** @module Records in FROM whose columns a definition list names: `unnest(array[row(1, 'a')]) as t(a int, b text)`. */
import type { FuncCall, RangeFunction } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { RowField } from '../../sql-types/sql-type.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import type { BindContext } from '../scope/context.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import { type BoundItem, type FromPlace, lateralScope } from '../scope/from-item.ts'
import { columnsOf, plainEntry, renameColumns } from '../scope/range-table-entry.ts'
import { nameParts } from '../scope/syntax-node.ts'
import { bindTypeName } from '../scope/type-name.ts'

/**
 * Undefined for functions that read their rows from JSON, and for those that return no records.
 *
 * @throws {GatewayError} `badRequest` (42804) where the records have other fields than the list.
 */
export function bindDefinedRows(
  call: FuncCall,
  node: RangeFunction,
  place: FromPlace,
): BoundItem | undefined {
  const { location: position } = call
  const name = nameParts(call.funcname, 'this function', position).at(-1) ?? ''
  if (name !== 'unnest') return undefined
  const { context } = place
  const environment = clauseEnvironment(
    context,
    lateralScope(place, () => undefined),
    'FROM',
  )
  const bound = bindExpression({ FuncCall: call }, environment)
  if (bound.kind !== 'call' || bound.type.oid !== oids.record) return undefined
  if (bound.function.outputColumns !== undefined) return undefined
  if (node.ordinality === true) {
    const message = 'WITH ORDINALITY cannot be used with a column definition list'
    throw bindError(message, { sqlState: '42601', position })
  }
  const fields = bound.args[0]?.type.fields
  if (fields === undefined) throw unsupported('a column definition list here', position)
  const columns = definedColumns(node, fields, context, position)
  const id = context.nextId()
  const itemName = node.alias?.aliasname ?? name
  const what = `table "${itemName}"`
  const named = renameColumns(columnsOf(id, columns), node.alias, what, position)
  return {
    item: {
      kind: 'function',
      id,
      call: { ...bound, type: { ...bound.type, fields: columns } },
      columns,
      withOrdinality: false,
    },
    sources: [plainEntry(itemName, named, id)],
  }
}

/** A record in a column keeps its fields. */
function definedColumns(
  { coldeflist = [] }: RangeFunction,
  fields: readonly RowField[],
  context: BindContext,
  position: number | undefined,
): readonly RowField[] {
  const columns = coldeflist.map((definition, i): RowField => {
    const { colname = '', typeName } = 'ColumnDef' in definition ? definition.ColumnDef : {}
    if (typeName === undefined) throw unsupported('this column definition', position)
    const type = bindTypeName(typeName, context)
    const field = fields[i]?.type
    return { name: colname, type: field?.oid === type.oid ? field : type }
  })
  const isSame =
    columns.length === fields.length && columns.every(({ type }, i) => type === fields[i]?.type)
  if (isSame) return columns
  const message = 'function return row and query-specified return row do not match'
  throw bindError(message, { sqlState: '42804', position })
}
