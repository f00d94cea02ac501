/** @module Numbers that window functions take: the buckets of ntile, the distance of lag and lead, the position of nth_value. */

import { GatewayError } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { integer, parameter, type Sql, sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { nullSql, type PrintContext, print, refuse } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import type { AggregateCall } from './aggregate-call.ts'

/** A number that must be positive: `state` is what PostgreSQL raises for others. Undefined for the constant NULL. */
export function positiveCount(
  count: Expression,
  state: '22014' | '22016',
  context: PrintContext,
): Sql | undefined {
  if (context.traits.computesWindowCounts) {
    const value = print(count, context)
    return sql`if(${value} <= 0, ${raiseState(state)}, ${value})`
  }
  const known = plainCount(count)
  if (known === null) return undefined
  if (typeof known !== 'bigint') return known
  if (known <= 0n) {
    throw new GatewayError('dataError', 'A number of rows must be positive.', { sqlState: state })
  }
  return integer(Number(known))
}

/** A window function that returns a value of another row. */
export type PickingFunction = 'lag' | 'lead' | 'first_value' | 'last_value' | 'nth_value'

/**
 * The call of such a function.
 *
 * @param value the first argument, in any form
 * @param count the second one: the distance or the position
 * @param otherwise the third one, in the form of `value`
 */
export function pickedValue(
  name: PickingFunction,
  value: Sql,
  count: Expression | undefined,
  otherwise: Sql | undefined,
  make: AggregateCall,
  context: PrintContext,
): Sql {
  switch (name) {
    case 'first_value':
    case 'last_value':
      return make(name, value)
    case 'nth_value': {
      const place = count && positiveCount(count, '22016', context)
      return place === undefined ? nullSql : make('nth_value', value, place)
    }
    case 'lag':
    case 'lead':
      if (count === undefined) return make(name, value)
      return atDistance(name, count, context, (call, places) =>
        make(call, value, places, ...(otherwise === undefined ? [] : [otherwise])),
      )
  }
}

/** Below zero in the other direction. */
function atDistance(
  name: 'lag' | 'lead',
  count: Expression,
  context: PrintContext,
  make: (name: 'lag' | 'lead', places: Sql) => Sql,
): Sql {
  if (context.traits.computesWindowCounts) return make(name, print(count, context))
  const known = plainCount(count)
  if (known === null) return nullSql
  if (typeof known !== 'bigint') return make(name, known)
  if (known >= 0n) return make(name, integer(Number(known)))
  return make(name === 'lag' ? 'lead' : 'lag', integer(Number(-known)))
}

const integers: ReadonlySet<number> = new Set([oids.int2, oids.int4, oids.int8])

/** A constant, or a parameter without a cast around it: the server takes nothing else. */
function plainCount(count: Expression): bigint | null | Sql {
  switch (count.kind) {
    case 'cast':
      return integers.has(count.operand.type.oid) ? plainCount(count.operand) : unknown(count)
    case 'constant':
      if (count.value === null) return null
      return /^-?\d{1,15}$/.test(String(count.value)) ? BigInt(String(count.value)) : unknown(count)
    case 'parameter':
      return parameter({ from: 'request', index: count.index, type: count.type })
    case 'caller':
      return parameter({ from: 'caller', slot: count.slot })
    default:
      return unknown(count)
  }
}

function unknown({ position }: Expression): never {
  return refuse('a window function with a number that is computed', position)
}
