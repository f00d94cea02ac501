/** @module Functions, aggregates and window functions. */

import type { PgFunction } from '@engine/core/catalog'
import {
  clauses,
  commaList,
  keyword,
  memberName,
  qualifiedName,
  type Sql,
  sql,
} from '@engine/core/print'
import {
  type Aggregate,
  currentRow,
  type Expression,
  type FrameBound,
  type FunctionCall,
  type WindowCall,
  type WindowFrame,
} from '@engine/core/tree'
import { cappedArguments } from './print-capped-call.ts'
import type { PrintContext } from './print-context.ts'
import { printCurrentRow } from './print-current-row.ts'
import { printDistinctRows } from './print-distinct-rows.ts'
import { printSortKeys } from './print-sort-keys.ts'
import {
  aggregatesRows,
  arrayOfObjects,
  objectsAsText,
  printWholeRowCall,
  takesWholeRow,
} from './print-whole-row.ts'

/** `pg_catalog.lower`: never found by the search path. */
export function functionName(pgFunction: PgFunction): Sql {
  return pgFunction.schema === undefined
    ? sql`pg_catalog.${memberName(pgFunction.name)}`
    : qualifiedName(pgFunction.schema, pgFunction.name)
}

export function printFunctionCall(call: FunctionCall, context: PrintContext): Sql {
  if (call.function === currentRow) return printCurrentRow(call, context)
  if (takesWholeRow(call.function, call.args)) {
    const value = printWholeRowCall(call.function, call.args, call.position, context)
    if (value.replacesCall) return value.argument
    return sql`${functionName(call.function)}(${value.argument})`
  }
  const args = call.isVariadic
    ? variadicArguments(call.args, context)
    : (cappedArguments(call, context) ?? argumentList(call.args, context))
  // Before version 14 EXTRACT was another name of date_part, and not a function.
  const isOld = context.serverVersion !== undefined && context.serverVersion < 140_000
  if (isOld && call.function.name === 'extract' && call.function.schema === undefined) {
    return sql`pg_catalog.date_part(${args})::pg_catalog.numeric`
  }
  return sql`${functionName(call.function)}(${args})`
}

export function printAggregate(call: Aggregate, context: PrintContext): Sql {
  const orderBy = printSortKeys(call.orderBy, context)
  const filter = printFilter(call.filter, context)
  if (call.withinGroup) {
    const direct = argumentList(call.args, context)
    return clauses(
      sql`${functionName(call.function)}(${direct})`,
      sql`within group (${orderBy ?? sql``})`,
      filter,
    )
  }
  if (call.distinct && takesWholeRow(call.function, call.args))
    return printDistinctRows(call, filter, context)
  const args = clauses(
    call.distinct ? keyword('distinct') : undefined,
    aggregateArguments(call, context),
    orderBy,
  )
  return aggregated(call, (name) => clauses(sql`${name}(${args})`, filter))
}

/** The aggregate by its name, or by `string_agg` where it makes an array of rows. */
function aggregated(call: Aggregate | WindowCall, print: (name: Sql) => Sql): Sql {
  return aggregatesRows(call.function, call.args)
    ? arrayOfObjects(print(keyword('pg_catalog.string_agg')))
    : print(functionName(call.function))
}

function aggregateArguments(call: Aggregate | WindowCall, context: PrintContext): Sql {
  if (call.args.length === 0 && call.function.kind === 'aggregate') return keyword('*')
  if (!takesWholeRow(call.function, call.args)) return argumentList(call.args, context)
  const { argument } = printWholeRowCall(call.function, call.args, call.position, context)
  return aggregatesRows(call.function, call.args) ? objectsAsText(argument) : argument
}

export function printWindowCall(call: WindowCall, context: PrintContext): Sql {
  const partition =
    call.partitionBy.length === 0
      ? undefined
      : sql`partition by ${argumentList(call.partitionBy, context)}`
  const window = clauses(
    partition,
    printSortKeys(call.orderBy, context),
    call.frame && printFrame(call.frame, context),
  )
  const args = aggregateArguments(call, context)
  const filter = printFilter(call.filter, context)
  return aggregated(call, (name) => {
    return clauses(sql`${name}(${args})`, filter, sql`over (${window})`)
  })
}

function printFilter(filter: Expression | undefined, context: PrintContext): Sql | undefined {
  return filter && sql`filter (where ${context.printExpression(filter, context)})`
}

function printFrame(frame: WindowFrame, context: PrintContext): Sql {
  const exclusion = exclusions[frame.exclude]
  return clauses(
    keyword(frame.mode),
    sql`between ${printBound(frame.start, context)} and ${printBound(frame.end, context)}`,
    exclusion === '' ? undefined : keyword(exclusion),
  )
}

const exclusions = {
  none: '',
  currentRow: 'exclude current row',
  group: 'exclude group',
  ties: 'exclude ties',
} as const

function printBound(bound: FrameBound, context: PrintContext): Sql {
  switch (bound.kind) {
    case 'unboundedPreceding':
      return keyword('unbounded preceding')
    case 'unboundedFollowing':
      return keyword('unbounded following')
    case 'currentRow':
      return keyword('current row')
    case 'preceding':
    case 'following':
      return sql`${context.printExpression(bound.offset, context)} ${keyword(bound.kind)}`
  }
}

function variadicArguments(args: readonly Expression[], context: PrintContext): Sql {
  const printed = args.map((argument) => context.printExpression(argument, context))
  return commaList(printed.map((each, i) => (i === args.length - 1 ? sql`variadic ${each}` : each)))
}

function argumentList(args: readonly Expression[], context: PrintContext): Sql {
  return commaList(args.map((argument) => context.printExpression(argument, context)))
}
