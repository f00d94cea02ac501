/** @module Texts of settings → values, and back to the form of SHOW. */
import { GatewayError } from '@engine/core'
import { invalidSetting, invalidValue } from './setting-error.ts'

/**
 * `on`, `off` and beginnings of `true`, `false`, `yes`, `no`, `1`, `0`.
 *
 * @returns undefined for anything else.
 */
export function booleanOf(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (
    word === '1' ||
    word === 'on' ||
    (word !== '' && ('true'.startsWith(word) || 'yes'.startsWith(word)))
  ) {
    return true
  }
  if (word === '0' || (word.length > 1 && 'off'.startsWith(word))) return false
  return word !== '' && ('false'.startsWith(word) || 'no'.startsWith(word)) ? false : undefined
}

/** @throws {GatewayError} 22023. */
export function parseBoolean(name: string, text: string): boolean {
  const value = booleanOf(text)
  if (value === undefined) {
    throw new GatewayError('invalidParameter', `parameter "${name}" requires a Boolean value`, {
      sqlState: '22023',
    })
  }
  return value
}

/** Units of a number, largest first: names and how many of the base unit each is. */
export interface Unit {
  /** The unit in which values are counted. */
  readonly base: string
  readonly names: readonly (readonly [name: string, factor: number])[]
}

export const milliseconds: Unit = {
  base: 'ms',
  names: [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1000],
    ['ms', 1],
    ['us', 0.001],
  ],
}

export const kilobytes: Unit = {
  base: 'kB',
  names: [
    ['TB', 1024 ** 3],
    ['GB', 1024 ** 2],
    ['MB', 1024],
    ['kB', 1],
    ['B', 1 / 1024],
  ],
}

export interface NumberRange {
  readonly min: number
  readonly max: number
  readonly unit?: Unit | undefined
  readonly isReal?: boolean | undefined
}

/** @throws {GatewayError} 22023 for a text that is not a number, has a wrong unit, or is out of range. */
export function parseNumber(name: string, text: string, range: NumberRange): number {
  const match =
    /^\s*([+-]?(?:0x[0-9a-f]+|\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?))\s*([a-z]*)\s*$/i.exec(
      text,
    )
  const factor = match === null ? undefined : factorOf(match[2] ?? '', range.unit)
  if (match === null || factor === undefined) throw invalidValue(name, text)
  const exact = Number(match[1]) * factor
  const value = range.isReal === true ? exact : roundToEven(exact)
  if (value < range.min || value > range.max) {
    const base = range.unit === undefined ? '' : ` ${range.unit.base}`
    throw invalidSetting(
      `${value}${base} is outside the valid range for parameter "${name}" (${range.min}${base} .. ${range.max}${base})`,
    )
  }
  return value
}

function factorOf(unit: string, units: Unit | undefined): number | undefined {
  if (unit === '') return 1
  return units?.names.find(([name]) => name === unit)?.[1]
}

/** Rounds like C's `rint`. */
function roundToEven(value: number): number {
  const rounded = Math.round(value)
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

/** In the largest unit that divides it: 60000 ms is `1min`; a number that is not positive has no unit. */
export function showNumber(value: number, unit: Unit | undefined): string {
  if (unit === undefined || value <= 0) return String(value)
  const fitting = unit.names.find(([, factor]) => Number.isInteger(value / factor))
  return fitting === undefined ? String(value) : `${value / fitting[1]}${fitting[0]}`
}
