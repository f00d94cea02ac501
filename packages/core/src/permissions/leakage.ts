/**
 * @module Which restricted tables need an optimisation barrier: those whose cells reach, in a condition, an expression
 * that could tell something about a row before the row's filter was evaluated (by failing, say). Output expressions
 * run after every condition of their level and do not count by themselves; a condition that refers to them does.
 */
import type {
  BoundStatement,
  CommonTable,
  FromItem,
  Query,
  RelationId,
} from '../bind/bound-query.ts'
import type { Expression } from '../bind/expression.ts'
import { isWrite } from '../bind/map-query.ts'
import { visitExpression, visitQuery, visitStatement } from '../bind/visit-query.ts'
import type { TypeSystem } from '../sql-types/type-system.ts'

/** Relations (tables) that an expression depends on; `leaky`: those whose cells reach a leaky operation in it. */
interface Flow {
  readonly tables: ReadonlySet<RelationId>
  readonly leaky: ReadonlySet<RelationId>
}

const nothing: Flow = { tables: new Set(), leaky: new Set() }

/** The ids of table items whose cells reach a leaky operation in some condition of the statement. */
export function tablesReachedByLeaks(statement: BoundStatement): ReadonlySet<RelationId> {
  const flows = createFlows(statement)
  const reached = new Set<RelationId>()
  const condition = (expression: Expression | undefined) => {
    if (expression === undefined) return
    for (const table of flows.of(expression).leaky) reached.add(table)
  }
  visitStatement(statement, {
    query: (query) => {
      if (query.kind !== 'select') return
      condition(query.where)
      condition(query.having)
    },
    fromItem: (item) => {
      if (item.kind === 'join') condition(item.on)
      if (item.kind === 'function') condition(item.call)
    },
    write: (write) => {
      if (write.kind !== 'insert') condition(write.where)
    },
  })
  return reached
}

/** Could evaluating this on a row tell anything about the row, other than by its result? */
export function isLeakproof(expression: Expression, types: TypeSystem): boolean {
  let result = true
  visitExpression(expression, {
    expression: (part) => {
      if (isLeakyOperation(part, types)) result = false
    },
  })
  return result
}

function isLeakyOperation(expression: Expression, types: TypeSystem): boolean {
  switch (expression.kind) {
    case 'operator':
    case 'distinctTest':
    case 'nullIf':
    case 'inList':
    case 'quantifiedArray':
      return !expression.operator.isLeakproof
    case 'rowComparison':
    case 'quantifiedSubquery':
      return expression.operators.some((operator) => !operator.isLeakproof)
    case 'call':
      return !expression.function.isLeakproof
    case 'cast': {
      const { operand, method, type } = expression
      if (method === 'binary') return false
      return !(types.coercion(operand.type.oid, type.oid, 'explicit')?.isLeakproof ?? false)
    }
    case 'extremum':
      return !(types.comparison(expression.type.oid)?.less?.isLeakproof ?? false)
    case 'subscript':
    case 'subquery':
    case 'arraySubquery':
    case 'wholeRow':
      return true
    default:
      return false
  }
}

interface Flows {
  of(expression: Expression): Flow
}

/** Follows columns through derived tables to the base tables they come from. */
function createFlows(statement: BoundStatement): Flows {
  const { types } = statement.connection
  const columns = new Map<RelationId, (column: number) => Flow>()
  const cteColumns = new Map<number, (column: number) => Flow>()
  const flows: Flows = { of }

  function of(expression: Expression): Flow {
    if (expression.kind === 'column') {
      return columns.get(expression.relation)?.(expression.column) ?? nothing
    }
    // What an aggregate or window call gives is computed from rows that passed every condition.
    if (expression.kind === 'aggregate' || expression.kind === 'window') return nothing
    const parts = directParts(expression).map(of)
    const inner = queryOf(expression)
    if (inner !== undefined) parts.push(...outputFlows(inner, of))
    const tables = union(parts.map((part) => part.tables))
    const leaky = union(parts.map((part) => part.leaky))
    return isLeakyOperation(expression, types)
      ? { tables, leaky: union([leaky, tables]) }
      : { tables, leaky }
  }

  const register = (item: FromItem) => {
    switch (item.kind) {
      case 'table':
      case 'securedTable': {
        const flow: Flow = { tables: new Set([item.id]), leaky: new Set() }
        columns.set(item.id, () => flow)
        return
      }
      case 'subquery': {
        const { query } = item
        columns.set(
          item.id,
          memo((column) => outputFlow(query, column, of)),
        )
        return
      }
      case 'cte': {
        const { cte } = item
        columns.set(item.id, (column) => cteColumns.get(cte)?.(column) ?? nothing)
        return
      }
      case 'function': {
        const { call } = item
        columns.set(
          item.id,
          memo(() => of(call)),
        )
        return
      }
      case 'join':
        return
    }
  }
  const registerCtes = (ctes: readonly CommonTable[]) => {
    for (const { id, query, isRecursive } of ctes) {
      if (isWrite(query)) continue
      const flow = isRecursive
        ? () => recursiveFlow(query, types)
        : (column: number) => outputFlow(query, column, of)
      cteColumns.set(id, memo(flow))
    }
  }
  visitStatement(statement, {
    fromItem: register,
    query: (query) => registerCtes(query.ctes),
    write: (write) => {
      registerCtes(write.ctes)
      const flow: Flow = { tables: new Set([write.target.oldRow]), leaky: new Set() }
      columns.set(write.target.oldRow, () => flow)
    },
  })
  return flows
}

/** A recursive query feeds every column from every other: all its tables, all of them leaky if anything in it is. */
function recursiveFlow(query: Query, types: TypeSystem): Flow {
  const tables = new Set<RelationId>()
  let isLeaky = false
  visitQuery(query, {
    fromItem: (item) => {
      if (item.kind === 'table' || item.kind === 'securedTable') tables.add(item.id)
    },
    expression: (part) => {
      if (isLeakyOperation(part, types)) isLeaky = true
    },
  })
  return { tables, leaky: isLeaky ? tables : new Set() }
}

/** Computes each column once. */
function memo(compute: (column: number) => Flow): (column: number) => Flow {
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

function outputFlow(query: Query, column: number, of: (expression: Expression) => Flow): Flow {
  const flows = outputsOf(query, column).map(of)
  return { tables: union(flows.map((f) => f.tables)), leaky: union(flows.map((f) => f.leaky)) }
}

function outputFlows(query: Query, of: (expression: Expression) => Flow): readonly Flow[] {
  return query.columns.map((_, column) => outputFlow(query, column, of))
}

/** Every expression that can become column `column` of a query. */
function outputsOf(query: Query, column: number): readonly Expression[] {
  switch (query.kind) {
    case 'select':
      return query.outputs.slice(column, column + 1)
    case 'setOperation':
      return [...outputsOf(query.left, column), ...outputsOf(query.right, column)]
    case 'values':
      return query.rows.flatMap((row) => row.slice(column, column + 1))
  }
}

function queryOf(expression: Expression): Query | undefined {
  switch (expression.kind) {
    case 'subquery':
    case 'arraySubquery':
    case 'quantifiedSubquery':
      return expression.query
    default:
      return undefined
  }
}

/** The operands of an expression, without what is inside subqueries. */
function directParts(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'call':
    case 'coalesce':
    case 'extremum':
      return expression.args
    case 'operator':
      return expression.left ? [expression.left, expression.right] : [expression.right]
    case 'cast':
    case 'not':
    case 'nullTest':
    case 'booleanTest':
    case 'collate':
      return [expression.operand]
    case 'logical':
      return expression.operands
    case 'distinctTest':
    case 'nullIf':
      return [expression.left, expression.right]
    case 'case':
      return [
        ...expression.whens.flatMap((when) => [when.condition, when.result]),
        ...(expression.otherwise ? [expression.otherwise] : []),
      ]
    case 'inList':
      return [expression.operand, ...expression.items]
    case 'quantifiedArray':
      return [expression.operand, expression.array]
    case 'array':
      return expression.elements
    case 'subscript':
      return [expression.operand, expression.index]
    case 'rowComparison':
      return [...expression.left, ...expression.right]
    case 'quantifiedSubquery':
      return expression.operands
    case 'wholeRow':
      return expression.fields.map((field) => field.value)
    default:
      return []
  }
}

function union(sets: readonly ReadonlySet<RelationId>[]): ReadonlySet<RelationId> {
  return sets.reduce((all, set) => (set.size === 0 ? all : all.union(set)), new Set<RelationId>())
}
