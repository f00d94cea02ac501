/** @module LIMIT and OFFSET: checked numbers, or parameters that are checked with each request. */

import { GatewayError } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { integer, parameter, type Sql, sql } from '@engine/core/print'
import type { Expression, FunctionCall, Limit, Query } from '@engine/core/tree'
import { refuse } from './print-context.ts'

/** More rows than any table has: no limit, where the grammar requires one. */
export const noLimit: Sql = sql`18446744073709551615`

/** ` limit ... offset ...`, with the blank before it; empty without either. */
export function printLimit({ limit, offset }: Pick<Query, 'limit' | 'offset'>): Sql {
  const count = limit === undefined ? undefined : countOf(limit)
  const skipped = offset === undefined ? undefined : numberOf(offset, 'OFFSET', undefined)
  if (skipped === undefined) return count === undefined ? sql`` : sql` limit ${count}`
  return sql` limit ${count ?? noLimit} offset ${skipped}`
}

function countOf({ count, max, withTies }: Limit): Sql | undefined {
  if (withTies) throw new GatewayError('internal', 'WITH TIES was not lowered')
  const wanted = count && numberOf(count, 'LIMIT', max)
  return wanted ?? (max === undefined ? undefined : integer(max))
}

/** At most `max`; undefined for NULL. */
function numberOf(
  expression: Expression,
  clause: 'LIMIT' | 'OFFSET',
  max: number | undefined,
): Sql | undefined {
  const operand = withoutCast(expression)
  if (operand.kind === 'parameter') {
    return parameter({
      from: 'clampedLimit',
      index: operand.index,
      max: max ?? Number.MAX_SAFE_INTEGER,
      ...(clause === 'OFFSET' ? { isOffset: true } : {}),
    })
  }
  const value = constantOf(operand)
  if (value === undefined) return refuse(`${clause} by what is computed`, expression.position)
  if (value === null) return undefined
  if (value < 0n) {
    const sqlState = clause === 'LIMIT' ? '2201W' : '2201X'
    throw new GatewayError('dataError', `${clause} must not be negative`, { sqlState })
  }
  const most = BigInt(max ?? Number.MAX_SAFE_INTEGER)
  return integer(Number(value > most ? most : value))
}

const integers: ReadonlySet<number> = new Set([oids.int2, oids.int4, oids.int8])

function withoutCast(expression: Expression): Expression {
  const isBetweenIntegers =
    expression.kind === 'cast' &&
    integers.has(expression.type.oid) &&
    integers.has(expression.operand.type.oid)
  return isBetweenIntegers ? withoutCast(expression.operand) : expression
}

/** The value of integers and sums of them; undefined for any other expression. */
function constantOf(expression: Expression): bigint | null | undefined {
  const operand = withoutCast(expression)
  if (operand.kind === 'cast' && operand.operand.type.oid === oids.numeric) {
    return roundedConstant(operand.operand)
  }
  if (!integers.has(operand.type.oid)) return undefined
  if (operand.kind === 'constant') {
    return operand.value === null ? null : BigInt(String(operand.value))
  }
  if (operand.kind !== 'operator' || operand.left === undefined) return undefined
  const [left, right] = [constantOf(operand.left), constantOf(operand.right)]
  if (left === undefined || right === undefined) return undefined
  if (left === null || right === null) return null
  switch (operand.operator.name) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    default:
      return undefined
  }
}

/** A decimal as a whole number, halves away from zero. */
function roundedConstant(expression: Expression): bigint | null | undefined {
  if (expression.kind !== 'constant') return undefined
  if (expression.value === null) return null
  const [, sign, whole, fraction = ''] =
    /^(-?)(\d+)(?:\.(\d*))?$/.exec(String(expression.value)) ?? []
  if (whole === undefined) return undefined
  const size = BigInt(whole) + (/^[5-9]/.test(fraction) ? 1n : 0n)
  return sign === '-' ? -size : size
}

/** `rowLimit` of the lowerings, inside an expression. */
export function printRowLimit({ args }: FunctionCall): Sql {
  const [count, isOffset] = args
  if (count === undefined) throw new GatewayError('internal', 'a limit of nothing')
  const clause = isOffset?.kind === 'constant' && isOffset.value === 'true' ? 'OFFSET' : 'LIMIT'
  const number = numberOf(count, clause, undefined)
  if (number !== undefined) return sql`cast(${number} as signed)`
  return clause === 'OFFSET' ? sql`0` : integer(Number.MAX_SAFE_INTEGER)
}
