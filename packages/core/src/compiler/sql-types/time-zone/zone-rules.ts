/** @module The rules of a time zone as a database has them: its table of zones may differ from that of this process. */

/** The offset of a zone before the first change, and each change of it, the earliest first. Offsets are seconds east of Greenwich. */
export interface ZoneRules {
  readonly first: number
  readonly changes: readonly { readonly atSeconds: number; readonly offset: number }[]
  /** Seconds since 1970 up to which the changes are complete. */
  readonly endSeconds: number
}

const twoYears = 731 * 86_400

/**
 * Seconds east of Greenwich at a time in seconds since 1970.
 *
 * @param later the same after the end of rules that change the offset every year; otherwise the last offset holds
 */
export function offsetsOf(
  { first, changes, endSeconds }: ZoneRules,
  later: (seconds: number) => number,
): (seconds: number) => number {
  const last = changes.at(-1)
  const goesOn = last !== undefined && last.atSeconds > endSeconds - twoYears
  return (seconds) => {
    if (seconds >= endSeconds && goesOn) return later(seconds)
    let low = 0
    let high = changes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((changes[middle]?.atSeconds ?? 0) <= seconds) low = middle + 1
      else high = middle
    }
    return changes[low - 1]?.offset ?? first
  }
}
