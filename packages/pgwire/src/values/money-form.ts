/**
 * @module money: in binary a count of cents. Its text depends on a locale; sessions with databases use `C`, which has
 * dollars.
 */
import { int8Bytes } from './big-endian.ts'
import type { ValueForm } from './value-form.ts'

const pattern = /^(-?)\$(\d{1,3}(?:,\d{3}){0,6})\.(\d\d)$/

/** `-$1,234.56` */
export const moneyForm: ValueForm = {
  toBinary: (text) => {
    const [, sign, whole = '', cents] = pattern.exec(text) ?? []
    if (cents === undefined) return undefined
    const size = BigInt(whole.replaceAll(',', '') + cents)
    const value = sign === '-' ? -size : size
    return BigInt.asIntN(64, value) === value ? int8Bytes(value) : undefined
  },
  fromBinary: (bytes) => {
    if (bytes.length !== 8) return undefined
    const value = bytes.readBigInt64BE(0)
    const digits = String(value < 0n ? -value : value).padStart(3, '0')
    const whole = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
    return `${value < 0n ? '-' : ''}$${whole}.${digits.slice(-2)}`
  },
}
