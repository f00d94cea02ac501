/** @module Arrays of any type. */
import { arrayText, type Oid, parseArrayLiteral } from '@engine/core/values'
import { int4Bytes } from './big-endian.ts'
import type { ValueSettings } from './cell-format.ts'
import type { Respell, ValueForm } from './value-form.ts'

interface ArrayOf {
  readonly elementOid: Oid
  readonly element: ValueForm
  readonly delimiter: string
}

/** Arrays have no binary form where the element has none. */
export function arrayForm(array: ArrayOf): ValueForm {
  const { toBinary, fromBinary, toSession, fromSession } = array.element
  return {
    ...(toBinary && { toBinary: (text) => arrayBytes(array, toBinary, text) }),
    ...(fromBinary && { fromBinary: (bytes) => textOf(array, fromBinary, bytes) }),
    ...(toSession && { toSession: respellEach(array, toSession) }),
    ...(fromSession && { fromSession: respellEach(array, fromSession) }),
  }
}

interface Elements {
  /** `[0:2]=`, or an empty text where all dimensions begin with 1. */
  readonly bounds: string
  readonly lowerBounds: readonly number[]
  readonly dimensions: readonly number[]
  readonly texts: readonly (string | null)[]
}

/** `[0:1][1:2]={{1,2},{3,NULL}}` */
function elementsIn(text: string, delimiter: string): Elements | undefined {
  const bounds = /^(?:\[-?\d{1,10}:-?\d{1,10}\])+=/.exec(text)?.[0] ?? ''
  const shape = parseArrayLiteral(text.slice(bounds.length), delimiter)
  if (shape === undefined) return undefined
  const { dimensions } = shape
  const ranges = [...bounds.matchAll(/\[(-?\d+):(-?\d+)\]/g)].map(([, from, to]) => ({
    lower: Number(from),
    length: Number(to) - Number(from) + 1,
  }))
  const isFitting =
    bounds === '' ||
    (ranges.length === dimensions.length &&
      ranges.every(({ length }, i) => length === dimensions[i]))
  if (!isFitting) return undefined
  const lowerBounds = dimensions.map((_, i) => ranges[i]?.lower ?? 1)
  // The results of parsing a text: never lists, since dimensions are counted separately.
  return { bounds, lowerBounds, dimensions, texts: shape.elements as readonly (string | null)[] }
}

function respellEach(
  { delimiter }: ArrayOf,
  respellOf: (settings: ValueSettings) => Respell | undefined,
): (settings: ValueSettings) => Respell | undefined {
  return (settings) => {
    const respell = respellOf(settings)
    if (respell === undefined) return undefined
    return (text) => {
      const elements = elementsIn(text, delimiter)
      if (elements === undefined) return text
      const texts = elements.texts.map((element) => (element === null ? null : respell(element)))
      return elements.bounds + arrayText(elements.dimensions, texts, delimiter)
    }
  }
}

const nullLength: Buffer = int4Bytes(-1)

function arrayBytes(
  { elementOid, delimiter }: ArrayOf,
  toBinary: NonNullable<ValueForm['toBinary']>,
  text: string,
): Buffer | undefined {
  const elements = elementsIn(text, delimiter)
  if (elements === undefined) return undefined
  const { dimensions, lowerBounds, texts } = elements
  const hasNull = texts.includes(null)
  const parts = [int4Bytes(dimensions.length), int4Bytes(hasNull ? 1 : 0), int4Bytes(elementOid)]
  dimensions.forEach((length, i) => {
    parts.push(int4Bytes(length), int4Bytes(lowerBounds[i] ?? 1))
  })
  for (const element of texts) {
    if (element === null) {
      parts.push(nullLength)
      continue
    }
    const value = toBinary(element)
    if (value === undefined) return undefined
    const bytes = Buffer.from(value)
    parts.push(int4Bytes(bytes.length), bytes)
  }
  return Buffer.concat(parts)
}

const headerLength = 12
const maxDimensions = 6
const mostInt4 = 0x7fff_ffff

function textOf(
  { elementOid, delimiter }: ArrayOf,
  fromBinary: NonNullable<ValueForm['fromBinary']>,
  bytes: Buffer,
): string | undefined {
  if (bytes.length < headerLength) return undefined
  const dimensionCount = bytes.readInt32BE(0)
  const flags = bytes.readInt32BE(4)
  const start = headerLength + dimensionCount * 8
  if (dimensionCount < 0 || dimensionCount > maxDimensions || start > bytes.length) return undefined
  if ((flags !== 0 && flags !== 1) || bytes.readUInt32BE(8) !== elementOid) return undefined
  const ranges = Array.from({ length: dimensionCount }, (_, i) => ({
    length: bytes.readInt32BE(headerLength + i * 8),
    lower: bytes.readInt32BE(headerLength + i * 8 + 4),
  }))
  const isRange = ({ length, lower }: { length: number; lower: number }): boolean =>
    length >= 0 && lower + length - 1 <= mostInt4
  if (!ranges.every(isRange)) return undefined
  const count = ranges.reduce((product, { length }) => product * length, dimensionCount && 1)
  // Each element has at least a length, so no more elements are created than were sent.
  if (count * 4 > bytes.length - start) return undefined
  const texts = readElements(bytes.subarray(start), count, fromBinary)
  if (texts === undefined || count === 0) return texts && '{}'
  const bounds = ranges.every(({ lower }) => lower === 1)
    ? ''
    : `${ranges.map(({ lower, length }) => `[${lower}:${lower + length - 1}]`).join('')}=`
  return (
    bounds +
    arrayText(
      ranges.map(({ length }) => length),
      texts,
      delimiter,
    )
  )
}

/** Undefined unless the bytes are exactly this number of elements. */
function readElements(
  bytes: Buffer,
  count: number,
  fromBinary: NonNullable<ValueForm['fromBinary']>,
): readonly (string | null)[] | undefined {
  const texts: (string | null)[] = []
  let position = 0
  for (let i = 0; i < count; i++) {
    if (position + 4 > bytes.length) return undefined
    const length = bytes.readInt32BE(position)
    position += 4
    if (length === -1) {
      texts.push(null)
      continue
    }
    if (length < 0 || position + length > bytes.length) return undefined
    const text = fromBinary(bytes.subarray(position, position + length))
    if (text === undefined) return undefined
    texts.push(text)
    position += length
  }
  return position === bytes.length ? texts : undefined
}
