import { GatewayError } from '@engine/core/adapter'
import { unreachable } from '@engine/core/driver'
import {
  clauses,
  columnName,
  commaList,
  cteName,
  keyword,
  relationName,
  runSteps,
  type Sql,
  type Steps,
  sql,
} from '@engine/core/print'
import type { CommonTable, GroupBy, Locking, Query, SelectQuery } from '@engine/core/tree'
import type { PrintContext, QueryLevel } from './print-context.ts'
import { printFromList } from './print-from.ts'
import { printLimit } from './print-limit.ts'
import { printKey, printSortKeys } from './print-sort-keys.ts'
import { addedColumns, printTraversal } from './print-traversal.ts'
import { refuseUngroupedColumns } from './ungrouped-columns.ts'

/** A query with all its clauses, without parentheses. */
export function printQuery(query: Query, context: PrintContext): Sql {
  return runSteps(printInSteps(query, context))
}

function* printInSteps(query: Query, context: PrintContext): Steps<Sql> {
  const ctes = query.ctes.map((cte) => printCommonTable(cte, context))
  return clauses(withClause(ctes, query.ctes), yield* printQueryBody(query, context))
}

/** A side of a set operation: one step, unless it is a set operation itself. */
function* printArm(query: Query, context: PrintContext): Steps<Sql> {
  if (query.kind === 'setOperation') return yield* printInSteps(query, context)
  const arm = printQuery(query, context)
  yield
  return arm
}

/** The query without its WITH clause: the outputs of a SELECT and the sides of a set operation in steps. */
export function* printQueryBody(query: Query, context: PrintContext): Steps<Sql> {
  switch (query.kind) {
    case 'select':
      return yield* printSelect(query, context)
    case 'setOperation': {
      const left = yield* printArm(query.left, context)
      const right = yield* printArm(query.right, context)
      const operator = clauses(keyword(query.operator), query.all ? keyword('all') : undefined)
      return clauses(sql`(${left}) ${operator} (${right})`, ...printTail(query, context))
    }
    case 'values': {
      const rows = query.rows.map(
        (row) => sql`(${commaList(row.map((cell) => context.printExpression(cell, context)))})`,
      )
      return clauses(sql`values ${commaList(rows)}`, ...printTail(query, context))
    }
    default:
      return unreachable(query)
  }
}

/** `with recursive q1(c1) as (...)`; undefined without WITH queries. */
export function withClause(printed: readonly Sql[], ctes: readonly CommonTable[]): Sql | undefined {
  if (printed.length === 0) return undefined
  const isRecursive = ctes.some((cte) => cte.isRecursive)
  return sql`${keyword(isRecursive ? 'with recursive' : 'with')} ${commaList(printed)}`
}

function printCommonTable(cte: CommonTable, context: PrintContext): Sql {
  const { query } = cte
  switch (query.kind) {
    case 'insert':
    case 'update':
    case 'delete':
      throw new GatewayError('internal', 'a write stands in a WITH clause below the top level')
    default:
      return commonTable(cte, context.printQuery(query, context), context)
  }
}

/** `q3(c1, c2) as materialized (...)` */
export function commonTable(cte: CommonTable, query: Sql, context: PrintContext): Sql {
  const { columns, traversal } = cte
  const count = columns.length - addedColumns(traversal)
  const names = columns.slice(0, count).map((_, index) => columnName(index))
  const list = names.length === 0 ? undefined : sql`(${commaList(names)})`
  const name = sql`${cteName(cte.id)}${list ?? sql``}`
  const materialized =
    cte.materialized === undefined
      ? undefined
      : keyword(cte.materialized ? 'materialized' : 'not materialized')
  return clauses(
    name,
    keyword('as'),
    materialized,
    sql`(${query})`,
    traversal && printTraversal(traversal, count, context),
  )
}

function printTail(query: Query, context: PrintContext): readonly (Sql | undefined)[] {
  return [
    printSortKeys(query.orderBy, context),
    query.limit && printLimit(query.limit, context),
    query.offset && sql`offset ${context.printExpression(query.offset, context)}`,
  ]
}

/** The outputs are printed one by one. */
function* printSelect(query: SelectQuery, context: PrintContext): Steps<Sql> {
  refuseUngroupedColumns(query, context)
  // FROM comes first: it defines the text of columns. The outer levels still count the text that is printed here.
  const from = query.from.length === 0 ? undefined : printFromList(query.from, context)
  const where = query.where && context.printExpression(query.where, context)
  const groups = query.groupBy?.expressions.map((each) => printKey(each, context)) ?? []
  const level: QueryLevel = { groupExpressions: groups }
  context.levels.push(level)
  try {
    const outputs: Sql[] = []
    for (const output of query.outputs) {
      outputs.push(context.printExpression(output, context))
      yield
    }
    const distinct = printDistinct(query.distinct, context)
    const having = query.having && context.printExpression(query.having, context)
    const tail = printTail(query, context)
    return clauses(
      keyword('select'),
      distinct,
      outputs.length === 0 ? undefined : commaList(outputs),
      from && sql`from ${from}`,
      where && sql`where ${where}`,
      query.groupBy && printGroupBy(query.groupBy, level),
      having && sql`having ${having}`,
      ...tail,
      ...query.locking.filter(({ relations }) => relations.length > 0).map(printLocking),
    )
  } finally {
    context.levels.pop()
  }
}

function printDistinct(distinct: SelectQuery['distinct'], context: PrintContext): Sql | undefined {
  if (distinct === 'none') return undefined
  if (distinct === 'all') return keyword('distinct')
  return sql`distinct on (${commaList(distinct.on.map((key) => printKey(key, context)))})`
}

function printGroupBy({ sets }: GroupBy, { groupExpressions }: QueryLevel): Sql {
  const lists = sets.map((set) => set.flatMap((index) => groupExpressions[index] ?? []))
  const [only, ...others] = lists
  if (only !== undefined && others.length === 0 && only.length > 0) {
    return sql`group by ${commaList(only)}`
  }
  return sql`group by grouping sets (${commaList(lists.map((list) => sql`(${commaList(list)})`))})`
}

function printLocking(locking: Locking): Sql {
  const wait = waits[locking.wait]
  return clauses(
    keyword(strengths[locking.strength]),
    sql`of ${commaList(locking.relations.map(relationName))}`,
    wait === '' ? undefined : keyword(wait),
  )
}

const strengths = {
  update: 'for update',
  noKeyUpdate: 'for no key update',
  share: 'for share',
  keyShare: 'for key share',
} as const

const waits = { block: '', skip: 'skip locked', error: 'nowait' } as const
