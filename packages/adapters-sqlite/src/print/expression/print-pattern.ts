/** @module LIKE, ILIKE and regular expressions. */

import {
  integer,
  type PatternPrinters,
  printPatternOperator,
  type Sql,
  sql,
} from '@engine/core/print'
import { type Expression, isRowIndependent, type OperatorCall } from '@engine/core/tree'
import { call, type PrintContext, type PrintedColumn, print, relationOf } from '../print-context.ts'
import { isReadAsStored, nativeOf } from '../read-stored.ts'
import type { TypeClass } from '../type-class.ts'

const printers: PatternPrinters<PrintContext> = {
  like,
  ilike,
  regex: (left, right, context) =>
    call('pg_regex', print(left, context), print(right, context), integer(0)),
  regexInAnyCase: (left, right, context) =>
    call('pg_regex', print(left, context), print(right, context), integer(1)),
  startsWith: (left, right, context) =>
    call('pg_starts_with', print(left, context), print(right, context)),
}

/** Undefined for an operator that is not a pattern match. */
export function printPattern(
  expression: OperatorCall,
  leftClass: TypeClass,
  context: PrintContext,
): Sql | undefined {
  const isText = leftClass === 'text' || leftClass === 'bpchar'
  return isText ? printPatternOperator(expression, context, printers) : undefined
}

/** A constant pattern becomes a GLOB, which SQLite matches itself, and bounds that can use an index. */
function like(left: Expression, right: Expression, context: PrintContext): Sql {
  const { subject, pattern, mark } = likeParts(left, right, context)
  if (!isRowIndependent(right)) return call('pg_like', subject, pattern, mark)
  const glob = sql`(${subject} glob ${call('like_glob', pattern, mark)})`
  const column = indexable(left, context)
  if (column === undefined) return glob
  const low = sql`${column.sql} >= ${call('like_low', pattern, mark)}`
  const high = sql`${column.sql} < ${call('like_high', pattern, mark)}`
  return sql`(${low} and ${high} and ${glob})`
}

function ilike(left: Expression, right: Expression, context: PrintContext): Sql {
  const { subject, pattern, mark } = likeParts(left, right, context)
  if (!isRowIndependent(right)) return call('pg_ilike', subject, pattern, mark)
  const lowered = call('like_glob', call('pg_lower', pattern), mark)
  return sql`(${call('pg_lower', subject)} glob ${lowered})`
}

/** The binder writes `LIKE p ESCAPE e` as `like_escape(p, e)`, which rewrites the pattern to backslashes. */
function likeParts(
  left: Expression,
  right: Expression,
  context: PrintContext,
): { readonly subject: Sql; readonly pattern: Sql; readonly mark: Sql } {
  return {
    subject: print(left, context),
    pattern: print(right, context),
    mark: sql`'\\'`,
  }
}

/** A text column with byte order, the order of its index. */
function indexable(operand: Expression, context: PrintContext): PrintedColumn | undefined {
  const expression =
    operand.kind === 'cast' && operand.method === 'binary' ? operand.operand : operand
  if (expression.kind !== 'column') return undefined
  const column = relationOf(expression.relation, context).column(expression.column)
  const { stored } = column
  if (!column.isBare || stored === undefined || stored.collation !== undefined) return undefined
  const isText = nativeOf(stored).affinity === 'text' && isReadAsStored(stored, context.types)
  return isText ? column : undefined
}
