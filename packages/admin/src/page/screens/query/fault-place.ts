/** @module Where in a statement an error is. */

export interface FaultPlace {
  /** A character of the text, from 0 on. */
  readonly at: number
  /** From 1 on. */
  readonly line: number
  readonly column: number
}

/** @param position counts characters of Unicode from 1 on; a text of JavaScript may have two units for one. */
export function faultPlace(sql: string, position: unknown): FaultPlace | undefined {
  if (typeof position !== 'number' || !Number.isInteger(position) || position < 1) return undefined
  const before = [...sql].slice(0, position - 1).join('')
  const lines = before.split('\n')
  return { at: before.length, line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 }
}
