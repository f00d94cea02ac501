/**
 * @module Times with colons.
 * @see https://www.postgresql.org/docs/15/datetime-input-rules.html
 */
import { type DateState, integerAt, refuse, requireFraction } from './date-state.ts'

const microsecondsPerSecond = 1_000_000
export const microsecondsPerDay: number = 86_400 * microsecondsPerSecond

/** `10:30`, `10:30:00.25`; `10:30.5` is minutes and seconds. */
export function decodeTime(text: string, state: DateState): void {
  const hour = numberAt(text, 0)
  if (text.charAt(hour.end) !== ':') refuse('syntax')
  const minute = numberAt(text, hour.end + 1)
  Object.assign(state, { hour: hour.value, minute: minute.value, second: 0, microseconds: 0 })
  const next = text.charAt(minute.end)
  if (next === '.') {
    const microseconds = requireFraction(text, minute.end)
    Object.assign(state, { hour: 0, minute: hour.value, second: minute.value, microseconds })
  } else if (next === ':') {
    const second = numberAt(text, minute.end + 1)
    state.second = second.value
    if (text.charAt(second.end) === '.') state.microseconds = requireFraction(text, second.end)
    else if (second.end < text.length) refuse('syntax')
  } else if (next !== '') refuse('syntax')
  const { hour: hours, minute: minutes, second: seconds } = state
  if (hours < 0 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 60) refuse('field')
}

function numberAt(text: string, at: number): { readonly value: number; readonly end: number } {
  const { value, end } = integerAt(text, at)
  return value === undefined ? refuse('field') : { value, end }
}

/** Microseconds since midnight. */
export function microsecondsOfDay({ hour, minute, second, microseconds }: DateState): number {
  return ((hour * 60 + minute) * 60 + second) * microsecondsPerSecond + microseconds
}

/** Is it later than 24:00? A second 60 is the next minute's first. */
export function overflowsDay(state: DateState): boolean {
  const { hour, minute, second } = state
  if (hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 60) return true
  return microsecondsOfDay(state) > microsecondsPerDay
}
