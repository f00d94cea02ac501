import type { Node, RangeFunction } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { RowField } from '../../sql-types/sql-type.ts'
import { resolveUnknown } from '../coercion/coerce.ts'
import { fieldsOfType } from '../coercion/row-type.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import { type BoundItem, type FromPlace, lateralScope } from '../scope/from-item.ts'
import { derivedName } from '../scope/output-name.ts'
import { columnsOf, plainEntry, renameColumns } from '../scope/range-table-entry.ts'
import { listItems, positionOf } from '../scope/syntax-node.ts'
import type { OutputColumn } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { bindDefinedRows } from './bind-defined-rows.ts'
import { bindRecordRows, bindRowsOfTable } from './bind-record-rows.ts'
import { bindSideBySide, unnestsOf } from './bind-unnest.ts'

/** A function in FROM; its arguments see the items before it, with or without LATERAL. */
export function bindFromFunction(node: RangeFunction, place: FromPlace): BoundItem {
  const calls = callsOf(node)
  const [call, ...others] = calls.flatMap((each) => unnestsOf(each) ?? each)
  if (call === undefined) throw unsupported('this function in FROM', undefined)
  if (others.length > 0) return bindSideBySide([call, ...others], node, place)
  if (node.coldeflist !== undefined) return bindDefinedColumns(call, node, place)
  const rows = 'FuncCall' in call ? bindRowsOfTable(call.FuncCall, node, place) : undefined
  if (rows !== undefined) return rows
  const position = positionOf(call)
  const { context } = place
  const scope = lateralScope(place, () => undefined)
  const environment = clauseEnvironment(context, scope, 'FROM')
  const bound = resolveUnknown(bindExpression(call, environment), environment)
  const { alias } = node
  const name = alias?.aliasname ?? derivedName(call, bound)
  const withOrdinality = node.ordinality === true
  const columns = [
    ...resultColumns(bound, name, position, environment),
    ...(withOrdinality ? [{ name: 'ordinality', type: { oid: oids.int8, typmod: -1 } }] : []),
  ]
  const id = context.nextId()
  const isScalar = columns.length === 1 && rowFields(bound, environment) === undefined
  const named = renameColumns(columnsOf(id, columns), alias, `table "${name}"`, position)
  return {
    item: { kind: 'function', id, call: bound, columns, withOrdinality },
    sources: [{ ...plainEntry(name, named, id), isScalar }],
  }
}

function bindDefinedColumns(call: Node, node: RangeFunction, place: FromPlace): BoundItem {
  if (!('FuncCall' in call)) throw unsupported('a column definition list here', positionOf(call))
  return bindDefinedRows(call.FuncCall, node, place) ?? bindRecordRows(call.FuncCall, node, place)
}

function callsOf(node: RangeFunction): readonly Node[] {
  return (node.functions ?? []).map((list) => {
    const [call, definition] = listItems(list, 'this function in FROM', undefined)
    const hasDefinition = definition !== undefined && Object.keys(definition).length > 0
    if (call !== undefined && !hasDefinition) return call
    throw unsupported('this function in FROM', undefined)
  })
}

/** The fields of the rows of `unnest(pairs)`, and of a function that returns records. */
function rowFields(
  bound: Expression,
  { context }: ExpressionEnvironment,
): readonly RowField[] | undefined {
  if (bound.kind !== 'call') return undefined
  return bound.type.oid === oids.record
    ? (bound.type.fields ?? [])
    : fieldsOfType(bound.type, context.types)
}

/** The columns of the function's rows; the only column of a scalar function is named after the item. */
function resultColumns(
  bound: Expression,
  name: string,
  position: number | undefined,
  environment: ExpressionEnvironment,
): readonly OutputColumn[] {
  const fields = rowFields(bound, environment)
  if (fields !== undefined && bound.type.oid !== oids.record) return fields
  const declared = bound.kind === 'call' ? (bound.function.outputColumns ?? []) : []
  if (bound.type.oid !== oids.record) {
    const [only, ...others] = declared
    return [{ name: only && others.length === 0 ? only.name : name, type: bound.type }]
  }
  if (declared.length === 0) {
    const message = 'a column definition list is required for functions returning "record"'
    throw bindError(message, { sqlState: '42601', position })
  }
  return declared.map((column) => ({ name: column.name, type: { oid: column.oid, typmod: -1 } }))
}
