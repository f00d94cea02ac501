/**
 * @module Writes whose policies read the written table itself. Within one statement PostgreSQL shows every part of it
 * the tables as they were before. So the check of such a write is a separate step, which sees the stored rows.
 */

import type { Table } from '@engine/core/catalog'
import { commaList, integer, parameter, relationName, type Sql, sql } from '@engine/core/print'
import {
  type BoundStatement,
  type Expression,
  hasSubquery,
  isWrite,
  readsTable,
  unsupportedConstruct,
  visitExpression,
  type Write,
} from '@engine/core/tree'
import type { PrintContext } from './print-context.ts'
import { printWrite } from './print-write.ts'
import type { PrintedStep } from './printed-step.ts'
import { tableColumns, tableName } from './relation-columns.ts'

/** Returns whether a policy of the write reads the table that it changes. */
export function looksAtOwnWrites(write: Write): boolean {
  return write.kind !== 'delete' && policiesRead(write, write.target.table)
}

/**
 * Writes in WITH belong to one statement: no policy of theirs may read a table that one of them writes.
 *
 * @throws {GatewayError} `unsupported`
 */
export function refuseEarlyChecks({ body }: BoundStatement): void {
  const inner = body.ctes.flatMap(({ query }) => (isWrite(query) ? [query] : []))
  if (inner.length === 0) return
  const writes = isWrite(body) ? [...inner, body] : inner
  for (const write of writes) {
    if (writes.some(({ target }) => policiesRead(write, target.table))) {
      const isMerge = body.kind === 'select' && body.counted !== undefined
      const construct = isMerge
        ? 'MERGE into a table that its policies look at (use INSERT, UPDATE and DELETE)'
        : 'a write in WITH whose policies look at a table that the statement writes'
      throw unsupportedConstruct(construct, 'PostgreSQL', undefined)
    }
  }
}

function policiesRead({ security, returning }: Write, table: Table): boolean {
  const visible = returning === undefined ? undefined : security?.visible
  return [security?.check, visible].some(
    (condition) => condition !== undefined && readsTable(condition, table),
  )
}

/**
 * The write, which records where its rows are stored; the check of these rows; the answer. A row that a trigger has
 * moved or removed since is not found, and fails the check.
 *
 * @param withCtes adds the WITH clause before it
 */
export function printCheckedLater(
  write: Write,
  withCtes: (body: Sql) => Sql,
  context: PrintContext,
): readonly PrintedStep[] {
  const { table, newRow } = write.target
  if (table.kind === 'view') {
    const construct = `a write of a view whose policies may look at its rows ("${table.connection}"."${table.name}")`
    throw unsupportedConstruct(construct, 'PostgreSQL', undefined)
  }
  refuseOtherRows(write)
  const alias = relationName(newRow)
  const body = printWrite(
    write,
    () => [
      sql`${alias}.tableoid::pg_catalog.text`,
      sql`${alias}.ctid::pg_catalog.text`,
      ...context.oldConditions,
    ],
    context,
  )
  const kept = sql`${parameter({ from: 'step', step: 0 })}::pg_catalog.json`
  const stored = sql`pg_catalog.json_array_elements(${kept}) with ordinality as k(v, n)
    join ${tableName(table)} as ${alias} on (${alias}.tableoid = (k.v ->> 0)::pg_catalog.oid and ${alias}.ctid = (k.v ->> 1)::pg_catalog.tid)`
  context.relations.set(newRow, tableColumns(table, alias))
  context.oldConditions = context.oldConditions.map(
    (_, index) => sql`(k.v ->> ${integer(index + 2)})::pg_catalog.bool`,
  )
  const steps = [step(withCtes(body), 'keep')]
  const { check } = write.security ?? {}
  if (check !== undefined) {
    const holds = context.printExpression(check, context)
    const isComplete = sql`(pg_catalog.count(*) = pg_catalog.json_array_length(${kept}))`
    const isTrue = sql`coalesce(pg_catalog.bool_and((${holds}) is true), true)`
    steps.push(step(sql`select (${isComplete} and ${isTrue}) from ${stored}`, 'assert'))
  }
  return [...steps, printAnswer(write, stored, kept, context)]
}

function printAnswer(write: Write, stored: Sql, kept: Sql, context: PrintContext): PrintedStep {
  const { returning, security } = write
  if (returning === undefined) {
    return step(sql`select pg_catalog.json_array_length(${kept})`, 'count')
  }
  const outputs = returning.outputs.map((output) => context.printExpression(output, context))
  const { visible } = security ?? {}
  const isVisible =
    visible === undefined ? [] : [sql`(${context.printExpression(visible, context)} is true)`]
  const answer = step(
    sql`select ${commaList([...outputs, ...isVisible])} from ${stored} order by k.n`,
    'result',
  )
  return { ...answer, visibleColumn: visible && outputs.length }
}

/** RETURNING is computed again, only from the stored row. */
function refuseOtherRows({ returning, target }: Write): void {
  for (const output of returning?.outputs ?? []) {
    let isOwn = !hasSubquery(output)
    visitExpression(output, {
      expression: (each: Expression) => {
        if (each.kind === 'column' && each.relation !== target.newRow) isOwn = false
      },
    })
    if (isOwn) continue
    const construct =
      'RETURNING of more than the stored row, where policies look at the written table'
    throw unsupportedConstruct(construct, 'PostgreSQL', output.position)
  }
}

function step(text: Sql, yields: PrintedStep['yields']): PrintedStep {
  return { sql: text, yields, checkColumn: undefined, visibleColumn: undefined }
}
