/** @module The list after OVER. */

import { GatewayError } from '@engine/core/adapter'
import { clauses, commaList, integer, type Sql, sql } from '@engine/core/print'
import type { Expression, FrameBound, WindowCall, WindowFrame } from '@engine/core/tree'
import { classOfType, nullSql, type PrintContext, refuse } from '../../print-context.ts'
import { isFloat, isInteger } from '../../type-class.ts'
import { propertiesOf } from '../../value-properties.ts'
import { groupKeyOf, sortKeyOf } from './comparison.ts'
import { printSortKeys } from './print-sort-keys.ts'

/** `(partition by ... order by ... <frame>)` */
export function printWindowDefinition(window: WindowCall, context: PrintContext): Sql {
  const { partitionBy, orderBy, frame } = window
  const partition =
    partitionBy.length === 0
      ? undefined
      : sql`partition by ${commaList(partitionBy.map((each) => groupKeyOf(each, context)))}`
  if (frame !== undefined && isRangeWithOffset(frame) && !placing.has(window.function.name)) {
    return sql`(${clauses(partition, rangeOrder(window, frame, context), printFrame(frame))})`
  }
  const { name } = window.function
  // For these functions the server requires an ORDER BY, even a constant one, and accepts no frame, which has no meaning for
  // them.
  const isPlaced = placing.has(name)
  const order = printSortKeys(orderBy, context) ?? (isPlaced ? nullSql : undefined)
  const sort = order === undefined ? undefined : sql`order by ${order}`
  const bounds = frame === undefined || isPlaced ? undefined : printFrame(frame)
  return sql`(${clauses(partition, sort, bounds)})`
}

/** Functions that return the position of a row, or find another row by its position. */
export const placing: ReadonlySet<string> = new Set([
  ...['row_number', 'rank', 'dense_rank', 'percent_rank', 'cume_dist', 'ntile', 'lag', 'lead'],
])

function isRangeWithOffset({ mode, start, end }: WindowFrame): boolean {
  return mode === 'range' && [start, end].some(hasOffset)
}

function hasOffset({ kind }: FrameBound): boolean {
  return kind === 'preceding' || kind === 'following'
}

/**
 * A distance needs a single key, so NULLs keep the server's position: the same rows are near each other then, but other rows come
 * before and after all others.
 */
function rangeOrder(window: WindowCall, frame: WindowFrame, context: PrintContext): Sql {
  const [key, ...others] = window.orderBy
  if (key === undefined || others.length > 0) {
    return refuse('RANGE with an offset over several keys', window.position)
  }
  const typeClass = classOfType(key.expression.type, context)
  if (!isInteger(typeClass) && !isFloat(typeClass) && typeClass !== 'numeric') {
    return refuse('RANGE with an offset over values of this type', window.position)
  }
  const isOpen = !hasOffset(frame.start) || !hasOffset(frame.end)
  const isDefault = key.nullsFirst !== key.descending
  if (isOpen && !isDefault && propertiesOf(key.expression, context).isNullable) {
    return refuse('RANGE with an offset on one side over keys that may be NULL', window.position)
  }
  const value = sortKeyOf(key.expression, context)
  return key.descending ? sql`order by ${value} desc` : sql`order by ${value}`
}

function printFrame(frame: WindowFrame): Sql {
  if (frame.mode === 'groups') return refuse('a frame of GROUPS', undefined)
  if (frame.exclude !== 'none') return refuse('EXCLUDE of a frame', undefined)
  const mode = frame.mode === 'rows' ? sql`rows` : sql`range`
  const [start, end] = [printBound(frame.start), printBound(frame.end)]
  return sql`${mode} between ${start} and ${end}`
}

function printBound(bound: FrameBound): Sql {
  switch (bound.kind) {
    case 'unboundedPreceding':
      return sql`unbounded preceding`
    case 'unboundedFollowing':
      return sql`unbounded following`
    case 'currentRow':
      return sql`current row`
    case 'preceding':
      return sql`${offsetOf(bound.offset)} preceding`
    case 'following':
      return sql`${offsetOf(bound.offset)} following`
  }
}

/** The server accepts a literal number only: an integer that was checked here. */
function offsetOf(offset: Expression): Sql {
  const value = offset.kind === 'cast' && offset.method !== 'inout' ? offset.operand : offset
  const isWhole = value.kind === 'constant' && /^-?\d{1,15}$/.test(String(value.value))
  if (!isWhole) return refuse('a frame offset that is no whole number', offset.position)
  const rows = Number(value.value)
  if (rows < 0) {
    throw new GatewayError('dataError', 'The offset of a frame must not be negative.', {
      sqlState: '22013',
    })
  }
  return integer(rows)
}
