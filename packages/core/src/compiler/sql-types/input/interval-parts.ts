/** @module Converts the text of an interval to months, days and microseconds. */
import { readDesignators } from './interval-designators.ts'
import {
  type IntervalFault,
  IntervalRefusal,
  type IntervalSum,
  newIntervalSum,
} from './interval-sum.ts'
import type { IntervalParts } from './interval-text.ts'
import { readWords } from './interval-words.ts'

/** Reads an interval as PostgreSQL does. */
export function parseInterval(text: string): IntervalParts | IntervalFault {
  const words = attempt(readWords, text)
  const sum = words === 'syntax' ? attempt(readDesignators, text) : words
  if (typeof sum === 'string') return sum
  const months = sum.years * 12n + sum.months
  if (BigInt.asIntN(32, months) !== months) return 'range'
  return { months: Number(months), days: Number(sum.days), microseconds: sum.microseconds }
}

function attempt(
  read: (sum: IntervalSum, text: string) => void,
  text: string,
): IntervalSum | IntervalFault {
  const sum = newIntervalSum()
  try {
    read(sum, text)
    return sum
  } catch (error) {
    if (error instanceof IntervalRefusal) return error.fault
    throw error
  }
}
