/** @module `unnest(a, b)` and ROWS FROM: the rows of several functions side by side, the shorter ones padded with NULL. */
import type { Node, RangeFunction } from '@pgsql/types'
import { GatewayError } from '../../../foundation/errors.ts'
import { unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { resolveUnknown } from '../coercion/coerce.ts'
import { comparisonCall } from '../coercion/operator-call.ts'
import { fieldsOfType } from '../coercion/row-type.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import { type BoundItem, type FromPlace, lateralScope } from '../scope/from-item.ts'
import { derivedName } from '../scope/output-name.ts'
import { columnsOf, plainEntry, renameColumns } from '../scope/range-table-entry.ts'
import type { NamedExpression } from '../scope/scope.ts'
import { selectFrom } from '../scope/select-over.ts'
import { positionOf } from '../scope/syntax-node.ts'
import type { FromItem, FunctionItem } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'

const int8: SqlType = { oid: oids.int8, typmod: -1 }

/** The single calls that `unnest(a, b)` is short for; undefined for any other call. */
export function unnestsOf(node: Node): readonly Node[] | undefined {
  if (!('FuncCall' in node)) return undefined
  const { funcname = [], args = [] } = node.FuncCall
  const name = funcname.at(-1)
  const isUnnest = name !== undefined && 'String' in name && name.String.sval === 'unnest'
  if (!isUnnest || args.length < 2) return undefined
  return args.map((arg) => ({ FuncCall: { ...node.FuncCall, args: [arg] } }))
}

/**
 * Each function produces its rows with row numbers; FULL JOINs combine equal row numbers.
 *
 * @throws {GatewayError} `unsupported` for arguments of other FROM items, and rows of several columns.
 */
export function bindSideBySide(
  calls: readonly Node[],
  node: RangeFunction,
  place: FromPlace,
): BoundItem {
  const { context } = place
  const [position] = calls.map(positionOf)
  const scope = lateralScope(place, () => {
    throw unsupported('several functions over other FROM items side by side', position)
  })
  const environment = clauseEnvironment(context, scope, 'FROM')
  const items = calls.map((call): FunctionItem => {
    const value = resolveUnknown(bindExpression(call, environment), environment)
    if (value.type.oid === oids.record || fieldsOfType(value.type, context.types) !== undefined) {
      throw unsupported('rows of several columns in ROWS FROM', positionOf(call))
    }
    return {
      kind: 'function',
      id: context.nextId(),
      call: value,
      columns: [
        { name: nameOf(call, value), type: value.type },
        { name: 'ordinality', type: int8 },
      ],
      withOrdinality: true,
    }
  })
  const columns: NamedExpression[] = items.map((item) => ({
    name: item.columns[0]?.name ?? '',
    expression: cell(item, 0),
  }))
  const [first, ...others] = items
  if (first === undefined) throw new GatewayError('internal', 'no function in FROM')
  const joined = others.reduce((left, right) => joinPlaces(left, right, environment), {
    item: first as FromItem,
    ordinality: cell(first, 1),
  })
  if (node.ordinality === true) columns.push({ name: 'ordinality', expression: joined.ordinality })
  const name = node.alias?.aliasname ?? columns[0]?.name ?? ''
  const id = context.nextId()
  const query = selectFrom(joined.item, {
    columns: columns.map(({ name: columnName, expression }) => ({
      name: columnName,
      type: expression.type,
    })),
    outputs: columns.map(({ expression }) => expression),
    orderBy: [{ expression: joined.ordinality, descending: false, nullsFirst: false }],
  })
  const named = renameColumns(columnsOf(id, query.columns), node.alias, `table "${name}"`, position)
  return {
    item: { kind: 'subquery', id, query, lateral: false },
    sources: [plainEntry(name, named, id)],
  }
}

function nameOf(call: Node, value: Expression): string {
  const declared = value.kind === 'call' ? (value.function.outputColumns ?? []) : []
  const [only, ...others] = declared
  return only !== undefined && others.length === 0 ? only.name : derivedName(call, value)
}

function cell(item: FunctionItem, column: number): Expression {
  const type = item.columns[column]?.type ?? int8
  return { kind: 'column', relation: item.id, column, type }
}

interface Places {
  readonly item: FromItem
  /** The number of a row, from whichever arrays are long enough. */
  readonly ordinality: Expression
}

function joinPlaces(left: Places, right: FunctionItem, environment: ExpressionEnvironment): Places {
  const other = cell(right, 1)
  const on = comparisonCall('=', left.ordinality, other, 'unnest()', undefined, environment)
  return {
    item: { kind: 'join', type: 'full', left: left.item, right, on },
    ordinality: { kind: 'coalesce', args: [left.ordinality, other], type: int8 },
  }
}
