import { expect, test } from 'vitest'
import { intervalFunctions } from './interval.ts'

const call = (name: string, ...args: readonly (string | number | bigint)[]) =>
  intervalFunctions[name]?.call(...args)

test('differences have days and time, ages have months too', () => {
  expect(call('interval_between', '2024-03-01 00:00:00', '2024-01-31 12:00:00')).toBe(
    '29 days 12:00:00',
  )
  expect(call('interval_age', '2024-03-01 00:00:00', '2024-01-31 12:00:00')).toBe('1 mon 12:00:00')
})

test('a factor moves fractions down: months to days, days to time', () => {
  expect(call('interval_mul', '1 mon', 0.5)).toBe('15 days')
  expect(call('interval_mul', '1 day', 0.5)).toBe('12:00:00')
  expect(call('interval_div', '1 year', 8)).toBe('1 mon 15 days')
})

test('a month compares as 30 days', () => {
  expect(call('interval_key', '1 mon')).toBe(call('interval_key', '30 days'))
  expect(String(call('interval_key', '-1 days')) < String(call('interval_key', '00:00:00'))).toBe(
    true,
  )
})

test('fields and the whole in seconds', () => {
  expect(call('interval_part', 'hour', '26:30:00')).toBe('26')
  expect(call('interval_part', 'epoch', '1 year 1 mon 1 day 00:00:01.5')).toBe('34236001.500000')
})

test('bins begin at the origin', () => {
  expect(call('interval_bin', '00:15:00', '2024-01-31 10:20:00', '2024-01-01 00:05:00')).toBe(
    '2024-01-31 10:20:00',
  )
})

test('a step of months makes no bins', () => {
  expect(() => call('interval_bin', '1 mon', '2024-01-31 10:20:00', '2024-01-01')).toThrow(
    expect.objectContaining({ code: 'E0A000' }),
  )
})
