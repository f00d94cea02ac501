/**
 * @module Recursive WITH queries return at most ten million rows. Without this cap, an endless recursion would fill memory or
 * disk of the database until its timeout.
 */

import { GatewayError } from '../../foundation/errors.ts'
import type {
  CteId,
  CteItem,
  FromItem,
  RelationId,
  SelectQuery,
  SubqueryItem,
} from '../bind/tree/bound-query.ts'
import type { ColumnReference, Expression } from '../bind/tree/expression.ts'
import { mapStatement } from '../bind/tree/map-query.ts'
import { functionCall, implicitCast, operatorCall } from '../bind/tree/typed-call.ts'
import { visitQuery, visitStatement } from '../bind/tree/visit-query.ts'
import { type AuthorizedStatement, rewriteAuthorized } from '../permissions/authorize/authorized.ts'
import { oids } from '../sql-types/oids.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeSystem } from '../sql-types/system/type-system.ts'

/** The most rows that are read from a recursive query. */
const maxRows = 10_000_000

const boolean: SqlType = { oid: oids.bool, typmod: -1 }
const int4: SqlType = { oid: oids.int4, typmod: -1 }
const int8: SqlType = { oid: oids.int8, typmod: -1 }
const text: SqlType = { oid: oids.text, typmod: -1 }

/**
 * Rows are counted where a recursive query is read from outside; one row too many fails (SQLSTATE 54000). A database that passes
 * the rows on one by one and stores none needs no cap.
 */
export function withRecursionCap(statement: AuthorizedStatement): AuthorizedStatement {
  if (statement.connection.traits.streamsRecursion) return statement
  const { recursive, inside } = recursions(statement)
  if (recursive.size === 0) return statement
  const { types } = statement.connection
  let id = statement.nextId
  const nextId = () => id++
  return rewriteAuthorized(statement, (bound) => {
    const capped = mapStatement(bound, {
      fromItem: (item) =>
        item.kind === 'cte' && recursive.has(item.cte) && !inside.has(item.id)
          ? counted(item, types, nextId)
          : item,
    })
    return { ...capped, nextId: id }
  })
}

interface Recursions {
  readonly recursive: ReadonlySet<CteId>
  /** The references of a recursive query to itself. */
  readonly inside: ReadonlySet<RelationId>
}

function recursions(statement: AuthorizedStatement): Recursions {
  const recursive = new Set<CteId>()
  const inside = new Set<RelationId>()
  const register = ({ ctes }: Pick<SelectQuery, 'ctes'>) => {
    for (const { id, isRecursive, query } of ctes) {
      if (!isRecursive || !('columns' in query) || query.kind === 'insert') continue
      recursive.add(id)
      visitQuery(query, {
        fromItem: (item: FromItem) => {
          if (item.kind === 'cte' && item.cte === id) inside.add(item.id)
        },
      })
    }
  }
  visitStatement(statement, { query: register, write: register })
  return { recursive, inside }
}

/** `(select c1 ... from (select c1 ..., row_number() over () from q) where <number is small enough>)` */
function counted(item: CteItem, types: TypeSystem, nextId: () => number): SubqueryItem {
  const read = { ...item, id: nextId() }
  const numbered = nextId()
  const cell = (relation: RelationId, column: number, type: SqlType): ColumnReference => ({
    kind: 'column',
    relation,
    column,
    type,
  })
  const cells = (relation: RelationId) =>
    item.columns.map(({ type }, column) => cell(relation, column, type))
  const inner: SubqueryItem = {
    kind: 'subquery',
    id: numbered,
    lateral: false,
    query: {
      ...select([...cells(read.id), rowNumber(types)], [read]),
      columns: [...item.columns, { name: 'row_number', type: int8 }],
    },
  }
  const number = cell(numbered, item.columns.length, int8)
  const query: SelectQuery = {
    ...select(cells(numbered), [inner]),
    columns: item.columns,
    where: isSmall(number, types),
  }
  return { kind: 'subquery', id: item.id, lateral: false, query }
}

function select(
  outputs: readonly Expression[],
  from: readonly FromItem[],
): Omit<SelectQuery, 'columns'> {
  return {
    kind: 'select',
    ctes: [],
    outputs,
    distinct: 'none',
    from,
    where: undefined,
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
    locking: [],
    orderBy: [],
    limit: undefined,
    offset: undefined,
  }
}

function rowNumber(types: TypeSystem): Expression {
  const [found] = types.functionsNamed('row_number')
  if (found === undefined) throw new GatewayError('internal', 'there is no row_number()')
  return {
    kind: 'window',
    function: found,
    args: [],
    filter: undefined,
    partitionBy: [],
    orderBy: [],
    frame: undefined,
    type: int8,
  }
}

/**
 * The requested text is longer than `repeat` may return on any database. The number depends on the row: nothing is computed
 * early.
 */
function isSmall(number: Expression, types: TypeSystem): Expression {
  const constant = (value: string, type: SqlType): Expression => ({ kind: 'constant', value, type })
  const length = call(
    operatorCall(types, '*', implicitCast(types, number, int8.oid), constant('2', int8)),
  )
  const asInt4: Expression = {
    kind: 'cast',
    operand: length,
    method: 'function',
    isExplicit: true,
    type: int4,
  }
  const long = call(functionCall(types, 'repeat', [constant('x', text), asInt4]))
  const condition = call(operatorCall(types, '>', number, constant(String(maxRows), int8)))
  const failed = call(operatorCall(types, '=', long, constant('', text)))
  return {
    kind: 'case',
    whens: [{ condition, result: failed }],
    otherwise: constant('true', boolean),
    type: boolean,
  }
}

function call(made: Expression | { readonly error: string }): Expression {
  if ('error' in made) throw new GatewayError('internal', made.error)
  return made
}
