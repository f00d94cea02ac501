/** @module LIMIT and OFFSET. A negative count means "no limit" in SQLite and is an error in PostgreSQL. */

import { GatewayError } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { integer, parameter, type Sql, sql } from '@engine/core/print'
import { type Expression, freeRelationsOf, type Limit, type Query } from '@engine/core/tree'
import { call, type PrintContext, print, refuse } from './print-context.ts'

/** ` limit ... offset ...`, with the blank before it; empty without either. */
export function printLimit(query: Query, context: PrintContext): Sql {
  const { limit, offset } = query
  const count = limit === undefined ? undefined : countOf(limit, context)
  const skipped = offset === undefined ? undefined : offsetOf(offset, context)
  if (skipped === undefined) return count === undefined ? sql`` : sql` limit ${count}`
  return sql` limit ${count ?? sql`-1`} offset ${skipped}`
}

function countOf({ count, max }: Limit, context: PrintContext): Sql | undefined {
  if (count === undefined) return max === undefined ? undefined : integer(max)
  if (count.kind === 'constant') return constantCount(count.value, max)
  if (count.kind === 'parameter' && max !== undefined) {
    return parameter({ from: 'clampedLimit', index: count.index, max })
  }
  refuseCorrelated(count, 'LIMIT')
  const value = print(count, context)
  return max === undefined ? call('limit_count', value) : call('limit_count', value, integer(max))
}

function constantCount(value: unknown, max: number | undefined): Sql | undefined {
  if (value === null) return max === undefined ? undefined : integer(max)
  const wanted = BigInt(String(value))
  if (wanted < 0n) {
    throw new GatewayError('dataError', 'LIMIT must not be negative', { sqlState: '2201W' })
  }
  return max !== undefined && wanted > BigInt(max) ? integer(max) : constantInteger(wanted)
}

function offsetOf(offset: Expression, context: PrintContext): Sql {
  if (offset.kind === 'constant' && offset.value !== null) {
    const skipped = BigInt(String(offset.value))
    if (skipped < 0n) {
      throw new GatewayError('dataError', 'OFFSET must not be negative', { sqlState: '2201X' })
    }
    return constantInteger(skipped)
  }
  refuseCorrelated(offset, 'OFFSET')
  return call('offset_count', print(offset, context))
}

/** SQLite evaluates both before it reads any row. */
function refuseCorrelated(expression: Expression, clause: string): void {
  if (freeRelationsOf(expression).size === 0) return
  refuse(`${clause} by a column of an outer query`, expression.position)
}

function constantInteger(value: bigint): Sql {
  const type = { oid: oids.int8, typmod: -1 }
  return parameter({ from: 'constant', value: value.toString(), type })
}
