/** @module The scale of PostgreSQL's numerics: the digits that a value shows after the point. */

/** `1.50` has the scale 2; undefined for a text that is not a plain number. */
export function scaleOfText(text: string): number | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return undefined
  const point = text.indexOf('.')
  return point < 0 ? 0 : text.length - point - 1
}

/** The scale of `left <operator> right`; undefined for a quotient, whose scale depends on the values. */
export function scaleOfOperator(operator: string, left: number, right: number): number | undefined {
  if (operator === '+' || operator === '-' || operator === '%') return Math.max(left, right)
  return operator === '*' ? left + right : undefined
}
