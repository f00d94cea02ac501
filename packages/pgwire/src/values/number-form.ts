/** @module bool, integers and floats. */
import { floatText, roundedFloatText } from '@engine/core/values'
import { int2Bytes, int4Bytes, int8Bytes } from './big-endian.ts'
import type { ValueSettings } from './cell-format.ts'
import type { Respell, ValueForm } from './value-form.ts'

/** The engine also spells booleans `true` and `false` besides `t` and `f`. */
export const booleanForm: ValueForm = {
  isCanonical: (text) => text === 't' || text === 'f',
  toBinary: (text) => {
    if (text === 't' || text === 'true') return Buffer.of(1)
    return text === 'f' || text === 'false' ? Buffer.of(0) : undefined
  },
  fromBinary: (bytes) => (bytes.length === 1 ? (bytes[0] === 0 ? 'f' : 't') : undefined),
}

export const int2Form: ValueForm = {
  isCanonical: (text) => smallInteger(text, -0x8000, 0x7fff) !== undefined,
  toBinary: (text) => {
    const value = smallInteger(text, -0x8000, 0x7fff)
    return value === undefined ? undefined : int2Bytes(value)
  },
  fromBinary: (bytes) => (bytes.length === 2 ? String(bytes.readInt16BE(0)) : undefined),
}

export const int4Form: ValueForm = {
  isCanonical: (text) => smallInteger(text, -0x8000_0000, 0x7fff_ffff) !== undefined,
  toBinary: (text) => {
    const value = smallInteger(text, -0x8000_0000, 0x7fff_ffff)
    return value === undefined ? undefined : int4Bytes(value)
  },
  fromBinary: (bytes) => (bytes.length === 4 ? String(bytes.readInt32BE(0)) : undefined),
}

/** oid, xid, cid. */
export const unsigned4Form: ValueForm = {
  isCanonical: (text) => smallInteger(text, 0, 0xffff_ffff) !== undefined,
  toBinary: (text) => {
    const value = smallInteger(text, 0, 0xffff_ffff)
    return value === undefined ? undefined : int4Bytes(value | 0)
  },
  fromBinary: (bytes) => (bytes.length === 4 ? String(bytes.readUInt32BE(0)) : undefined),
}

export const int8Form: ValueForm = {
  isCanonical: (text) =>
    text.length <= 20 && isPlainInteger(text) && (text.length < 19 || fits8(BigInt(text))),
  toBinary: (text) => {
    if (!isPlainInteger(text) || text.length > 20) return undefined
    const value = BigInt(text)
    return fits8(value) ? int8Bytes(value) : undefined
  },
  fromBinary: (bytes) => (bytes.length === 8 ? String(bytes.readBigInt64BE(0)) : undefined),
}

/** xid8 */
export const unsigned8Form: ValueForm = {
  toBinary: (text) => {
    if (!isPlainInteger(text) || text.length > 20) return undefined
    const value = BigInt(text)
    return BigInt.asUintN(64, value) === value ? int8Bytes(BigInt.asIntN(64, value)) : undefined
  },
  fromBinary: (bytes) => (bytes.length === 8 ? String(bytes.readBigUInt64BE(0)) : undefined),
}

function fits8(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

/** The value of a plain integer of at most 32 bits. */
function smallInteger(text: string, least: number, most: number): number | undefined {
  if (text.length > 11 || !isPlainInteger(text)) return undefined
  const value = Number(text)
  return value >= least && value <= most ? value : undefined
}

const minus = 0x2d
const zero = 0x30
const nine = 0x39

/** Digits, optionally with a minus, without leading zeros: `0`, `-12`. */
function isPlainInteger(text: string): boolean {
  const { length } = text
  const start = text.charCodeAt(0) === minus ? 1 : 0
  if (start === length) return false
  if (text.charCodeAt(start) === zero) return length === 1
  for (let i = start; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code < zero || code > nine) return false
  }
  return true
}

export const float8Form: ValueForm = {
  isCanonical: (text) => {
    const value = numberIn(text)
    if (value === undefined) return false
    // JavaScript prints the same shortest digits as PostgreSQL, where neither writes an exponent.
    const size = Math.abs(value)
    return size >= 1e-4 && size < 1e15
      ? String(value) === text
      : floatText(value, 'float8') === text
  },
  toBinary: (text) => {
    const value = numberIn(text)
    if (value === undefined) return undefined
    const bytes = Buffer.allocUnsafe(8)
    bytes.writeDoubleBE(value)
    return bytes
  },
  fromBinary: (bytes) =>
    bytes.length === 8 ? floatText(bytes.readDoubleBE(0), 'float8') : undefined,
  toSession: (settings) => floatRounding(settings, 15),
}

export const float4Form: ValueForm = {
  isCanonical: (text) => {
    const value = numberIn(text)
    return value !== undefined && floatText(Math.fround(value), 'float4') === text
  },
  toBinary: (text) => {
    const value = numberIn(text)
    if (value === undefined || (Number.isFinite(value) && !Number.isFinite(Math.fround(value)))) {
      return undefined
    }
    const bytes = Buffer.allocUnsafe(4)
    bytes.writeFloatBE(value)
    return bytes
  },
  fromBinary: (bytes) =>
    bytes.length === 4 ? floatText(bytes.readFloatBE(0), 'float4') : undefined,
  toSession: (settings) => floatRounding(settings, 6),
}

/**
 * Undefined: floats keep their shortest exact text.
 *
 * @param usual digits that every value of the type has: 6 or 15
 */
export function floatRounding(
  { extraFloatDigits = 1 }: ValueSettings,
  usual: 6 | 15,
): Respell | undefined {
  if (extraFloatDigits > 0) return undefined
  const precision = Math.max(1, usual + extraFloatDigits)
  return (text) => {
    const value = numberIn(text)
    if (value === undefined) return text
    return roundedFloatText(usual === 6 ? Math.fround(value) : value, precision)
  }
}

const infinities: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
}

/** A decimal number, with or without an exponent of limited size. */
function numberIn(text: string): number | undefined {
  if (!/^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return infinities[text]
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}
