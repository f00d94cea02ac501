/** @module Recursive WITH queries: a seed, and a plain SELECT that runs for the rows found last. */

import { unreachable } from '@engine/core/driver'
import { columnName, commaList, recursionOf, runSteps, type Sql, sql } from '@engine/core/print'
import type { CommonTable } from '@engine/core/tree'
import {
  aliasOf,
  anyValue,
  binaryCollation,
  classOfType,
  type PrintContext,
  type PrintedQuery,
  refuse,
} from '../print-context.ts'
import { comparesNatively, type TypeClass } from '../type-class.ts'
import { printSelect } from './print-select.ts'

/** The server takes the types of the columns from the seed alone: so its values are made as wide as possible. */
export function printRecursiveUnion(cte: CommonTable, context: PrintContext): PrintedQuery {
  const { seed, step, all } = recursionOf(cte, 'MySQL')
  const classes = cte.columns.map(({ type }) => classOfType(type, context))
  if (!all && !classes.every((each) => comparesNatively(each) && each !== 'numeric')) {
    return refuse('a recursive UNION without ALL over values of this type', undefined)
  }
  // The server computes all rows before it returns the first, whatever the limit outside.
  const isEndless = all && step.where === undefined && step.from.length === 1
  if (isEndless && step.from[0]?.kind === 'cte') {
    return refuse('a recursive query that does not end by itself', undefined)
  }
  const start = context.printQuery(seed, context, 'text').sql
  const alias = aliasOf(context.nextId(), context)
  const cells = classes.map(
    (each, index) =>
      sql`${widened(sql`${alias}.${columnName(index)}`, each, context)} as ${columnName(index)}`,
  )
  const columns = cte.columns.map(() => anyValue)
  context.ctes.set(cte.id, columns)
  const next = runSteps(printSelect(step, context, 'text')).sql
  const word = all ? sql`union all` : sql`union`
  return {
    sql: sql`select ${commaList(cells)} from (${start}) as ${alias} ${word} ${next}`,
    columns,
  }
}

function widened(value: Sql, typeClass: TypeClass, context: PrintContext): Sql {
  switch (typeClass) {
    case 'bool':
    case 'int2':
    case 'int4':
    case 'int8':
      return sql`cast(${value} as signed)`
    case 'float4':
    case 'float8':
      return sql`cast(${value} as double)`
    case 'date':
      return sql`cast(${value} as date)`
    case 'time':
      return sql`cast(${value} as time(6))`
    case 'timestamp':
    case 'timestamptz':
      return sql`cast(${value} as datetime(6))`
    case 'bytea':
      return refuse('bytes in a recursive query', undefined)
    case 'numeric':
    case 'text':
    case 'bpchar':
    case 'uuid':
    case 'interval':
    case 'json':
    case 'jsonb':
    case 'array':
    case 'record':
    case 'other':
      return sql`(cast(${value} as char(1000000) character set utf8mb4) collate ${binaryCollation(context)})`
    default:
      return unreachable(typeClass)
  }
}
