/**
 * @module Operands that a translation needs several times. A short one is repeated, so that an index or a constant stays visible;
 * a long one is computed once and named. Otherwise the text would double with each nested call.
 */
import { integer, joinSql, type Sql, sql } from '@engine/core/print'
import { call, type PrintContext } from './print-context.ts'

/** The most pieces of a repeated operand: a column in any form has fewer. */
export const mostRepeated = 40

/** The named operands of a fragment made by `letValues`, for databases without the adapter's functions. */
export interface NamedOperands {
  readonly values: readonly Sql[]
  /** The names of the values in `body`. */
  readonly names: readonly Sql[]
  readonly body: Sql
}

interface LetSql extends Sql {
  readonly operands: NamedOperands
}

/** Undefined for a fragment that `letValues` did not make. */
export function namedOperandsOf(fragment: Sql | LetSql): NamedOperands | undefined {
  return 'operands' in fragment ? fragment.operands : undefined
}

/**
 * `f(x, x)` of a long `x` becomes `case when hold(1, x) then f(held(1), held(1)) end`: `hold` stores the value under a number,
 * and CASE computes its condition first. Unlike a subquery, this may contain aggregates and window calls, and is computed for
 * each row even where `x` is `random()`.
 *
 * @param body receives a fragment for each value and may use it any number of times
 * @param isVolatile two copies of a value could differ
 */
export function letValues(
  values: readonly Sql[],
  context: PrintContext,
  body: (...names: readonly Sql[]) => Sql,
  isVolatile = false,
): Sql {
  if (!isVolatile && values.every(({ size }) => size <= mostRepeated)) return body(...values)
  const slots = values.map(() => integer(context.nextId()))
  const names = slots.map((slot) => call('held', slot))
  const printed = body(...names)
  const holds = slots.map((slot, index) => call('hold', slot, values[index] ?? slot))
  const fragment: LetSql = {
    ...sql`(case when ${joinSql(holds, ' + ')} then ${printed} end)`,
    operands: { values, names, body: printed },
  }
  return fragment
}
