/** @module Prints whole statements: the body, writes in WITH, and additional columns that policies need. */

import {
  clauses,
  columnName,
  commaList,
  cteName,
  joinSql,
  keyword,
  type Sql,
  type Steps,
  sql,
} from '@engine/core/print'
import {
  type BoundStatement,
  type CommonTable,
  type CountedWrites,
  isWrite,
  type OutputColumn,
  type Query,
  type Write,
} from '@engine/core/tree'
import { required } from '../errors/failed-check.ts'
import { countOf } from './count-of-writes.ts'
import { looksAtOwnWrites, printCheckedLater, refuseEarlyChecks } from './print-checked-later.ts'
import type { PrintContext } from './print-context.ts'
import { printExpression } from './print-expression.ts'
import { commonTable, printQuery, printQueryBody } from './print-query.ts'
import { printWrite } from './print-write.ts'
import type { PrintedStep } from './printed-step.ts'
import type { ReturningList } from './returning.ts'

/** A statement in PostgreSQL's SQL. */
export interface PrintedStatement {
  readonly steps: readonly PrintedStep[]
  readonly columns: readonly OutputColumn[]
}

export function* printStatement(
  statement: BoundStatement,
  serverVersion: number | undefined,
): Steps<PrintedStatement> {
  const context: PrintContext = {
    types: statement.connection.types,
    serverVersion,
    relations: new Map(),
    levels: [],
    subqueries: new Map(),
    copies: { pieces: 0 },
    oldConditions: [],
    printExpression,
    printQuery,
  }
  const { body } = statement
  refuseEarlyChecks(statement)
  if (isWrite(body) && looksAtOwnWrites(body)) {
    const definitions = body.ctes.flatMap((cte) => printTopCommonTable(cte, context).definitions)
    const isRecursive = body.ctes.some((cte) => cte.isRecursive)
    const columns = body.returning?.columns ?? []
    const withCtes = (sql: Sql) => withDefinitions({ definitions, checks: [], isRecursive }, sql)
    return { steps: printCheckedLater(body, withCtes, context), columns }
  }
  const ctes = body.ctes.map((cte) => printTopCommonTable(cte, context))
  const outer: Surroundings = {
    definitions: ctes.flatMap(({ definitions }) => definitions),
    checks: ctes.flatMap(({ check }) => check ?? []),
    isRecursive: body.ctes.some(({ isRecursive }) => isRecursive),
  }
  const { columns, ...step } = isWrite(body)
    ? printWriteStatement(body, outer, context)
    : yield* printQueryStatement(body, outer, context)
  return { steps: [step], columns }
}

/** The execution of most statements: one step. */
interface SingleStep extends PrintedStep {
  readonly columns: readonly OutputColumn[]
}

/** The clause before a statement's body. */
interface Surroundings {
  readonly definitions: readonly Sql[]
  /** Conditions on the rows that the writes in WITH stored. */
  readonly checks: readonly Sql[]
  readonly isRecursive: boolean
}

interface PrintedCommonTable {
  readonly definitions: readonly Sql[]
  readonly check: Sql | undefined
}

function printTopCommonTable(cte: CommonTable, context: PrintContext): PrintedCommonTable {
  if (!isWrite(cte.query)) {
    const query = context.printQuery(cte.query, context)
    return { definitions: [commonTable(cte, query, context)], check: undefined }
  }
  return printWriteInWith(cte.query, cte, context)
}

/**
 * `w7(c1, c2) as (insert ... returning id, check), q3(c1) as (select c1 from w7 where visible)`; without conditions of
 * a policy `q3` is the write itself.
 */
function printWriteInWith(
  write: Write,
  cte: CommonTable,
  context: PrintContext,
): PrintedCommonTable {
  const outputs = outputsOf(write)
  const own = write.ctes.flatMap((each) => printTopCommonTable(each, context).definitions)
  const isRecursive = write.ctes.some((each) => each.isRecursive)
  const isCounted = write.returning?.isCounted === true && outputs.count === 0
  const list: ReturningList = isCounted ? () => [keyword('true')] : outputs.list
  const printed = printWrite(write, list, context)
  const body = withDefinitions({ definitions: own, checks: [], isRecursive }, printed)
  if (outputs.check === undefined && outputs.visible === undefined) {
    return { definitions: [commonTable(cte, body, context)], check: undefined }
  }
  const name = writeName(write)
  const stored = definition(name, outputs.count, body)
  const seen = definition(cteName(cte.id), outputs.answer, visibleRows(name, outputs))
  return {
    definitions: write.returning === undefined ? [stored] : [stored, seen],
    check: outputs.check === undefined ? undefined : allTrue(name, outputs.check),
  }
}

/** The RETURNING list of a write: the client's outputs, then the policies' conditions. */
interface WriteOutputs {
  /** Columns of the answer; conditions follow them. */
  readonly answer: number
  readonly check: number | undefined
  readonly visible: number | undefined
  readonly count: number
  readonly list: ReturningList
}

function outputsOf(write: Write): WriteOutputs {
  const outputs = write.returning?.outputs ?? []
  const { check } = write.security ?? {}
  const visible = write.returning && write.security?.visible
  const conditions = [check, visible].filter((condition) => condition !== undefined)
  const answer = outputs.length
  return {
    answer,
    check: check && answer,
    visible: visible && answer + conditions.length - 1,
    count: answer + conditions.length,
    list: (context) => [
      ...outputs.map((output) => context.printExpression(output, context)),
      ...conditions.map((each) => {
        const holds = sql`(${context.printExpression(each, context)} is true)`
        return each === check ? required(holds) : holds
      }),
    ],
  }
}

function printWriteStatement(write: Write, outer: Surroundings, context: PrintContext): SingleStep {
  const outputs = outputsOf(write)
  if (write.returning === undefined) return printCountedWrite(write, outputs, outer, context)
  const body = printWrite(write, outputs.list, context)
  const { columns } = write.returning
  if (outer.checks.length === 0) {
    return {
      sql: withDefinitions(outer, body),
      columns,
      yields: 'result',
      checkColumn: undefined,
      visibleColumn: outputs.visible,
    }
  }
  const name = writeName(write)
  const all: Surroundings = {
    ...outer,
    definitions: [...outer.definitions, definition(name, outputs.count, body)],
    checks: [...outer.checks, ...ownCheck(name, outputs)],
  }
  return printCheckedRows(visibleRows(name, outputs), columns, all)
}

/** Without RETURNING: the driver's count, or one row with the count and the result of all checks. */
function printCountedWrite(
  write: Write,
  outputs: WriteOutputs,
  outer: Surroundings,
  context: PrintContext,
): SingleStep {
  if (outer.checks.length === 0 && outputs.check === undefined) {
    const body = printWrite(write, () => [], context)
    return {
      sql: withDefinitions(outer, body),
      columns: [],
      yields: 'affected',
      checkColumn: undefined,
      visibleColumn: undefined,
    }
  }
  const name = writeName(write)
  const list: ReturningList = outputs.count === 0 ? () => [keyword('true')] : outputs.list
  const body = definition(name, Math.max(outputs.count, 1), printWrite(write, list, context))
  const checks = required(joinSql([...outer.checks, ...ownCheck(name, outputs)], ' and '))
  const count = sql`select pg_catalog.count(*), ${checks} from ${name}`
  return {
    sql: withDefinitions({ ...outer, definitions: [...outer.definitions, body] }, count),
    columns: [],
    yields: 'count',
    checkColumn: undefined,
    visibleColumn: undefined,
  }
}

function* printQueryStatement(
  query: Query,
  outer: Surroundings,
  context: PrintContext,
): Steps<SingleStep> {
  if (query.kind === 'select' && query.counted !== undefined) {
    return printCounted(query.counted, outer)
  }
  const body = yield* printQueryBody(query, context)
  if (outer.checks.length > 0) return printCheckedRows(body, query.columns, outer)
  return {
    sql: withDefinitions(outer, body),
    columns: query.columns,
    yields: 'result',
    checkColumn: undefined,
    visibleColumn: undefined,
  }
}

/** MERGE: one row with the number of rows that its writes have changed, and the result of all checks. */
function printCounted(counted: CountedWrites, outer: Surroundings): SingleStep {
  const hasChecks = outer.checks.length > 0
  const checks = hasChecks ? [required(joinSql(outer.checks, ' and '))] : []
  return {
    sql: withDefinitions(outer, sql`select ${commaList([countOf(counted), ...checks])}`),
    columns: [],
    yields: 'count',
    checkColumn: undefined,
    visibleColumn: undefined,
  }
}

/**
 * The rows of `body` in their order, each with the result of all checks. The row with the checks exists even when
 * `body` has no rows; the row number shows whether a row belongs to the answer.
 */
function printCheckedRows(
  body: Sql,
  columns: readonly OutputColumn[],
  outer: Surroundings,
): SingleStep {
  const width = columns.length
  const inner = Array.from({ length: width }, (_, index) => sql`m.${columnName(index)}`)
  const numbered = sql`select ${commaList([...inner, sql`pg_catalog.row_number() over ()`])} from (${body}) as ${relation('m', width)}`
  const outputs = Array.from({ length: width }, (_, index) => sql`r.${columnName(index)}`)
  const number = sql`r.${columnName(width)}`
  const list = commaList([...outputs, sql`k.${columnName(0)}`, sql`(${number} is not null)`])
  const checks = required(joinSql(outer.checks, ' and '))
  const joined = sql`(select ${checks}) as ${relation('k', 1)} left join (${numbered}) as ${relation('r', width + 1)} on true`
  return {
    sql: withDefinitions(outer, sql`select ${list} from ${joined} order by ${number}`),
    columns,
    yields: 'result',
    checkColumn: undefined,
    visibleColumn: width + 1,
  }
}

function withDefinitions({ definitions, isRecursive }: Surroundings, body: Sql): Sql {
  if (definitions.length === 0) return body
  const words = keyword(isRecursive ? 'with recursive' : 'with')
  return sql`${words} ${commaList(definitions)} ${body}`
}

/** `w7`: the rows that a write stored, before permissions filter them. */
function writeName(write: Write): Sql {
  return keyword(`w${write.target.newRow}`)
}

/** `w7(c1, c2) as (...)` */
function definition(name: Sql, width: number, query: Sql): Sql {
  const list = width === 0 ? sql`` : sql`(${columnNames(width)})`
  return sql`${name}${list} as (${query})`
}

function visibleRows(name: Sql, { answer, visible }: WriteOutputs): Sql {
  return clauses(
    keyword('select'),
    answer === 0 ? undefined : columnNames(answer),
    sql`from ${name}`,
    visible === undefined ? undefined : sql`where ${columnName(visible)}`,
  )
}

function ownCheck(name: Sql, { check }: WriteOutputs): readonly Sql[] {
  return check === undefined ? [] : [allTrue(name, check)]
}

function allTrue(name: Sql, column: number): Sql {
  return sql`(not exists (select from ${name} where not ${columnName(column)}))`
}

function columnNames(count: number): Sql {
  return commaList(Array.from({ length: count }, (_, index) => columnName(index)))
}

/** `m(c1, c2)` */
function relation(name: 'k' | 'm' | 'r', width: number): Sql {
  return width === 0 ? keyword(name) : sql`${keyword(name)}(${columnNames(width)})`
}
