/** @module A whole statement as steps of SQL. */
import { isDeepStrictEqual } from 'node:util'
import type { AuthorizedStatement, CompiledStatement, PlanStep } from '@engine/core/adapter'
import type { TypeSystem } from '@engine/core/catalog'
import { unreachable } from '@engine/core/driver'
import {
  columnName,
  commaList,
  lowerInSteps,
  type Sql,
  type Steps,
  sql,
  startContext,
} from '@engine/core/print'
import {
  type BoundStatement,
  isWrite,
  type Locking,
  type Query,
  type SelectQuery,
  visitQuery,
  type Write,
} from '@engine/core/tree'
import { printExpression } from '../expression/print-expression.ts'
import { aliasOf, type PrintContext } from '../print-context.ts'
import type { Ticks } from '../print-tick.ts'
import { isBoundedQuery } from '../query/bounded.ts'
import { printQuery, printQueryInSteps } from '../query/print-query.ts'
import { isListOfDocuments, resultForm } from '../query/result-form.ts'
import { isSimpleQuery } from '../query/simple.ts'
import { returnsStoredRows } from '../query/stored-rows.ts'
import {
  finishStep,
  localTarget,
  makeStep,
  type PrintedStep,
  type Target,
} from '../step/make-step.ts'
import { printDelete } from '../write/print-delete.ts'
import { printInsert } from '../write/print-insert.ts'
import { printUpdate } from '../write/print-update.ts'
import { lowering } from './lowering.ts'

/** In steps: the walks of lowering, printing, the finished text. */
export function* compileStatement(
  statement: AuthorizedStatement,
  target: Target = localTarget,
): Steps<CompiledStatement> {
  const lowered = yield* lowerInSteps(statement, lowering)
  yield
  const { body } = lowered
  return isWrite(body)
    ? yield* compileWrite(lowered, body, target)
    : yield* compileRead(lowered, body, target)
}

function* compileRead(
  statement: BoundStatement,
  query: Query,
  target: Target,
): Steps<CompiledStatement> {
  const { types } = statement.connection
  const isBounded = isBoundedQuery(query, types)
  const isSimple = isSimpleQuery(query, types)
  yield
  const ticks = isBounded ? 'none' : isSimple ? simpleTicks(query) : 'each'
  const stepOf: StepOf = function* (nativeSums) {
    const context = createContext(statement, hasTicks(target) ? ticks : 'none', { nativeSums })
    const printed = makeStep(yield* printResult(query, context), 'result')
    yield
    return yield* finishStep(printed, target)
  }
  const { step, exactSql } =
    hasTicks(target) && !locksRows(query)
      ? yield* withNativeSums(stepOf)
      : { step: yield* stepOf(undefined), exactSql: undefined }
  yield
  return {
    steps: [step],
    needsTransaction: false,
    isWrite: locksRows(query),
    columns: query.columns,
    // The check of row sizes is a function of the adapter.
    hints: hasTicks(target) ? hintsOf(query, types, { isBounded, isSimple, exactSql }) : undefined,
  }
}

/** A simple query has one FROM item and no subqueries: if that is a table, each of its rows is read once. */
function simpleTicks({ from }: SelectQuery): Ticks {
  return from[0]?.kind === 'securedTable' ? 'scanned' : 'sampled'
}

type StepOf = (nativeSums: PrintContext['nativeSums']) => Steps<PlanStep>

interface SummedStep {
  readonly step: PlanStep
  readonly exactSql: string | undefined
}

/** A step with fast sums, and the SQL of the same step with exact ones, where the two differ. */
function* withNativeSums(stepOf: StepOf): Steps<SummedStep> {
  const nativeSums = { count: 0 }
  const step = yield* stepOf(nativeSums)
  if (nativeSums.count === 0) return { step, exactSql: undefined }
  yield
  const exact = yield* stepOf(undefined)
  // Both must take the same values.
  if (!isDeepStrictEqual(exact.parameters, step.parameters)) {
    return { step: exact, exactSql: undefined }
  }
  return { step, exactSql: exact.sql }
}

function* printResult(query: Query, context: PrintContext): Steps<Sql> {
  const { sql: printed } = yield* printQueryInSteps(query, context, 'stored')
  if (!query.columns.some(({ type }) => isListOfDocuments(type, context))) return printed
  const alias = aliasOf(context.nextId(), context)
  const outputs = query.columns.map(({ type }, index) =>
    resultForm(sql`${alias}.${columnName(index)}`, type, context),
  )
  return sql`select ${commaList(outputs)} from (${printed}) as ${alias}`
}

function* compileWrite(
  statement: BoundStatement,
  write: Write,
  target: Target,
): Steps<CompiledStatement> {
  const context = createContext(statement, hasTicks(target) ? 'each' : 'none', { write })
  const steps: PlanStep[] = []
  for (const step of stepsOf(write, context)) {
    yield
    steps.push(yield* finishStep(step, target))
  }
  return {
    steps,
    needsTransaction: steps.length > 1,
    isWrite: true,
    columns: write.returning?.columns ?? [],
    hints: undefined,
  }
}

/** A server cannot call back into this process to ask whether it must stop. */
function hasTicks({ functions }: Target): boolean {
  return functions === undefined
}

function stepsOf(write: Write, context: PrintContext): readonly PrintedStep[] {
  switch (write.kind) {
    case 'insert':
      return printInsert(write, context)
    case 'update':
      return printUpdate(write, context)
    case 'delete':
      return printDelete(write, context)
    default:
      return unreachable(write)
  }
}

interface ReadProperties {
  readonly isBounded: boolean
  readonly isSimple: boolean
  readonly exactSql: string | undefined
}

function hintsOf(
  query: Query,
  types: TypeSystem,
  { isBounded, isSimple, exactSql }: ReadProperties,
): CompiledStatement['hints'] {
  const isLimited = query.limit?.max !== undefined
  const isStored = returnsStoredRows(query, types)
  const isImpatient = lockingsOf(query).some(({ wait }) => wait === 'error')
  return {
    ...(isBounded ? { bounded: true } : {}),
    ...(isSimple ? { simple: true } : {}),
    ...(isStored ? { stored: true } : {}),
    ...(isLimited ? { limited: true } : {}),
    ...(isImpatient ? { nowait: true } : {}),
    ...(exactSql === undefined ? {} : { exactSql }),
  }
}

/** Rows are locked by exclusive access: such a query runs where writes run. */
function locksRows(query: Query): boolean {
  return lockingsOf(query).length > 0
}

function lockingsOf(query: Query): readonly Locking[] {
  const lockings: Locking[] = []
  visitQuery(query, {
    query: (each) => {
      if (each.kind === 'select') lockings.push(...each.locking)
    },
  })
  return lockings
}

interface ContextOptions {
  readonly write?: Write
  readonly nativeSums?: PrintContext['nativeSums']
}

function createContext(
  statement: BoundStatement,
  ticks: Ticks,
  { write, nativeSums }: ContextOptions,
): PrintContext {
  return {
    ...startContext(statement, write?.target.table),
    relations: new Map(),
    ctes: new Map(),
    ticks,
    nativeSums,
    printExpression,
    printQuery,
  }
}
