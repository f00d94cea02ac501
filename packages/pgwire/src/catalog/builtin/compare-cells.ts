/** @module Compares two values. */

/** Compares texts by their bytes, numbers by their size; negative when `left` comes first. */
export function compareCells(left: string, right: string, isNumber: boolean): number {
  if (!isNumber) return Buffer.compare(Buffer.from(left), Buffer.from(right))
  if (/^-?\d+$/.test(left) && /^-?\d+$/.test(right)) {
    const difference = BigInt(left) - BigInt(right)
    return difference < 0n ? -1 : difference > 0n ? 1 : 0
  }
  return Number(left) - Number(right)
}
