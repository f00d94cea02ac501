/** @module Geometric types: in binary, their coordinates one after the other as float8. */
import { floatText } from '@engine/core/values'
import { int4Bytes } from './big-endian.ts'
import type { ValueSettings } from './cell-format.ts'
import { floatRounding } from './number-form.ts'
import type { Respell, ValueForm } from './value-form.ts'

/** A type with this number of coordinates: point 2, line 3, circle 3, lseg and box 4. */
export function figureForm(count: number, print: (...texts: string[]) => string): ValueForm {
  return {
    toBinary: (text) => {
      const numbers = coordinatesIn(text)
      return numbers?.length === count ? coordinateBytes(numbers) : undefined
    },
    fromBinary: (bytes) =>
      bytes.length === count * 8 ? print(...coordinateTexts(bytes)) : undefined,
    toSession: rounding,
  }
}

/** `((0,0),(1,1))`; in binary, the number of points precedes them. */
export const polygonForm: ValueForm = {
  toBinary: (text) => {
    const numbers = coordinatesIn(text)
    if (numbers === undefined || numbers.length % 2 !== 0) return undefined
    return Buffer.concat([int4Bytes(numbers.length / 2), coordinateBytes(numbers)])
  },
  fromBinary: (bytes) => {
    if (bytes.length < 4 || bytes.length !== 4 + bytes.readInt32BE(0) * 16) return undefined
    return `(${pointTexts(bytes.subarray(4))})`
  },
  toSession: rounding,
}

/** A polygon's outline, or an open one: `[(0,0),(1,1)]`. */
export const pathForm: ValueForm = {
  toBinary: (text) => {
    const points = polygonForm.toBinary?.(text)
    if (points === undefined || typeof points === 'string') return undefined
    return Buffer.concat([Buffer.of(text.startsWith('[') ? 0 : 1), points])
  },
  fromBinary: (bytes) => {
    const closed = polygonForm.fromBinary?.(bytes.subarray(1))
    return bytes[0] === 0 && closed !== undefined ? `[${closed.slice(1, -1)}]` : closed
  },
  toSession: rounding,
}

function rounding(settings: ValueSettings): Respell | undefined {
  const round = floatRounding(settings, 15)
  return round && ((text) => text.replaceAll(/[^[\](){}<>,]+/g, round))
}

function coordinatesIn(text: string): readonly number[] | undefined {
  const shape = /^[[({<]*[^[\](){}<>,]+(?:[)\]}>]*,[([]*[^[\](){}<>,]+)*[)\]}>]*$/
  if (!shape.test(text)) return undefined
  const numbers = text.replaceAll(/[[\](){}<>]/g, '').split(',')
  const isNumber = /^-?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|Infinity|NaN)$/
  return numbers.every((number) => isNumber.test(number)) ? numbers.map(Number) : undefined
}

function coordinateBytes(numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(numbers.length * 8)
  for (const [i, number] of numbers.entries()) bytes.writeDoubleBE(number, i * 8)
  return bytes
}

function coordinateTexts(bytes: Buffer): string[] {
  return Array.from({ length: bytes.length / 8 }, (_, i) =>
    floatText(bytes.readDoubleBE(i * 8), 'float8'),
  )
}

function pointTexts(bytes: Buffer): string {
  const texts = coordinateTexts(bytes)
  return Array.from(
    { length: texts.length / 2 },
    (_, i) => `(${texts[i * 2]},${texts[i * 2 + 1]})`,
  ).join(',')
}
