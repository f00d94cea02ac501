import { chargePlanning } from '../../budget/planning-budget.ts'
import type { Expression } from './expression.ts'
import { sameExpression } from './same-expression.ts'

/** `sameExpression` for comparing many with many: each is visited once, unless it contains a query. */
export function sameValue(left: Expression, right: Expression): boolean {
  if (left === right) return true
  if (left.kind !== right.kind || left.type.oid !== right.type.oid) return false
  const leftKey = keyOf(left)
  const rightKey = keyOf(right)
  if (leftKey !== rightKey) return false
  return leftKey !== undefined || sameExpression(left, right)
}

const keys = new WeakMap<Expression, string | undefined>()

/** The same text for the same expression; undefined when it contains a query. */
function keyOf(expression: Expression): string | undefined {
  if (keys.has(expression)) return keys.get(expression)
  const key = makeKey(expression)
  keys.set(expression, key)
  return key
}

function makeKey(expression: Expression): string | undefined {
  let hasQuery = false
  const key = JSON.stringify(expression, (name, value: unknown) => {
    chargePlanning(1)
    if (name === 'query') hasQuery = true
    if (name === 'position' || name === 'query') return undefined
    return isOverload(value) ? `${value.oid} ${value.signature}` : value
  })
  return hasQuery ? undefined : key
}

/** Functions and operators are the catalog's own objects. */
function isOverload(value: unknown): value is { readonly oid: number; readonly signature: string } {
  return typeof value === 'object' && value !== null && 'signature' in value && 'oid' in value
}
