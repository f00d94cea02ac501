/** @module VALUES as a query of its own or in FROM; INSERT binds its rows itself. */
import type { Node, SelectStmt } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { coerceAll, commonTypeOf } from '../coercion/common-type.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { bindSortKeys } from '../expressions/sort-keys.ts'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import { plainEntry } from '../scope/range-table-entry.ts'
import type { Scope } from '../scope/scope.ts'
import { selectOver } from '../scope/select-over.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import { listItems, positionOf } from '../scope/syntax-node.ts'
import type { OutputColumn, Query, ValuesQuery } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { outputKey } from '../tree/output-key.ts'
import { bindLimit } from './bind-limit.ts'

export function bindValues(select: SelectStmt, scope: Scope, context: StatementContext): Query {
  if (select.lockingClause !== undefined) {
    throw bindError('FOR UPDATE cannot be applied to VALUES', {
      sqlState: '0A000',
      position: undefined,
    })
  }
  const { rows, columns } = bindRows(valuesRows(select), scope, context)
  const values: ValuesQuery = {
    kind: 'values',
    ctes: [],
    columns,
    rows,
    orderBy: [],
    ...bindLimit(select, scope, context),
  }
  return select.sortClause === undefined ? values : sorted(values, select, scope, context)
}

/** @throws {GatewayError} `badRequest` when the rows differ in length. */
export function valuesRows(select: SelectStmt): readonly (readonly Node[])[] {
  const rows = (select.valuesLists ?? []).map((list) => listItems(list, 'this VALUES', undefined))
  for (const node of rows.flat()) {
    if (isStar(node)) throw unsupported('a star in VALUES', positionOf(node))
  }
  const width = rows[0]?.length ?? 0
  const odd = rows.find(({ length }) => length !== width)
  if (odd === undefined) return rows
  throw bindError('VALUES lists must all be the same length', {
    sqlState: '42601',
    position: odd[0] && positionOf(odd[0]),
  })
}

/** `t.*` would be several columns. */
function isStar(node: Node): boolean {
  const fields =
    'ColumnRef' in node
      ? node.ColumnRef.fields
      : 'A_Indirection' in node
        ? node.A_Indirection.indirection
        : undefined
  const last = fields?.at(-1)
  return last !== undefined && 'A_Star' in last
}

function bindRows(
  nodes: readonly (readonly Node[])[],
  scope: Scope,
  context: StatementContext,
): Pick<ValuesQuery, 'rows' | 'columns'> {
  // A level of its own: an aggregate over outer columns belongs to the outer query.
  const own = createScope({ outer: scope, view: context.view })
  const environment = clauseEnvironment(context, own, 'VALUES')
  const rows = nodes.map((row) => row.map((node) => bindExpression(node, environment)))
  const width = rows[0]?.length ?? 0
  const cellsOf = (column: number) =>
    rows.flatMap((row) => {
      const cell = row[column]
      return cell === undefined ? [] : [cell]
    })
  const typed = Array.from({ length: width }, (_, column) => {
    const cells = cellsOf(column)
    const type = commonTypeOf(cells, 'VALUES', environment)
    return { type, cells: coerceAll(cells, type, environment) }
  })
  return {
    columns: typed.map(({ type }, i): OutputColumn => ({ name: `column${i + 1}`, type })),
    rows: rows.map((_, row) =>
      typed.flatMap(({ cells }): readonly Expression[] => {
        const cell = cells[row]
        return cell === undefined ? [] : [cell]
      }),
    ),
  }
}

/** ORDER BY may use expressions over column1 ...: then a SELECT around the rows sorts them. */
function sorted(
  values: ValuesQuery,
  select: SelectStmt,
  outer: Scope,
  context: StatementContext,
): Query {
  const { columns, limit, offset } = values
  const bare: ValuesQuery = { ...values, limit: undefined, offset: undefined }
  const around = selectOver(bare, context, (cells) => {
    const named = cells.map((expression, i) => ({ name: columns[i]?.name ?? '', expression }))
    const sources = [plainEntry('*VALUES*', named, undefined)]
    const scope = createScope({ outer, view: context.view, sources })
    const environment = clauseEnvironment(context, scope, 'VALUES')
    const orderBy = bindSortKeys(
      select.sortClause,
      environment,
      (node) => outputKey(node, columns, 'ORDER BY') ?? bindExpression(node, environment),
    )
    return { outputs: cells, columns, orderBy }
  })
  const isPlain = around.orderBy.every(({ expression }) => expression.kind === 'output')
  return isPlain ? { ...values, orderBy: around.orderBy } : { ...around, limit, offset }
}
