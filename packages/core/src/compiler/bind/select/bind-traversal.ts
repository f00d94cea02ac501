/** @module SEARCH and CYCLE of a recursive WITH query: columns that the database adds to its rows. */
import type { CommonTableExpr, CTECycleClause, CTESearchClause, Node } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { coerceAll, commonTypeOf } from '../coercion/common-type.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { requireEquality } from '../expressions/sort-keys.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { Scope } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import { nameParts } from '../scope/syntax-node.ts'
import type { CycleMarks, OutputColumn, Traversal } from '../tree/bound-query.ts'

/** The clauses, and the columns that they add. */
export interface BoundTraversal {
  readonly traversal: Traversal | undefined
  readonly columns: readonly OutputColumn[]
}

/** @throws {GatewayError} `badRequest` (42601) where the query does not have the form that the clauses need. */
export function requireTraversable(common: CommonTableExpr, isRecursive: boolean): void {
  const { search_clause: search, cycle_clause: cycle, ctequery, location } = common
  if (search === undefined && cycle === undefined) return
  const refuse = (message: string) => bindError(message, { sqlState: '42601', position: location })
  if (!isRecursive) throw refuse('WITH query is not recursive')
  const select = ctequery && 'SelectStmt' in ctequery ? ctequery.SelectStmt : undefined
  const sides = [
    ['left', select?.larg],
    ['right', select?.rarg],
  ] as const
  for (const [side, arm] of sides) {
    if (arm?.op === undefined || arm.op === 'SETOP_NONE') continue
    const message = `with a SEARCH or CYCLE clause, the ${side} side of the UNION must be a SELECT`
    const sqlState = side === 'left' ? '0A000' : '42601'
    throw bindError(message, { sqlState, position: location })
  }
}

/** @param columns of the query. */
export function bindTraversal(
  { search_clause: search, cycle_clause: cycle }: CommonTableExpr,
  columns: readonly OutputColumn[],
  scope: Scope,
  context: StatementContext,
): BoundTraversal {
  if (search === undefined && cycle === undefined) return { traversal: undefined, columns: [] }
  const order = search && bindSearch(search, columns)
  const marks = cycle && bindCycle(cycle, columns, scope, context)
  if (search !== undefined && cycle !== undefined) requireOtherNames(search, cycle)
  const boolean = { oid: oids.bool, typmod: -1 }
  return {
    traversal: { order, marks },
    columns: [
      ...(order === undefined
        ? []
        : [added(search?.search_seq_column, order.kind === 'depth' ? recordArray : record)]),
      ...(marks === undefined
        ? []
        : [added(cycle?.cycle_mark_column, boolean), added(cycle?.cycle_path_column, recordArray)]),
    ],
  }
}

const record = { oid: oids.record, typmod: -1 }
const recordArray = { oid: oids.recordArray, typmod: -1 }

function added(name: string | undefined, type: OutputColumn['type']): OutputColumn {
  return { name: name ?? '', type }
}

function bindSearch(
  search: CTESearchClause,
  columns: readonly OutputColumn[],
): NonNullable<Traversal['order']> {
  const { search_col_list, search_seq_column = '', location: position } = search
  const by = listed(search_col_list, columns, 'search', position)
  requireNew(search_seq_column, columns, 'search sequence', position)
  return { kind: search.search_breadth_first === true ? 'breadth' : 'depth', by }
}

function bindCycle(
  cycle: CTECycleClause,
  columns: readonly OutputColumn[],
  scope: Scope,
  context: StatementContext,
): CycleMarks {
  const { cycle_mark_column: mark = '', cycle_path_column: path = '', location: position } = cycle
  const by = listed(cycle.cycle_col_list, columns, 'cycle', position)
  requireNew(mark, columns, 'cycle mark', position)
  const environment = clauseEnvironment(context, scope, 'SELECT')
  const values = [cycle.cycle_mark_value, cycle.cycle_mark_default].map((node) => {
    if (node === undefined) throw unsupported('this CYCLE', position)
    return bindExpression(node, environment)
  })
  const common = commonTypeOf(values, 'CYCLE', environment)
  const [value, otherwise] = coerceAll(values, common, environment)
  if (value === undefined || otherwise === undefined) throw unsupported('this CYCLE', position)
  requireEquality(value, environment)
  requireNew(path, columns, 'cycle path', position)
  if (mark === path) {
    throw refusal('cycle mark column name and cycle path column name are the same', position)
  }
  return { by, value, otherwise }
}

function requireOtherNames(search: CTESearchClause, cycle: CTECycleClause): void {
  const { search_seq_column: sequence, location: position } = search
  const taken = [
    ['mark', cycle.cycle_mark_column],
    ['path', cycle.cycle_path_column],
  ] as const
  for (const [what, name] of taken) {
    if (name !== sequence) continue
    const message = `search sequence column name and cycle ${what} column name are the same`
    throw refusal(message, position)
  }
}

/** Indexes of the columns of a list. */
function listed(
  nodes: readonly Node[] | undefined,
  columns: readonly OutputColumn[],
  clause: 'search' | 'cycle',
  position: number | undefined,
): readonly number[] {
  const names = nameParts(nodes === undefined ? undefined : [...nodes], 'this column', position)
  return names.map((name, i) => {
    const index = columns.findIndex((column) => column.name === name)
    if (index < 0) {
      throw refusal(`${clause} column "${name}" not in WITH query column list`, position)
    }
    if (names.indexOf(name) < i) {
      const message = `${clause} column "${name}" specified more than once`
      throw bindError(message, { sqlState: '42701', position })
    }
    return index
  })
}

function requireNew(
  name: string,
  columns: readonly OutputColumn[],
  what: string,
  position: number | undefined,
): void {
  if (!columns.some((column) => column.name === name)) return
  throw refusal(`${what} column name "${name}" already used in WITH query column list`, position)
}

function refusal(message: string, position: number | undefined): Error {
  return bindError(message, { sqlState: '42601', position })
}
