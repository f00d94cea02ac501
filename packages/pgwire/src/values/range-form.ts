/** @module Ranges and multiranges of the built-in types. */
import { int4Bytes } from './big-endian.ts'
import type { ValueSettings } from './cell-format.ts'
import type { Respell, ValueForm } from './value-form.ts'

const isEmpty = 0x01
const lowerInclusive = 0x02
const upperInclusive = 0x04
const lowerInfinite = 0x08
const upperInfinite = 0x10

/** An undefined bound is infinite. */
interface Range {
  readonly opening: string
  readonly lower: string | undefined
  readonly upper: string | undefined
  readonly closing: string
}

const bound = String.raw`((?:"(?:[^"\\]|\\.)*"|[^"\\,()[\]]|\\.)*)`
const rangePattern = new RegExp(`([[(])${bound},${bound}([\\])])`, 'sy')

/** One range that begins at `position`. */
function rangeAt(
  text: string,
  position: number,
): { readonly range: Range; readonly end: number } | undefined {
  rangePattern.lastIndex = position
  const match = rangePattern.exec(text)
  if (match === null) return undefined
  const [, opening = '', lower = '', upper = '', closing = ''] = match
  const range = { opening, lower: unquoted(lower), upper: unquoted(upper), closing }
  return { range, end: rangePattern.lastIndex }
}

/** Inside quotes a quote is doubled; everywhere a backslash makes the next character literal. */
function unquoted(text: string): string | undefined {
  if (text === '') return undefined
  let result = ''
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i)
    if (character === '\\' || (character === '"' && isQuoted && text.charAt(i + 1) === '"')) {
      i += 1
      result += text.charAt(i)
    } else if (character === '"') isQuoted = !isQuoted
    else result += character
  }
  return result
}

function quoted(text: string | undefined): string {
  if (text === undefined) return ''
  const isBare = text !== '' && !/[\s"\\()[\],]/.test(text)
  return isBare ? text : `"${text.replaceAll(/["\\]/g, '$&$&')}"`
}

function rangeText({ opening, lower, upper, closing }: Range): string {
  return `${opening}${quoted(lower)},${quoted(upper)}${closing}`
}

/** The form for an element that has a binary form. */
export function rangeForm(element: ValueForm): ValueForm {
  const respellWith = (respellOf: RespellOf) => (settings: ValueSettings) => {
    const respell = respellOf(settings)
    return respell && ((text: string) => respelled(text, respell))
  }
  return {
    toBinary: (text) => {
      if (text === 'empty') return Buffer.of(isEmpty)
      const found = rangeAt(text, 0)
      return found?.end === text.length ? rangeBytes(element, found.range) : undefined
    },
    fromBinary: (bytes) => textOf(element, bytes),
    ...(element.toSession && { toSession: respellWith(element.toSession) }),
    ...(element.fromSession && { fromSession: respellWith(element.fromSession) }),
  }
}

type RespellOf = (settings: ValueSettings) => Respell | undefined

/** Converts the bounds one by one, of a range or of each in a multirange; a text that is neither is unchanged. */
function respelled(text: string, respell: Respell): string {
  const each = (bound: string | undefined): string | undefined =>
    bound === undefined ? undefined : respell(bound)
  const isMulti = text.startsWith('{')
  const ranges = isMulti ? rangesIn(text) : [rangeAt(text, 0)?.range]
  if (ranges === undefined) return text
  const texts = ranges.map((range) =>
    range === undefined
      ? text
      : rangeText({ ...range, lower: each(range.lower), upper: each(range.upper) }),
  )
  return isMulti ? `{${texts.join(',')}}` : texts.join()
}

function rangeBytes(element: ValueForm, range: Range): Buffer | undefined {
  const bounds = [range.lower, range.upper]
  const values = bounds.map((text) => (text === undefined ? undefined : element.toBinary?.(text)))
  if (bounds.some((text, i) => text !== undefined && values[i] === undefined)) return undefined
  const flags =
    (range.lower === undefined ? lowerInfinite : range.opening === '[' ? lowerInclusive : 0) |
    (range.upper === undefined ? upperInfinite : range.closing === ']' ? upperInclusive : 0)
  const parts = values.flatMap((value) =>
    value === undefined ? [] : withLength(Buffer.from(value)),
  )
  return Buffer.concat([Buffer.of(flags), ...parts])
}

function withLength(bytes: Buffer): readonly Buffer[] {
  return [int4Bytes(bytes.length), bytes]
}

function textOf(element: ValueForm, bytes: Buffer): string | undefined {
  const [flags] = bytes
  if (flags === undefined) return undefined
  if ((flags & isEmpty) !== 0) return bytes.length === 1 ? 'empty' : undefined
  const isBounded = [(flags & lowerInfinite) === 0, (flags & upperInfinite) === 0]
  const parts = partsIn(bytes.subarray(1))
  if (parts?.length !== isBounded.filter(Boolean).length) return undefined
  const texts = parts.map((part) => element.fromBinary?.(part))
  if (texts.includes(undefined)) return undefined
  const lower = isBounded[0] ? texts[0] : undefined
  const upper = isBounded[1] ? texts.at(-1) : undefined
  const opening = (flags & lowerInclusive) === 0 ? '(' : '['
  const closing = (flags & upperInclusive) === 0 ? ')' : ']'
  return rangeText({ opening, lower, upper, closing })
}

/** Reads parts: each is a length of four bytes, then that number of bytes. */
function partsIn(bytes: Buffer): readonly Buffer[] | undefined {
  const parts: Buffer[] = []
  for (let position = 0; position < bytes.length; ) {
    if (position + 4 > bytes.length) return undefined
    const end = position + 4 + bytes.readInt32BE(position)
    if (end < position + 4 || end > bytes.length) return undefined
    parts.push(bytes.subarray(position + 4, end))
    position = end
  }
  return parts
}

/** `{[1,3),[5,7)}` */
export function multirangeForm(range: ValueForm): ValueForm {
  return {
    toBinary: (text) => {
      const values = rangesIn(text)?.map((item) => range.toBinary?.(rangeText(item)))
      if (values === undefined || values.includes(undefined)) return undefined
      const parts = values.flatMap((value) => withLength(Buffer.from(value ?? '')))
      return Buffer.concat([int4Bytes(values.length), ...parts])
    },
    fromBinary: (bytes) => {
      if (bytes.length < 4) return undefined
      const parts = partsIn(bytes.subarray(4))
      const texts = parts?.map((part) => range.fromBinary?.(part))
      if (texts?.length !== bytes.readInt32BE(0) || texts.includes(undefined)) return undefined
      return `{${texts.join(',')}}`
    },
    ...(range.toSession && { toSession: range.toSession }),
    ...(range.fromSession && { fromSession: range.fromSession }),
  }
}

function rangesIn(text: string): readonly Range[] | undefined {
  if (text === '{}') return []
  const ranges: Range[] = []
  for (let position = 0; position < text.length - 1; ) {
    if (text[position] !== (ranges.length === 0 ? '{' : ',')) return undefined
    const found = rangeAt(text, position + 1)
    if (found === undefined) return undefined
    ranges.push(found.range)
    position = found.end
  }
  return text.endsWith('}') ? ranges : undefined
}
