import { oids } from '@engine/core/catalog'
import { integer, parameter, type Sql, sql } from '@engine/core/print'
import type { Constant, Expression, Limit } from '@engine/core/tree'
import type { PrintContext } from './print-context.ts'

/** The client's row count, lowered to `max`. NULL means that the client sets no limit. */
export function printLimit(limit: Limit, context: PrintContext): Sql | undefined {
  const count = printCount(limit, context)
  if (count === undefined) return undefined
  return limit.withTies ? sql`fetch first (${count}) rows with ties` : sql`limit ${count}`
}

function printCount({ count, max }: Limit, context: PrintContext): Sql | undefined {
  if (max === undefined) return count && context.printExpression(count, context)
  if (count === undefined) return integer(max)
  switch (count.kind) {
    case 'constant':
      return context.printExpression(lowered(count, max), context)
    case 'parameter':
      return sql`${parameter({ from: 'clampedLimit', index: count.index, max })}::pg_catalog.int8`
    default:
      return leastOf(count, max, context)
  }
}

/** A negative count is not changed: the database refuses it. */
function lowered(count: Constant, max: number): Constant {
  const asked = typeof count.value === 'string' ? BigInt(count.value) : undefined
  if (asked !== undefined && asked <= BigInt(max)) return count
  return { ...count, value: String(max), type: { oid: oids.int8, typmod: -1 } }
}

/** LEAST ignores NULL. */
function leastOf(count: Expression, max: number, context: PrintContext): Sql {
  return sql`least(${context.printExpression(count, context)}, ${integer(max)})`
}
