/** @module inet and cidr: in binary, family, length of the mask, flag for cidr, length, address. */
import { isIPv4, isIPv6 } from 'node:net'
import type { ValueForm } from './value-form.ts'

const family4 = 2
const family6 = 3

/** cidr always shows its mask, inet only where the mask is shorter than the address. */
export function networkForm(isNetwork: boolean): ValueForm {
  return {
    toBinary: (text) => {
      const [address = '', mask, ...rest] = text.split('/')
      const bytes = addressBytes(address)
      const bits = mask === undefined ? (bytes?.length ?? 0) * 8 : Number(mask)
      const isMask = mask === undefined || /^\d{1,3}$/.test(mask)
      if (bytes === undefined || !isMask || bits > bytes.length * 8 || rest.length > 0) {
        return undefined
      }
      const family = bytes.length === 4 ? family4 : family6
      return Buffer.concat([Buffer.of(family, bits, isNetwork ? 1 : 0, bytes.length), bytes])
    },
    fromBinary: (bytes) => {
      const [family, bits = 0, , length = 0] = bytes
      const expected = family === family4 ? 4 : family === family6 ? 16 : undefined
      if (length !== expected || bytes.length !== 4 + length || bits > length * 8) return undefined
      const address = addressText(bytes.subarray(4))
      return bits === length * 8 && !isNetwork ? address : `${address}/${bits}`
    },
  }
}

function addressBytes(text: string): Buffer | undefined {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number))
  if (!isIPv6(text) || text.includes('%')) return undefined
  const [head = '', tail] = text.split('::').map(wordBytes)
  const filled = tail === undefined ? head : head.padEnd(32 - tail.length, '0') + tail
  return Buffer.from(filled, 'hex')
}

/** `1:ab:1.2.3.4` → `000100ab01020304` */
function wordBytes(text: string): string {
  if (text === '') return ''
  return text
    .split(':')
    .map((word) =>
      isIPv4(word)
        ? Buffer.from(word.split('.').map(Number)).toString('hex')
        : word.padStart(4, '0'),
    )
    .join('')
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.')
  const words = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2))
  const zeros = longestZeros(words)
  const isMapped =
    zeros.start === 0 && (zeros.length === 6 || (zeros.length === 5 && words[5] === 0xffff))
  const shown = words.slice(0, isMapped ? 6 : 8).map((word) => word.toString(16))
  if (isMapped) shown.push(bytes.subarray(12).join('.'))
  if (zeros.length < 2) return shown.join(':')
  const end = isMapped ? Math.min(zeros.length, 6) : zeros.start + zeros.length
  return `${shown.slice(0, zeros.start).join(':')}::${shown.slice(end).join(':')}`
}

/** The first of the longest runs of zero words. */
function longestZeros(words: readonly number[]): {
  readonly start: number
  readonly length: number
} {
  let best = { start: 0, length: 0 }
  let start = 0
  words.forEach((word, i) => {
    if (word !== 0) start = i + 1
    else if (i + 1 - start > best.length) best = { start, length: i + 1 - start }
  })
  return best
}
