/** @module bit and varbit. */
import { type Oid, oids } from '../oids.ts'
import { lengthOfTypmod } from '../typmod.ts'
import { accept, fail, failSyntax, type InputMode, type InputResult } from './input-value.ts'
import { maxPaddedLength, tooWide } from './text-input.ts'

/** `101`, `B101` or `XFF`; a cast cuts or pads with zeros on the right. */
export function readBits(oid: Oid, typmod: number, text: string, mode: InputMode): InputResult {
  const bits = parseBits(text)
  if (bits === undefined) return failSyntax('bit', text)
  const length = lengthOfTypmod(oid, typmod)
  if (length === undefined) return accept(bits)
  const isFixed = oid === oids.bit
  if (mode === 'explicit') {
    const cut = bits.slice(0, length)
    if (!isFixed) return accept(cut)
    return length > maxPaddedLength ? tooWide : accept(cut.padEnd(length, '0'))
  }
  if (isFixed && bits.length !== length) {
    return fail('22026', `bit string length ${bits.length} does not match type bit(${length})`)
  }
  if (bits.length > length) {
    return fail('22001', `bit string too long for type bit varying(${length})`)
  }
  return accept(bits)
}

function parseBits(text: string): string | undefined {
  const digits = /^[bB]?([01]*)$/.exec(text)?.[1]
  if (digits !== undefined) return digits
  const hex = /^[xX]([0-9a-fA-F]*)$/.exec(text)?.[1]
  if (hex === undefined) return undefined
  return [...hex].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
}
