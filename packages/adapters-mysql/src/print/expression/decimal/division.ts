/** @module Division by a value that may be zero: the server would return NULL. */

import { type Sql, sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { nullSql, type PrintContext, print } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'

/** Calls `divide` with both numbers; the divisor is not zero there. Zero raises 22012 unless the dividend is NULL. */
export function divided(
  left: Expression,
  right: Expression,
  context: PrintContext,
  kind: 'integer' | 'double',
  divide: (left: Sql, right: Sql) => Sql,
): Sql {
  const [dividend, divisor] = [print(left, context), print(right, context)]
  if (isNotZero(right)) return divide(dividend, divisor)
  const values = [
    { value: dividend, kind },
    { value: divisor, kind },
  ]
  const canBeNamed = canBind(left) && canBind(right)
  return letValues(values, context, canBeNamed, (one = nullSql, other = nullSql) =>
    zeroGuard(one, other, divide(one, other)),
  )
}

/**
 * `value`, or an error for a zero divisor unless the dividend is NULL. No failing part contains a column without a window
 * function: beside a window function MariaDB evaluates such parts for every row.
 */
export function zeroGuard(dividend: Sql, divisor: Sql, value: Sql): Sql {
  return sql`case when ${divisor} = 0 and ${dividend} is not null then ${raiseState('22012')} else ${value} end`
}

function isNotZero(expression: Expression): boolean {
  if (expression.kind !== 'constant' || typeof expression.value !== 'string') return false
  return /^-?[0-9.]*[1-9][0-9.]*$/.test(expression.value)
}
