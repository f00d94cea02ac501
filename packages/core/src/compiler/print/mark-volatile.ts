import type { Expression } from '../bind/tree/expression.ts'
import { isVolatileCall } from '../bind/tree/volatility.ts'
import { type Sql, volatileCall } from './sql-writer.ts'

/** Marks the call of a volatile function, so that a write that would evaluate it twice is refused. */
export function markVolatile(expression: Expression, fragment: Sql): Sql {
  return isVolatileCall(expression) ? volatileCall(expression.position ?? 0, fragment) : fragment
}
