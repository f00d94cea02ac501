/** @module Window functions. */
import { boundToLevel, commaList, joinSql, keyword, type Sql, sql } from '@engine/core/print'
import type { Expression, FrameBound, WindowCall, WindowFrame } from '@engine/core/tree'
import { call, classOfType, type PrintContext, print, refuse } from '../print-context.ts'
import { isFloat, isInteger } from '../type-class.ts'
import type { AggregateCall } from './aggregate-part.ts'
import { groupKeyOf } from './comparison.ts'
import { aggregateValue } from './print-aggregate.ts'
import { printSortKeys } from './print-sort-keys.ts'

export function printWindow(expression: WindowCall, context: PrintContext): Sql {
  const { args, filter, position } = expression
  const { name, kind } = expression.function
  const over = boundToLevel(sql` over (${windowOf(expression, context)})`)
  const suffix = filter === undefined ? over : sql` filter (where ${print(filter, context)})${over}`
  const make: AggregateCall = (aggregate, ...values) =>
    sql`${keyword(aggregate)}(${commaList(values)})${suffix}`
  if (kind === 'aggregate') return aggregateValue(expression, make, context)
  const values = args.map((each) => print(each, context))
  const [value = sql`null`, second, third] = values
  switch (name) {
    case 'row_number':
      return make('row_number')
    case 'rank':
      return make('rank')
    case 'dense_rank':
      return make('dense_rank')
    case 'percent_rank':
      return make('percent_rank')
    case 'cume_dist':
      return make('cume_dist')
    case 'ntile':
      return make('ntile', call('positive_count', value, sql`'22014'`))
    case 'lag':
      return offsetCall(make, 'lag', value, second, third)
    case 'lead':
      return offsetCall(make, 'lead', value, second, third)
    case 'first_value':
      return make('first_value', value)
    case 'last_value':
      return make('last_value', value)
    case 'nth_value':
      return make('nth_value', value, call('positive_count', second ?? sql`1`, sql`'22016'`))
    default:
      return refuse(`the window function ${name}`, position)
  }
}

function offsetCall(
  make: AggregateCall,
  name: 'lag' | 'lead',
  value: Sql,
  offset: Sql | undefined,
  otherwise: Sql | undefined,
): Sql {
  if (offset === undefined) return make(name, value)
  const found =
    otherwise === undefined ? make(name, value, offset) : make(name, value, offset, otherwise)
  return sql`case when ${offset} is not null then ${found} end`
}

function windowOf(expression: WindowCall, context: PrintContext): Sql {
  const { partitionBy, orderBy, frame } = expression
  const keys = [
    ...partitionBy.map((each) => groupKeyOf(each, context)),
    ...(frame === undefined ? [] : offsetChecks(frame, context)),
  ]
  const partition = keys.length === 0 ? undefined : sql`partition by ${commaList(keys)}`
  const order = printSortKeys(orderBy, context)
  const parts = [
    partition,
    order === undefined ? undefined : sql`order by ${order}`,
    frame === undefined ? undefined : printFrame(frame, expression, context),
  ]
  return joinSql(
    parts.filter((each) => each !== undefined),
    ' ',
  )
}

function printFrame(frame: WindowFrame, expression: WindowCall, context: PrintContext): Sql {
  const hasOffset = [frame.start, frame.end].some(
    ({ kind }) => kind === 'preceding' || kind === 'following',
  )
  if (frame.mode === 'range' && hasOffset) requireNumericKey(expression, context)
  const mode = { rows: sql`rows`, range: sql`range`, groups: sql`groups` }[frame.mode]
  const exclusion = {
    none: sql``,
    currentRow: sql` exclude current row`,
    group: sql` exclude group`,
    ties: sql` exclude ties`,
  }[frame.exclude]
  const [start, end] = [frame.start, frame.end].map((each) => printBound(each, context))
  return sql`${mode} between ${start ?? sql``} and ${end ?? sql``}${exclusion}`
}

/** SQLite adds the offset to the key: it supports only its own numeric types. */
function requireNumericKey(expression: WindowCall, context: PrintContext): void {
  const [key] = expression.orderBy
  const typeClass = key === undefined ? 'other' : classOfType(key.expression.type, context)
  if (!isInteger(typeClass) && !isFloat(typeClass)) {
    refuse('RANGE with an offset over values of this type', expression.position)
  }
}

function printBound(bound: FrameBound, context: PrintContext): Sql {
  switch (bound.kind) {
    case 'unboundedPreceding':
      return sql`unbounded preceding`
    case 'unboundedFollowing':
      return sql`unbounded following`
    case 'currentRow':
      return sql`current row`
    case 'preceding':
      return sql`${offsetOf(bound.offset, context)} preceding`
    case 'following':
      return sql`${offsetOf(bound.offset, context)} following`
  }
}

/** SQLite accepts a constant only, and its error for an invalid one has no name. */
function offsetOf(offset: Expression, context: PrintContext): Sql {
  if (offset.kind !== 'constant' && offset.kind !== 'parameter') {
    return refuse('a frame offset that is computed', offset.position)
  }
  return print(offset, context)
}

/** The same for every row, so that it does not split partitions; it raises where an offset is negative or NULL. */
function offsetChecks(frame: WindowFrame, context: PrintContext): readonly Sql[] {
  return [frame.start, frame.end].flatMap((bound) => {
    if (bound.kind !== 'preceding' && bound.kind !== 'following') return []
    const value = print(bound.offset, context)
    return [frame.mode === 'range' ? call('range_offset', value) : call('frame_offset', value)]
  })
}
