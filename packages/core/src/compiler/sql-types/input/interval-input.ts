/** @module interval. */
import { oids } from '../oids.ts'
import { fractionDigitsOfTypmod, intervalFieldsOfTypmod } from '../typmod.ts'
import { accept, fail, type InputFailure, type InputResult } from './input-value.ts'
import { parseInterval } from './interval-parts.ts'
import type { IntervalFault } from './interval-sum.ts'
import { intervalText, readableInterval } from './interval-text.ts'

/**
 * `1 year 2 mons`, `-3 days 04:05:06`, `1-2`, `P1Y2MT3H`, with `ago`. Only the database can apply a restriction such as `interval
 * year to month`, so such a text is passed on.
 */
export function readInterval(text: string, typmod: number): InputResult {
  const parts = parseInterval(text)
  if (typeof parts === 'string') return intervalFailure(parts, text)
  if (intervalFieldsOfTypmod(typmod) !== undefined) {
    return { ok: true, value: text, isCanonical: false }
  }
  const unit = 10n ** BigInt(6 - fractionDigitsOfTypmod(oids.interval, typmod))
  const microseconds = round(parts.microseconds, unit)
  if (BigInt.asIntN(64, microseconds) !== microseconds) return intervalFailure('field', text)
  return accept(readableInterval(intervalText({ ...parts, microseconds })))
}

function intervalFailure(fault: IntervalFault, text: string): InputFailure {
  const shown = text.slice(0, 60)
  switch (fault) {
    case 'syntax':
      return fail('22007', `invalid input syntax for type interval: "${shown}"`)
    case 'field':
      return fail('22015', `interval field value out of range: "${shown}"`)
    case 'range':
      return fail('22008', 'interval out of range')
  }
}

/** Half away from zero. */
function round(microseconds: bigint, unit: bigint): bigint {
  if (unit === 1n) return microseconds
  const size = microseconds < 0n ? -microseconds : microseconds
  const rounded = ((size + unit / 2n) / unit) * unit
  return microseconds < 0n ? -rounded : rounded
}
