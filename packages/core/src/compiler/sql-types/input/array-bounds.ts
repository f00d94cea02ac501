/** @module Bounds before the text of an array: `[0:1][2:3]={{1,2},{3,4}}`. */
import { fail, type InputFailure } from './input-value.ts'
import { trimSpace } from './trim-space.ts'

/** The bounds of an array's text, and the text after them. */
export interface BoundedText {
  /** From the outermost dimension inwards; empty where the text has none. */
  readonly ranges: readonly { readonly lower: number; readonly length: number }[]
  readonly text: string
}

const boundsPattern = /^(?:[ \t\n\r\v\f]*\[[-+]?\d{1,10}(?::[-+]?\d{1,10})?\])+[ \t\n\r\v\f]*=/
const rangePattern = /\[([-+]?\d+)(?::([-+]?\d+))?\]/g
const mostInt4 = 0x7fff_ffff

/** A bound without a lower one begins at 1. */
export function withoutBounds(text: string): BoundedText | InputFailure {
  const trimmed = trimSpace(text)
  const bounds = boundsPattern.exec(trimmed)?.[0]
  if (bounds === undefined) return { ranges: [], text: trimmed }
  const ranges = [...bounds.matchAll(rangePattern)].map(([, first, second]) => {
    const [lower, upper] =
      second === undefined ? [1, Number(first)] : [Number(first), Number(second)]
    return { lower, upper, length: upper - lower + 1 }
  })
  if (
    ranges.some(({ lower, upper }) => Math.abs(lower) > mostInt4 || Math.abs(upper) >= mostInt4)
  ) {
    return fail('22003', 'array bound is out of integer range')
  }
  if (ranges.some(({ length }) => length < 1)) {
    return fail('2202E', 'upper bound cannot be less than lower bound')
  }
  return { ranges, text: trimmed.slice(bounds.length) }
}

/** `[0:1]=`; nothing where all dimensions begin at 1. */
export function boundsText(dimensions: readonly number[], lowerBounds: readonly number[]): string {
  if (dimensions.length === 0 || lowerBounds.every((lower) => lower === 1)) return ''
  const ranges = dimensions.map((length, i) => {
    const lower = lowerBounds[i] ?? 1
    return `[${lower}:${lower + length - 1}]`
  })
  return `${ranges.join('')}=`
}
