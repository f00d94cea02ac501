/** @module interval. */
import { oids } from '../oids.ts'
import { fractionDigitsOfTypmod, intervalFieldsOfTypmod } from '../typmod.ts'
import { accept, fail, type InputResult } from './input-value.ts'
import { parseInterval } from './interval-parts.ts'
import { intervalText } from './interval-text.ts'
import { trimSpace } from './trim-space.ts'

/**
 * `1 year 2 mons`, `-3 days 04:05:06`, `1-2`, `P1Y2MT3H`, with `ago`. Only the database can apply a restriction such as `interval
 * year to month`, so such a text is passed on.
 */
export function readInterval(text: string, typmod: number): InputResult {
  const parts = parseInterval(trimSpace(text))
  if (parts === 'syntax') {
    return fail('22007', `invalid input syntax for type interval: "${text.slice(0, 60)}"`)
  }
  if (parts === 'range') return outOfRange
  if (intervalFieldsOfTypmod(typmod) !== undefined) {
    return { ok: true, value: text, isCanonical: false }
  }
  const unit = 10n ** BigInt(6 - fractionDigitsOfTypmod(oids.interval, typmod))
  const microseconds = round(parts.microseconds, unit)
  if (microseconds > maxMicroseconds || microseconds < -maxMicroseconds) return outOfRange
  return accept(intervalText({ ...parts, microseconds }))
}

const maxMicroseconds = 2n ** 63n - 1n
const outOfRange = fail('22015', 'interval field value out of range')

/** Half away from zero. */
function round(microseconds: bigint, unit: bigint): bigint {
  if (unit === 1n) return microseconds
  const size = microseconds < 0n ? -microseconds : microseconds
  const rounded = ((size + unit / 2n) / unit) * unit
  return microseconds < 0n ? -rounded : rounded
}
