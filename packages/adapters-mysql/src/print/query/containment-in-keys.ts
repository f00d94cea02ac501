/**
 * @module A workaround: MySQL 9.7 ends, all sessions with it, while it groups by the nested JSON_TABLE of `@>` and reads the key
 * in the select list. Such keys are refused.
 */
import { type Expression, partsOf } from '@engine/core/tree'
import { type PrintContext, refuse } from '../print-context.ts'

/** @throws {GatewayError} `unsupported` for a key with `@>` or `<@`, where the server has the fault. */
export function requireNoContainment(key: Expression, { traits }: PrintContext): void {
  if (!traits.faults.endsAtGroupedContainment) return
  const found = containmentIn(key)
  if (found !== undefined) refuse('@> or <@ in GROUP BY or DISTINCT', found.position)
}

function containmentIn(expression: Expression): Expression | undefined {
  if (expression.kind === 'operator' && /^(?:@>|<@)$/.test(expression.operator.name)) {
    return expression
  }
  for (const part of partsOf(expression).expressions) {
    const found = containmentIn(part)
    if (found !== undefined) return found
  }
  return undefined
}
