/** @module `unnest(a, b)` in FROM: several arrays side by side in their order, the shorter ones filled up with NULL. */
import type { FuncCall, RangeFunction } from '@pgsql/types'
import { GatewayError } from '../errors.ts'
import { oids } from '../sql-types/oids.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import { unsupported } from './bind-error.ts'
import { bindExpression } from './bind-expression.ts'
import type { FromItem, FunctionItem } from './bound-query.ts'
import { resolveUnknown } from './coerce.ts'
import type { ExpressionEnvironment } from './context.ts'
import { clauseEnvironment } from './environment.ts'
import type { Expression } from './expression.ts'
import { type BoundItem, type FromPlace, lateralScope } from './from-item.ts'
import { comparisonCall } from './operator-call.ts'
import type { NamedExpression } from './scope.ts'
import { selectFrom } from './select-over.ts'
import { columnsOf, plainSource, renamed } from './source.ts'

const int8: SqlType = { oid: oids.int8, typmod: -1 }

/** Does the call unnest several arrays? */
export function isUnnestOfSeveral({ funcname = [], args = [] }: FuncCall): boolean {
  const name = funcname.at(-1)
  return args.length > 1 && name !== undefined && 'String' in name && name.String.sval === 'unnest'
}

/**
 * Each array is unnested by itself, with its places; FULL JOINs put equal places side by side.
 *
 * @throws {GatewayError} `unsupported` for arrays of other FROM items.
 */
export function bindUnnestOfSeveral(
  call: FuncCall,
  node: RangeFunction,
  place: FromPlace,
): BoundItem {
  const { context } = place
  const scope = lateralScope(place, () => {
    throw unsupported('unnest() of several arrays of other FROM items', call.location)
  })
  const environment = clauseEnvironment(context, scope, 'FROM')
  const items = (call.args ?? []).map((arg): FunctionItem => {
    const bound = bindExpression({ FuncCall: { ...call, args: [arg] } }, environment)
    const value = resolveUnknown(bound, environment)
    return {
      kind: 'function',
      id: context.nextId(),
      call: value,
      columns: [
        { name: 'unnest', type: value.type },
        { name: 'ordinality', type: int8 },
      ],
      withOrdinality: true,
    }
  })
  const columns: NamedExpression[] = items.map((item) => ({
    name: 'unnest',
    expression: cell(item, 0),
  }))
  const [first, ...others] = items
  if (first === undefined) throw new GatewayError('internal', 'unnest() without arguments')
  const joined = others.reduce((left, right) => joinPlaces(left, right, environment), {
    item: first as FromItem,
    ordinality: cell(first, 1),
  })
  if (node.ordinality === true) columns.push({ name: 'ordinality', expression: joined.ordinality })
  const name = node.alias?.aliasname ?? 'unnest'
  const id = context.nextId()
  const query = selectFrom(joined.item, {
    columns: columns.map(({ name: columnName, expression }) => ({
      name: columnName,
      type: expression.type,
    })),
    outputs: columns.map(({ expression }) => expression),
    orderBy: [{ expression: joined.ordinality, descending: false, nullsFirst: false }],
  })
  const named = renamed(columnsOf(id, query.columns), node.alias, `table "${name}"`, call.location)
  return {
    item: { kind: 'subquery', id, query, lateral: false },
    sources: [plainSource(name, named, id)],
  }
}

function cell(item: FunctionItem, column: number): Expression {
  const type = item.columns[column]?.type ?? int8
  return { kind: 'column', relation: item.id, column, type }
}

interface Places {
  readonly item: FromItem
  /** The place of a row, whichever arrays reach that far. */
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
