/** @module generate_series, row by row. */
import { parseInterval } from '@engine/core/values'
import { addInterval } from './dates/date-functions.ts'
import { add, compare, decimal, decimalText, isZero, signOf } from './decimal/decimal.ts'
import { decimalArgument } from './decimal/decimal-functions.ts'
import { countOf, integerOf, type SqliteValue, textOf } from './register/scalar.ts'
import { sqlError } from './register/sql-error.ts'
import type { TableFunctions } from './register/table-function.ts'

type Row = readonly SqliteValue[]

function* integerSeries(
  start: SqliteValue,
  stop: SqliteValue,
  step: SqliteValue,
  bits: SqliteValue,
): Iterable<Row> {
  if (start === null || stop === null || step === null) return
  const [last, by] = [integerOf(stop), integerOf(step)]
  if (by === 0n) throw zeroStep()
  if ((last - integerOf(start)) / by >= maxRows) throw tooLong()
  const width = countOf(bits)
  let position = 1n
  for (let value = integerOf(start); by > 0n ? value <= last : value >= last; value += by) {
    // PostgreSQL stops at the end of the type's range.
    if (BigInt.asIntN(width, value) !== value) return
    yield [value, position]
    position += 1n
  }
}

function* decimalSeries(start: SqliteValue, stop: SqliteValue, step: SqliteValue): Iterable<Row> {
  if (start === null || stop === null || step === null) return
  const [first, last, by] = [start, stop, step].map((each) => decimalArgument(each))
  if (first === undefined || last === undefined || by === undefined) return
  if ([first, last, by].some(({ special }) => special !== undefined)) {
    throw sqlError('22023', 'bounds and step size of a series must be finite')
  }
  if (isZero(by)) throw zeroStep()
  if ((Number(stop) - Number(start)) / Number(step) >= Number(maxRows)) throw tooLong()
  const isAscending = signOf(by) > 0
  let position = 1n
  let value = add(first, decimal(0n, 0))
  while (isAscending ? compare(value, last) <= 0 : compare(value, last) >= 0) {
    if (position > maxRows) throw tooLong()
    yield [decimalText(value), position]
    value = add(value, by)
    position += 1n
  }
}

function* momentSeries(start: SqliteValue, stop: SqliteValue, step: SqliteValue): Iterable<Row> {
  if (start === null || stop === null || step === null) return
  const [last, interval] = [textOf(stop), textOf(step)]
  const direction = signOfInterval(interval)
  if (direction === 0) throw zeroStep()
  if (steps(textOf(start), last, interval) >= Number(maxRows)) throw tooLong()
  let position = 1n
  let value = textOf(start)
  while (direction > 0 ? value <= last : value >= last) {
    if (position > maxRows) throw tooLong()
    yield [value, position]
    value = addInterval(value, interval, 1)
    position += 1n
  }
}

function signOfInterval(text: string): number {
  const span = microsecondsOf(text)
  return span > 0n ? 1 : span < 0n ? -1 : 0
}

function microsecondsOf(interval: string): bigint {
  const parts = parseInterval(interval)
  if (typeof parts === 'string') throw sqlError('22007', 'invalid input syntax for type interval')
  const days = BigInt(parts.months) * 30n + BigInt(parts.days)
  return days * 86_400_000_000n + parts.microseconds
}

/** The approximate number of steps; NaN for timestamps that a Date cannot represent. */
function steps(start: string, stop: string, interval: string): number {
  const [first, last] = [start, stop].map((moment) =>
    Date.parse(`${moment.slice(0, 19).replace(' ', 'T')}Z`),
  )
  return ((last ?? Number.NaN) - (first ?? Number.NaN)) / (Number(microsecondsOf(interval)) / 1000)
}

/** The most rows of one series: a longer one is an attack. */
const maxRows = 1_000_000n

function tooLong(): Error {
  return sqlError('54000', 'the series is too long')
}

function zeroStep(): Error {
  return sqlError('22023', 'step size cannot equal zero')
}

const columns = ['value', 'position'] as const

export const seriesFunctions: TableFunctions = {
  integer_series: {
    parameters: ['first', 'last', 'step', 'bits'],
    columns,
    rows: (first = null, last = null, step = null, bits = null) =>
      integerSeries(first, last, step, bits),
  },
  decimal_series: {
    parameters: ['first', 'last', 'step'],
    columns,
    rows: (first = null, last = null, step = null) => decimalSeries(first, last, step),
  },
  moment_series: {
    parameters: ['first', 'last', 'step'],
    columns,
    rows: (first = null, last = null, step = null) => momentSeries(first, last, step),
  },
}
