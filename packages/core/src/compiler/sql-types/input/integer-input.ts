/** @module int2, int4, int8 and oid. */
import { accept, failRange, failSyntax, type InputResult } from './input-value.ts'
import { trimSpace } from './trim-space.ts'

interface IntegerType {
  readonly name: string
  readonly least: bigint
  readonly most: bigint
}

/** Names and limits of the integer types. */
export const integerTypes: Readonly<Record<'int2' | 'int4' | 'int8' | 'oid', IntegerType>> = {
  int2: { name: 'smallint', least: -(2n ** 15n), most: 2n ** 15n - 1n },
  int4: { name: 'integer', least: -(2n ** 31n), most: 2n ** 31n - 1n },
  int8: { name: 'bigint', least: -(2n ** 63n), most: 2n ** 63n - 1n },
  oid: { name: 'oid', least: 0n, most: 2n ** 32n - 1n },
}

/** `00` is `0`. */
function withoutLeadingZeros(digits: string): string {
  let start = 0
  while (start < digits.length - 1 && digits.charAt(start) === '0') start++
  return digits.slice(start)
}

/** Enough for the largest integer, so that a megabyte of digits is never converted to a bigint. */
const maxDigits = 20

/** Decimal digits with an optional sign; no fraction, no exponent. A negative oid counts from the end: `-1` is 4294967295. */
export function readInteger(text: string, type: IntegerType): InputResult {
  const match = /^([+-]?)(\d+)$/.exec(trimSpace(text))
  if (match?.[2] === undefined) return failSyntax(type.name, text)
  const digits = withoutLeadingZeros(match[2])
  if (digits.length > maxDigits) return failRange(type.name, text)
  const number = match[1] === '-' ? -BigInt(digits) : BigInt(digits)
  const isFromEnd = type === integerTypes.oid && number < 0n && number >= integerTypes.int4.least
  const value = isFromEnd ? BigInt.asUintN(32, number) : number
  return value < type.least || value > type.most ? failRange(type.name, text) : accept(value)
}
