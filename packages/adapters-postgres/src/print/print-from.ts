/** @module Prints FROM items. Each registers the names of its columns for all text that is printed after it. */

import { GatewayError } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { unreachable } from '@engine/core/driver'
import {
  clauses,
  columnName,
  commaList,
  cteName,
  keyword,
  relationName,
  type Sql,
  sql,
} from '@engine/core/print'
import type { Expression, FromItem, FunctionCall, FunctionItem, JoinItem } from '@engine/core/tree'
import { functionName } from './print-call.ts'
import type { PrintContext } from './print-context.ts'
import { printSecuredTable } from './print-secured-table.ts'
import { aliasWithColumns, generatedColumns } from './relation-columns.ts'
import { typeName } from './type-name.ts'

/** Items in order, each cross joined with the previous ones. */
export function printFromList(items: readonly FromItem[], context: PrintContext): Sql {
  return commaList(items.map((item) => printFromItem(item, context)))
}

function printFromItem(item: FromItem, context: PrintContext): Sql {
  switch (item.kind) {
    case 'table':
      throw new GatewayError('internal', 'a table that was not authorized reached the printer')
    case 'securedTable':
      return printSecuredTable(item, context)
    case 'subquery': {
      const query = context.printQuery(item.query, context)
      context.relations.set(item.id, generatedColumns(relationName(item.id)))
      const name = aliasWithColumns(relationName(item.id), item.query.columns.length)
      return clauses(item.lateral ? keyword('lateral') : undefined, sql`(${query}) as ${name}`)
    }
    case 'cte':
      context.relations.set(item.id, generatedColumns(relationName(item.id)))
      return sql`${cteName(item.cte)} as ${relationName(item.id)}`
    case 'function':
      return printFunctionItem(item, context)
    case 'join':
      return printJoin(item, context)
    default:
      return unreachable(item)
  }
}

function printJoin(join: JoinItem, context: PrintContext): Sql {
  const left = printFromItem(join.left, context)
  const right = printFromItem(join.right, context)
  const operand = join.right.kind === 'join' ? sql`(${right})` : right
  const on = join.on && sql`on ${context.printExpression(join.on, context)}`
  return clauses(left, keyword(joinWords[join.type]), operand, on)
}

const joinWords = {
  inner: 'join',
  left: 'left join',
  right: 'right join',
  full: 'full join',
  cross: 'cross join',
} as const

function printFunctionItem(item: FunctionItem, context: PrintContext): Sql {
  const alias = relationName(item.id)
  const source = printTableFunction(item, context)
  context.relations.set(item.id, generatedColumns(alias))
  return sql`${source} as ${needsDefinition(item.call) ? definedColumns(alias, item, context) : aliasWithColumns(alias, item.columns.length)}`
}

/** Does the call return a `record` of which the database does not know the columns? */
function needsDefinition(call: Expression): boolean {
  return (
    call.kind === 'call' &&
    call.type.oid === oids.record &&
    call.function.outputColumns === undefined
  )
}

/** `t5(c1 pg_catalog.int4)` */
function definedColumns(alias: Sql, { columns }: FunctionItem, { types }: PrintContext): Sql {
  const definitions = columns.map(({ type }, i) => sql`${columnName(i)} ${typeName(types, type)}`)
  return sql`${alias}(${commaList(definitions)})`
}

function printTableFunction({ call, withOrdinality }: FunctionItem, context: PrintContext): Sql {
  if (call.kind !== 'call') {
    // Syntax that looks like a function call, such as `current_date`, returns one row.
    const ordinality = withOrdinality ? sql`, 1::pg_catalog.int8` : undefined
    return sql`lateral (${clauses(sql`select ${context.printExpression(call, context)}`, ordinality)})`
  }
  return clauses(
    call.args.length > 1 && call.function.name === 'unnest'
      ? printUnnest(call, context)
      : context.printExpression(call, context),
    withOrdinality ? keyword('with ordinality') : undefined,
  )
}

/** Only the bare name takes several arrays, which equals unnesting each. */
function printUnnest(call: FunctionCall, context: PrintContext): Sql {
  const each = call.args.map((argument) => {
    const array = context.printExpression(argument, context)
    return sql`${functionName(call.function)}(${array})`
  })
  return sql`rows from (${commaList(each)})`
}
