/** @module `(a, b) > (select x, y ...)`: a row compared with the only row of a query. */

import { GatewayError } from '@engine/core/adapter'
import { columnName, commaList, operatorSymbol, type Sql, sameType, sql } from '@engine/core/print'
import type { ColumnReference, Expression, QuantifiedSubquery } from '@engine/core/tree'
import {
  aliasOf,
  anyValue,
  call,
  classOfType,
  type PrintContext,
  refuse,
} from '../print-context.ts'
import { keyOf } from './comparison.ts'

/** Without a row the result is NULL, as in SQLite; several rows are an error, where SQLite would take the first. */
export function printRowSubquery(expression: QuantifiedSubquery, context: PrintContext): Sql {
  const { comparison, operands, query } = expression
  const printed = context.printQuery(query, context, 'value')
  const relation = context.nextId()
  const alias = aliasOf(relation, context)
  context.relations.set(relation, {
    column: (index) => ({
      ...(printed.columns[index] ?? anyValue),
      scale: undefined,
      isNullable: true,
      sql: sql`${alias}.${columnName(index)}`,
      isBare: false,
    }),
  })
  const pairs = operands.map((operand, column) => {
    const type = query.columns[column]?.type
    if (type === undefined) throw new GatewayError('internal', 'rows of different lengths')
    const cell: ColumnReference = { kind: 'column', relation, column, type }
    return sameType(operand, cell, context)
  })
  if (comparison !== '=' && comparison !== '<>') {
    for (const [operand] of pairs) requireOrder(operand, context)
  }
  const left = pairs.map(([operand]) => keyOf(operand, context))
  const right = pairs.map(([, cell]) =>
    call('only_row', sql`count(*)`, call('max', keyOf(cell, context))),
  )
  const row = sql`select ${commaList(right)} from (select * from (${printed.sql}) limit 2) as ${alias}`
  return sql`((${commaList(left)}) ${operatorSymbol(comparison)} (${row}))`
}

function requireOrder({ type, position }: Expression, context: PrintContext): void {
  const typeClass = classOfType(type, context)
  if (typeClass === 'jsonb' || typeClass === 'array') refuse('an ordering of this type', position)
}
