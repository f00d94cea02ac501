import { parseInterval } from '../../sql-types/input/interval-parts.ts'

/** An interval by which the request time can be shifted without leaving the years that every database supports. */
export interface TimeShift {
  readonly months: number
  /** Milliseconds; days have 24 hours, as they have in UTC. */
  readonly ms: number
}

const most = { months: 12 * 1_000, ms: 1_000 * 366 * 86_400_000 }

/**
 * Reads PostgreSQL's text of an interval; undefined for a text that is not an interval, is too long or finer than milliseconds.
 */
export function timeShift(text: string): TimeShift | undefined {
  const parts = parseInterval(text.trim())
  if (typeof parts === 'string' || parts.microseconds % 1_000n !== 0n) return undefined
  const { months, days } = parts
  const ms = days * 86_400_000 + Number(parts.microseconds / 1_000n)
  return isModest({ months, ms }) ? { months, ms } : undefined
}

/** Can the current time be shifted this far? */
export function isModest({ months, ms }: TimeShift): boolean {
  return Math.abs(months) <= most.months && Math.abs(ms) <= most.ms
}
