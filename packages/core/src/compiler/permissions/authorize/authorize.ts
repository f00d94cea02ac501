import { GatewayError } from '../../../foundation/errors.ts'
import { runSteps, type Steps } from '../../../foundation/steps.ts'
import type { BoundStatement, Query, RelationId } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { isWrite, mapStatement } from '../../bind/tree/map-query.ts'
import { sequenceCallsOf } from '../../bind/tree/next-value.ts'
import { visitStatement } from '../../bind/tree/visit-query.ts'
import type { Table } from '../../catalog/catalog.ts'
import type { Access } from '../access/access.ts'
import { columnDenial, denial } from '../access/denial.ts'
import { numberedColumns } from '../access/numbered-columns.ts'
import { withBarriers } from '../barrier/barrier.ts'
import { findLeaks } from '../barrier/leakage.ts'
import { anyOf, whenTrue } from '../combination/kleene.ts'
import type { PolicyFilter } from '../filter/policy-filter.ts'
import { authorizeWrite } from './authorize-write.ts'
import { type AuthorizedStatement, sealAuthorized } from './authorized.ts'
import { securedTable, selectPermissions } from './read-rules.ts'
import { sampled } from './sampled.ts'

/**
 * Narrows a statement to the rights of a role set: every base table becomes the virtual table of the role set, every write gets
 * the conditions on its rows. Depends on the roles and on which caller fields are present, never on a caller's values.
 *
 * @throws {GatewayError} `PERMISSION_DENIED` when no permission covers a table, column or operation.
 */
export function authorize(statement: BoundStatement, access: Access): AuthorizedStatement {
  return runSteps(authorizeInSteps(statement, access))
}

/** The same in steps: each walks over the whole statement. */
export function* authorizeInSteps(
  statement: BoundStatement,
  access: Access,
): Steps<AuthorizedStatement> {
  let id = statement.nextId
  const nextId = () => id++
  const locked = lockedRelations(statement)
  yield
  verifyColumns(statement, access)
  yield
  verifySequences(statement, access)
  yield
  const limit = verifyAggregates(statement, access)
  yield
  const narrowed = mapStatement(statement, {
    fromItem: (item) => {
      if (item.kind !== 'table') return item
      const extra = locked.has(item.id) ? lockRows(access, item.table) : undefined
      return sampled(item, securedTable(access, item.table, item.id, nextId, extra), access)
    },
    write: (write) => authorizeWrite(write, access, nextId),
  })
  const clamped = limit === undefined ? narrowed : withLimit(narrowed, limit)
  yield
  const guarded = access.isFull ? clamped : yield* guardedBy(clamped, statement)
  yield
  return sealAuthorized({ ...guarded, nextId: id })
}

function* guardedBy(narrowed: BoundStatement, original: BoundStatement): Steps<BoundStatement> {
  const leaks = findLeaks(original)
  yield
  return withBarriers(narrowed, leaks)
}

/** Relations of FOR UPDATE and similar clauses: locking needs the right to update. */
function lockedRelations(statement: BoundStatement): ReadonlySet<RelationId> {
  const locked = new Set<RelationId>()
  visitStatement(statement, {
    query: (query) => {
      if (query.kind !== 'select') return
      for (const { relations } of query.locking) for (const id of relations) locked.add(id)
    },
  })
  return locked
}

function lockRows(access: Access, table: Table): PolicyFilter | undefined {
  if (access.isFull) return undefined
  const all = access.permissionsFor(table)
  const granting = all.flatMap(({ update }) => (update === undefined ? [] : [update.where]))
  if (granting.length > 0) return whenTrue(anyOf(granting))
  throw denial({
    access,
    table: `${table.connection}.${table.name}`,
    operation: 'update',
    evaluated: all.map(({ name }) => name),
    reason: 'locking its rows needs the right to update them',
  })
}

/** Every column that the statement reads must be readable, however it was bound. */
function verifyColumns(statement: BoundStatement, access: Access): void {
  if (access.isFull) return
  const tables = tablesById(statement)
  visitStatement(statement, {
    expression: (expression) => {
      if (expression.kind !== 'column') return
      const table = tables.get(expression.relation)
      if (table === undefined) return
      const isSystem = table.columns[expression.column]?.isSystem === true
      const isReadable = selectPermissions(access, table).some(
        ({ select }) => isSystem || select.columns.has(expression.column),
      )
      if (isReadable) return
      const name = table.columns[expression.column]?.name ?? ''
      throw columnDenial({ access, name, table, operation: 'select' })
    },
  })
}

/** Every sequence that the statement advances or reads must number a column that the caller may insert and read. */
function verifySequences(statement: BoundStatement, access: Access): void {
  if (access.isFull) return
  for (const { numbered } of sequenceCallsOf(statement)) {
    if (numbered === undefined) throw new GatewayError('internal', 'a sequence without a column')
    const { table, column } = numbered
    const permitted = numberedColumns(access, table)
    if (permitted === 'all' || permitted.has(column)) continue
    const name = table.columns[column]?.name ?? ''
    throw columnDenial({ access, name, table, operation: 'insert' })
  }
}

/** Base tables by their relations; `excluded` is left out: it contains the client's own values. */
function tablesById(statement: BoundStatement): ReadonlyMap<RelationId, Table> {
  const tables = new Map<RelationId, Table>()
  visitStatement(statement, {
    fromItem: (item) => {
      if (item.kind === 'table') tables.set(item.id, item.table)
    },
    write: ({ target }) => {
      tables.set(target.oldRow, target.table)
      tables.set(target.newRow, target.table)
    },
  })
  return tables
}

/**
 * Refuses aggregates over tables where no permission allows them.
 *
 * @returns the smallest `select.limit` of the tables that are read.
 */
function verifyAggregates(statement: BoundStatement, access: Access): number | undefined {
  if (access.isFull) return undefined
  let hasAggregates = false
  const tables = new Set<Table>()
  visitStatement(statement, {
    expression: ({ kind }) => {
      if (aggregating.has(kind)) hasAggregates = true
    },
    query: (query) => {
      if (query.kind === 'select' && query.isAggregated) hasAggregates = true
    },
    fromItem: (item) => {
      if (item.kind === 'table') tables.add(item.table)
    },
  })
  const limits: number[] = []
  for (const table of tables) {
    const granting = selectPermissions(access, table)
    if (hasAggregates && granting.length > 0 && !granting.some(({ select }) => select.aggregate)) {
      throw denial({
        access,
        table: `${table.connection}.${table.name}`,
        operation: 'select',
        evaluated: granting.map(({ name }) => name),
        reason: 'no permission allows aggregates over it',
      })
    }
    const own = granting.map(({ select }) => select.limit ?? Number.POSITIVE_INFINITY)
    if (own.length > 0) limits.push(Math.max(...own))
  }
  const smallest = Math.min(...limits)
  return Number.isFinite(smallest) ? smallest : undefined
}

/** `array(select ...)` combines many rows into one value, as aggregates do. */
const aggregating: ReadonlySet<Expression['kind']> = new Set([
  'aggregate',
  'window',
  'arraySubquery',
])

/** @throws {GatewayError} `unsupported` for WITH TIES, which may return more rows than its count. */
function withLimit(statement: BoundStatement, max: number): BoundStatement {
  const { body } = statement
  if (isWrite(body)) return statement
  if (body.limit?.withTies === true) {
    throw new GatewayError('unsupported', 'WITH TIES is not supported where rows are limited', {
      sqlState: '0A000',
    })
  }
  const limit = {
    count: body.limit?.count,
    withTies: false,
    max: Math.min(max, body.limit?.max ?? max),
  }
  const clamped: Query = { ...body, limit }
  return { ...statement, body: clamped }
}
