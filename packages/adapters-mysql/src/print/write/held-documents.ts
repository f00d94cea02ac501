/**
 * @module Documents that a write stores where the server has a binary form of JSON: one with a number that it would change is
 * refused.
 */

import type { Column } from '@engine/core/catalog'
import { columnAt } from '@engine/core/print'
import type { Assignment, Expression, InsertSource, Query, Write } from '@engine/core/tree'
import type { PrintContext } from '../print-context.ts'
import { nativeOf } from '../read-stored.ts'

/** The write with such documents marked: a COLLATE around a document stands for that (see `print-expression.ts`). */
export function withHeldDocuments(write: Write, { traits }: PrintContext): Write {
  if (!traits.hasJsonType || write.kind === 'delete') return write
  const isDocument = (ordinal: number) => hasDocuments(columnAt(write.target.table, ordinal))
  const assigned = (all: readonly Assignment[]) =>
    all.map(
      (each): Assignment =>
        each.value.kind === 'default' || !isDocument(each.column)
          ? each
          : { ...each, value: held(each.value) },
    )
  if (write.kind === 'update') return { ...write, assignments: assigned(write.assignments) }
  const { source, onConflict } = write
  const action =
    onConflict?.action.kind === 'update'
      ? { ...onConflict.action, assignments: assigned(onConflict.action.assignments) }
      : onConflict?.action
  return {
    ...write,
    source: heldSource(source, write.columns.map(isDocument)),
    onConflict: onConflict && action && { ...onConflict, action },
  }
}

function hasDocuments(column: Column): boolean {
  return nativeOf(column).dataType === 'json'
}

function held(operand: Expression): Expression {
  const isNull = operand.kind === 'constant' && operand.value === null
  return isNull ? operand : { kind: 'collate', operand, type: operand.type }
}

type Cells = readonly (Expression | { readonly kind: 'default' })[]

/** @param isDocument by position in a row */
function heldSource(source: InsertSource, isDocument: readonly boolean[]): InsertSource {
  const row = (cells: Cells) =>
    cells.map((cell, index) =>
      isDocument[index] === true && cell.kind !== 'default' ? held(cell) : cell,
    )
  switch (source.kind) {
    case 'values':
      return { ...source, rows: source.rows.map(row) }
    case 'repeated':
      return { ...source, shapes: source.shapes.map(row) }
    case 'query':
      return { ...source, query: heldQuery(source.query, isDocument) }
    default:
      return source
  }
}

function heldQuery(query: Query, isDocument: readonly boolean[]): Query {
  const row = (cells: readonly Expression[]) =>
    cells.map((cell, index) => (isDocument[index] === true ? held(cell) : cell))
  switch (query.kind) {
    case 'select':
      return { ...query, outputs: row(query.outputs) }
    case 'values':
      return { ...query, rows: query.rows.map(row) }
    case 'setOperation':
      return {
        ...query,
        left: heldQuery(query.left, isDocument),
        right: heldQuery(query.right, isDocument),
      }
  }
}
