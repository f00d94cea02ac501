/** @module The base tables that an expression depends on, and whether a leaky operation computes it. */
import type {
  BoundStatement,
  CommonTable,
  CteId,
  FromItem,
  Query,
  RelationId,
} from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { partsOf } from '../../bind/tree/expression-parts.ts'
import { isWrite } from '../../bind/tree/map-query.ts'
import { outputsOf } from '../../bind/tree/outputs-of.ts'
import { visitQuery, visitStatement } from '../../bind/tree/visit-query.ts'
import type { Table } from '../../catalog/catalog.ts'
import { isLeakyOperation } from './leaky-operation.ts'

export interface Flow {
  /** Relations of base tables (`oldRow` for the rows of an UPDATE or DELETE). */
  readonly tables: ReadonlySet<RelationId>
  readonly isLeaky: boolean
}

const nothing: Flow = { tables: new Set(), isLeaky: false }

/** Returns the flow of an expression of one statement. */
export type FlowOf = (expression: Expression) => Flow

type ColumnFlow = (column: number) => Flow

/** Follows columns through derived tables to their base tables: a database may do the same. */
export function createFlows(statement: BoundStatement): FlowOf {
  const { types } = statement.connection
  const columns = new Map<RelationId, ColumnFlow>()
  const cteColumns = new Map<CteId, ColumnFlow>()
  const columnFlow = (relation: RelationId, column: number): Flow =>
    columns.get(relation)?.(column) ?? nothing

  const flowOf: FlowOf = (expression) => {
    if (expression.kind === 'column') return columnFlow(expression.relation, expression.column)
    // Aggregates and window calls are computed from rows that passed every condition of their level.
    if (expression.kind === 'aggregate' || expression.kind === 'window') return nothing
    const { expressions, query } = partsOf(expression)
    const inner = query === undefined ? [] : [everythingIn(query)]
    const flow = union([...expressions.map(flowOf), ...inner])
    return isLeakyOperation(expression, types) ? { ...flow, isLeaky: true } : flow
  }

  /** A subquery evaluates all of its expressions when the expression around it is evaluated. */
  const everythingIn = (query: Query): Flow => {
    const flows: Flow[] = []
    visitQuery(query, {
      expression: (part) => {
        if (part.kind === 'column') flows.push(columnFlow(part.relation, part.column))
        else if (isLeakyOperation(part, types)) flows.push({ ...nothing, isLeaky: true })
      },
    })
    return union(flows)
  }

  const outputFlow = (query: Query, column: number): Flow =>
    union(outputsOf(query, column).map(flowOf))

  /** In a recursive query every column depends on every other, and on all columns of its tables. */
  const recursiveFlow = (query: Query): Flow => {
    const tables = new Set<RelationId>()
    visitQuery(query, {
      fromItem: (item) => {
        if (isTable(item)) tables.add(item.id)
      },
    })
    return union([everythingIn(query), { tables, isLeaky: false }])
  }

  const register = (item: FromItem) => {
    if (item.kind === 'join') return
    columns.set(item.id, memo(columnsOf(item)))
  }
  const columnsOf = (item: Exclude<FromItem, { kind: 'join' }>): ColumnFlow => {
    switch (item.kind) {
      case 'table':
      case 'securedTable':
        return tableFlow(item.id, item.table)
      case 'subquery':
        return (column) => outputFlow(item.query, column)
      case 'cte':
        return (column) => cteColumns.get(item.cte)?.(column) ?? nothing
      case 'function':
        return () => flowOf(item.call)
    }
  }
  const registerCtes = (ctes: readonly CommonTable[]) => {
    for (const { id, query, isRecursive } of ctes) {
      // The rows that a write returns were filtered when they were stored.
      if (isWrite(query)) continue
      const flow: ColumnFlow = isRecursive
        ? () => recursiveFlow(query)
        : (column) => outputFlow(query, column)
      cteColumns.set(id, memo(flow))
    }
  }
  visitStatement(statement, {
    fromItem: register,
    query: (query) => registerCtes(query.ctes),
    write: ({ ctes, target }) => {
      registerCtes(ctes)
      columns.set(target.oldRow, tableFlow(target.oldRow, target.table))
    },
  })
  return flowOf
}

function isTable(item: FromItem): item is Extract<FromItem, { kind: 'table' | 'securedTable' }> {
  return item.kind === 'table' || item.kind === 'securedTable'
}

/** Reading a cell whose stored value is not of its type fails, which can reveal the value. */
function tableFlow(id: RelationId, { columns }: Table): ColumnFlow {
  const flow: Flow = { tables: new Set([id]), isLeaky: false }
  const unreadable: Flow = { ...flow, isLeaky: true }
  return (column) => (columns[column]?.mayBeUnreadable === true ? unreadable : flow)
}

/** Computes each column once; a column that depends on itself adds nothing. */
function memo(compute: ColumnFlow): ColumnFlow {
  const known = new Map<number, Flow>()
  return (column) => {
    const found = known.get(column)
    if (found !== undefined) return found
    known.set(column, nothing)
    const flow = compute(column)
    known.set(column, flow)
    return flow
  }
}

function union(flows: readonly Flow[]): Flow {
  return {
    tables: flows.reduce<ReadonlySet<RelationId>>(
      (all, { tables }) => (tables.size === 0 ? all : all.union(tables)),
      new Set(),
    ),
    isLeaky: flows.some(({ isLeaky }) => isLeaky),
  }
}
