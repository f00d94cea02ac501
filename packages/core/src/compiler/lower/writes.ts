/** @module UPDATE ... FROM and DELETE ... USING; writes in WITH and MERGE are refused. */

import { GatewayError } from '../../foundation/errors.ts'
import type {
  BoundStatement,
  DeleteWrite,
  FromItem,
  InsertWrite,
  Returning,
  UpdateWrite,
  Write,
} from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { copyOfExpression } from '../bind/tree/fresh-copy.ts'
import { leavesOf, relationsIn } from '../bind/tree/from-items.ts'
import { isWrite, mapExpression, mapQuery, type Rewriter } from '../bind/tree/map-query.ts'
import { unsupportedConstruct } from '../bind/tree/unsupported.ts'
import { freeRelationsOf } from '../bind/tree/visit-query.ts'
import type { Table } from '../catalog/catalog.ts'
import type { LoweringDialect } from './dialect.ts'
import {
  allOf,
  boolType,
  type LowerContext,
  select,
  trueConstant,
  unnamed,
} from './expression-builders.ts'
import { singleRow } from './internal-functions.ts'
import { lowerLaterals, refuseLaterals } from './lateral.ts'
import { isDetermined } from './row-bounds.ts'

/** @throws {GatewayError} `unsupported` where WITH contains a write. */
export function refuseWritesInWith({ body }: BoundStatement, { database }: LoweringDialect): void {
  if (body.kind === 'select' && body.counted !== undefined) {
    const message = `MERGE is not supported on ${database}: use INSERT … ON CONFLICT`
    throw new GatewayError('unsupported', message, { sqlState: '0A000' })
  }
  if (!body.ctes.some(({ query }) => isWrite(query))) return
  throw unsupportedConstruct('a WITH query that writes', database, undefined)
}

export function lowerWrite(write: Write, context: LowerContext): Write {
  switch (write.kind) {
    case 'insert':
      return requireWholeColumns(write, context)
    case 'update':
      return lowerUpdate(write, context)
    case 'delete':
      return lowerDelete(write, context)
  }
}

function requireWholeColumns(write: InsertWrite, { dialect }: LowerContext): InsertWrite {
  const action = write.onConflict?.action
  const assignments = action?.kind === 'update' ? action.assignments : []
  if (write.parts === undefined && assignments.every(({ part }) => part === undefined)) return write
  throw unsupportedConstruct('a part of a column as target', dialect.database, undefined)
}

/** `delete from t using u where p` deletes the rows for which some row of `u` satisfies `p`. */
function lowerDelete(write: DeleteWrite, context: LowerContext): DeleteWrite {
  if (write.using.length === 0) return write
  return {
    ...write,
    using: [],
    where: someRow(write, write.using, context),
    returning: write.returning && withLookUps(write, write.returning, context),
  }
}

/**
 * The values of USING that RETURNING needs are looked up for the deleted row.
 *
 * @throws {GatewayError} `unsupported` where the look-up could find several rows, or rows that the statement itself changed.
 */
function withLookUps(write: DeleteWrite, returning: Returning, context: LowerContext): Returning {
  const { using, where, target } = write
  const own = relationsIn(using)
  const used = returning.outputs.find((output) => !isApart(output, own))
  if (used === undefined) return returning
  if (!isDetermined(using, where, new Set()) || !areUntouched(using, target.table)) {
    throw unsupportedConstruct(
      'RETURNING columns of USING',
      context.dialect.database,
      used.position,
    )
  }
  const toDeleted: Rewriter = {
    expression: (part) =>
      part.kind === 'column' && part.relation === target.oldRow
        ? { ...part, relation: target.newRow }
        : part,
  }
  const source = mapQuery(select({ outputs: [], from: using, where }), toDeleted)
  const lookUp = (value: Expression): Expression => {
    const query = { ...source, outputs: [value], columns: [unnamed(value.type)] }
    return copyOfExpression({ kind: 'subquery', query, type: value.type }, context)
  }
  const map = (output: Expression) =>
    mapExpression(output, {
      before: (part) => {
        const isOwn = part.kind === 'column' || part.kind === 'wholeRow'
        return isOwn && own.has(part.relation) ? lookUp(part) : undefined
      },
    })
  return { ...returning, outputs: returning.outputs.map(map) }
}

/** Tables that neither the write nor the actions of its foreign keys change. */
function areUntouched(items: readonly FromItem[], target: Table): boolean {
  return items
    .flatMap(leavesOf)
    .every(
      (item) =>
        item.kind === 'securedTable' &&
        item.table !== target &&
        item.table.kind === 'table' &&
        item.table.foreignKeys.length === 0,
    )
}

function someRow(
  { where }: Pick<Write & { kind: 'update' | 'delete' }, 'where'>,
  from: UpdateWrite['from'],
  context: LowerContext,
): Expression {
  const query = lowerLaterals(select({ outputs: [trueConstant], from, where }), context)
  return { kind: 'exists', query, type: boolType }
}

/**
 * Of several source rows for one target row PostgreSQL takes any. Where they are equal, it is enough that there is one; where a
 * key finds them, there is at most one; else more than one is an error (SQLSTATE 21000).
 */
function lowerUpdate(write: UpdateWrite, context: LowerContext): UpdateWrite {
  const { from, where, target } = write
  if (write.assignments.some(({ part }) => part !== undefined)) {
    throw unsupportedConstruct('a part of a column as target', context.dialect.database, undefined)
  }
  if (from.length === 0) return write
  const own = relationsIn(from)
  const values = write.assignments.flatMap(({ value }) => (value.kind === 'default' ? [] : [value]))
  const used = [...values, ...(write.returning?.outputs ?? [])]
  if (used.every((value) => isApart(value, own))) {
    return { ...write, from: [], where: someRow(write, from, context) }
  }
  refuseLaterals(from, [target.oldRow], 'LATERAL in UPDATE ... FROM', context)
  if (isDetermined(from, where, new Set())) return write
  const sources = copyOfExpression(
    {
      kind: 'subquery',
      query: select({ outputs: [trueConstant], from, where }),
      type: boolType,
    },
    context,
  )
  const guard: Expression = context.dialect.refusesSeveralRows
    ? sources
    : { kind: 'call', function: singleRow, args: [sources], type: boolType }
  return { ...write, where: allOf([where, guard]), security: behindBarrier(write.security) }
}

/** The error must not reveal rows that the caller cannot see. */
function behindBarrier(security: Write['security']): Write['security'] {
  const rows = security?.rows
  if (security === undefined || rows === undefined) return security
  return { ...security, rows: { ...rows, barrier: rows.barrier || rows.filter !== undefined } }
}

function isApart(expression: Expression, own: ReadonlySet<number>): boolean {
  return freeRelationsOf(expression).isDisjointFrom(own)
}
