/**
 * @module Folds arithmetic on the request time before the database runs it: `now() - interval '7 days'` becomes a
 * parameter, which cannot fail on any row.
 */
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { Constant, Expression, OperatorCall, RequestTime } from '../tree/expression.ts'
import { isModest, type TimeShift, timeShift } from './time-shift.ts'

const timestampTypes: ReadonlySet<number> = new Set([oids.timestamp, oids.timestamptz])

const dayMs = 86_400_000

/**
 * Is it request time plus or minus a constant, which never fails? The database computes `now() - interval '7 days'` itself in a
 * session whose days may be longer or shorter than 24 hours.
 */
export function isShiftedRequestTime({ operator, left, right }: OperatorCall): boolean {
  if (left === undefined || (operator.name !== '+' && operator.name !== '-')) return false
  const isPlain = (time: Expression, by: Expression): boolean =>
    isRequestTime(time) && by.kind === 'constant' && shiftOf(by) !== undefined
  return isPlain(left, right) || (operator.name === '+' && isPlain(right, left))
}

/** The request time, or its date or time of day in some zone. */
export function isRequestTime(expression: Expression): boolean {
  return (
    expression.kind === 'requestTime' ||
    (expression.kind === 'cast' &&
      expression.method === 'function' &&
      expression.operand.kind === 'requestTime')
  )
}

/** Folds `now() + interval`, `now() - interval`, `current_date + 7` and similar calls; everything else stays as it is. */
export function foldRequestTime(call: OperatorCall): Expression {
  const { operator, left, right } = call
  const isSum = operator.name === '+'
  if (left === undefined || (!isSum && operator.name !== '-')) return call
  const folded =
    left.kind === 'requestTime'
      ? moved(left, right, isSum ? 1 : -1, call.type)
      : isSum && right.kind === 'requestTime'
        ? moved(right, left, 1, call.type)
        : undefined
  return folded ?? call
}

function moved(
  time: RequestTime,
  by: Expression,
  sign: 1 | -1,
  type: SqlType,
): RequestTime | undefined {
  if (by.kind !== 'constant' || typeof by.value !== 'string') return undefined
  // Rounding to a precision comes before any addition.
  if (time.type.typmod !== -1 || time.zone !== undefined) return undefined
  const shift = shiftOf(by)
  if (shift === undefined) return undefined
  if (time.type.oid !== oids.date) {
    return timestampTypes.has(time.type.oid) ? shifted(time, shift, sign, type) : undefined
  }
  if (by.type.oid !== oids.interval) return shifted(time, shift, sign, type)
  // A date begins at midnight, whatever was added to the time before.
  if (time.calendar !== undefined || time.offsetMs % dayMs !== 0) return undefined
  const midnight = { ...time, calendar: { startOfDay: true, months: 0 } }
  return shifted(midnight, shift, sign, type)
}

function shiftOf({ type, value }: Constant): TimeShift | undefined {
  if (typeof value !== 'string') return undefined
  if (type.oid === oids.interval) return type.typmod === -1 ? timeShift(value) : undefined
  if (type.oid !== oids.int4) return undefined
  const shift = { months: 0, ms: Number(value) * dayMs }
  return isModest(shift) ? shift : undefined
}

/** Months are added before anything else, and once only: 31 March minus two months differs from subtracting one month twice. */
function shifted(
  time: RequestTime,
  { months, ms }: TimeShift,
  sign: 1 | -1,
  type: SqlType,
): RequestTime | undefined {
  const before = time.calendar?.months ?? 0
  if (months !== 0 && (before !== 0 || time.offsetMs !== 0)) return undefined
  const sum = { months: before + sign * months, ms: time.offsetMs + sign * ms }
  if (!isModest(sum)) return undefined
  const startOfDay = time.calendar?.startOfDay ?? false
  const calendar = startOfDay || sum.months !== 0 ? { startOfDay, months: sum.months } : undefined
  return { ...time, type, offsetMs: sum.ms, calendar }
}

/** The same request time as another type, where only its text differs: sessions use UTC. */
export function castRequestTime(time: RequestTime, target: SqlType): RequestTime | undefined {
  const { oid, typmod } = time.type
  if (typmod !== -1 || target.typmod !== -1 || !timestampTypes.has(oid)) return undefined
  if (time.zone !== undefined) return undefined
  if (timestampTypes.has(target.oid)) return { ...time, type: target }
  return undefined
}

const comparisons: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])

/** Both operands of `timestamp < now()` as one type: the comparison of two types can fail, and uses no index. */
export function alignRequestTimes(
  name: string,
  left: Expression | undefined,
  right: Expression,
): readonly [Expression | undefined, Expression] {
  if (left === undefined || !comparisons.has(name)) return [left, right]
  return [asTypeOf(left, right), asTypeOf(right, left)]
}

function asTypeOf(operand: Expression, other: Expression): Expression {
  if (operand.kind !== 'requestTime' || !timestampTypes.has(other.type.oid)) return operand
  return castRequestTime(operand, { oid: other.type.oid, typmod: -1 }) ?? operand
}
