/** @module bytea, uuid, bit strings and hardware addresses. */
import { int4Bytes } from './big-endian.ts'
import type { ValueSettings } from './cell-format.ts'
import type { Respell, ValueForm } from './value-form.ts'

/** Undefined unless the whole text is pairs of digits. */
function bytesOfHex(digits: string): Buffer | undefined {
  if (digits.length % 2 !== 0) return undefined
  const bytes = Buffer.from(digits, 'hex')
  return bytes.length * 2 === digits.length ? bytes : undefined
}

export const byteaForm: ValueForm = {
  isCanonical: (text) => text.startsWith('\\x'),
  toBinary: (text) => (text.startsWith('\\x') ? bytesOfHex(text.slice(2)) : undefined),
  fromBinary: (bytes) => `\\x${bytes.toString('hex')}`,
  toSession: escaped,
}

/** `\x5c00` → `\\\000`, where the session's `bytea_output` is `escape`. */
function escaped({ byteaOutput }: ValueSettings): Respell | undefined {
  if (byteaOutput === 'hex') return undefined
  return (text) => {
    const characters = Buffer.from(text.slice(2), 'hex').toString('latin1')
    return characters.replaceAll(/[^ -[\]-~]/g, (character) =>
      character === '\\' ? '\\\\' : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
    )
  }
}

const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

export const uuidForm: ValueForm = {
  isCanonical: (text) => uuidPattern.test(text),
  toBinary: (text) =>
    uuidPattern.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined,
  fromBinary: (bytes) =>
    bytes.length === 16
      ? bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
      : undefined,
}

/** bit and varbit: the number of bits, then eight bits in a byte, padded with zeros. */
export const bitsForm: ValueForm = {
  toBinary: (text) => {
    if (!/^[01]*$/.test(text)) return undefined
    const bytes = Buffer.alloc(Math.ceil(text.length / 8))
    for (let i = 0; i < bytes.length; i++) {
      bytes[i] = Number.parseInt(text.slice(i * 8, i * 8 + 8).padEnd(8, '0'), 2)
    }
    return Buffer.concat([int4Bytes(text.length), bytes])
  },
  fromBinary: (bytes) => {
    if (bytes.length < 4) return undefined
    const length = bytes.readInt32BE(0)
    if (length < 0 || bytes.length !== 4 + Math.ceil(length / 8)) return undefined
    const digits = Array.from(bytes.subarray(4), (byte) => byte.toString(2).padStart(8, '0'))
    return digits.join('').slice(0, length)
  },
}

/** macaddr has six bytes, macaddr8 eight. */
export function hardwareAddressForm(length: 6 | 8): ValueForm {
  const pattern = new RegExp(`^[\\da-f]{2}(?::[\\da-f]{2}){${length - 1}}$`)
  return {
    toBinary: (text) =>
      pattern.test(text) ? Buffer.from(text.replaceAll(':', ''), 'hex') : undefined,
    fromBinary: (bytes) =>
      bytes.length === length
        ? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(':')
        : undefined,
  }
}

/** pg_lsn: `16/B374D848`, 64 bits as two hexadecimal numbers. */
export const logPositionForm: ValueForm = {
  toBinary: (text) => {
    const [, high, low] = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/.exec(text) ?? []
    if (high === undefined || low === undefined) return undefined
    return Buffer.from(high.padStart(8, '0') + low.padStart(8, '0'), 'hex')
  },
  fromBinary: (bytes) => {
    if (bytes.length !== 8) return undefined
    const halves = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)]
    return halves.map((half) => half.toString(16).toUpperCase()).join('/')
  },
}
