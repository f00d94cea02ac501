/**
 * @module to_char of numbers, over the patterns that have one meaning everywhere: digits, point, separators, FM and texts.
 * @see PostgreSQL source, `formatting.c`: `NUM_numpart_to_char`
 */

import { decimalText, round, withoutZerosAtEnd } from '../decimal/decimal.ts'
import { decimalArgument } from '../decimal/decimal-functions.ts'
import { numberOf, type ScalarFunctions, strict, textOf } from '../register/scalar.ts'
import { sqlError } from '../register/sql-error.ts'

type Token =
  | { readonly kind: '9' | '0' | '.' | ',' }
  | { readonly kind: 'text'; readonly text: string }

interface Template {
  readonly tokens: readonly Token[]
  /** FM: without the blanks before the number, and without the zeros after it. */
  readonly isBare: boolean
  /** Digits before and after the point. */
  readonly whole: number
  readonly fraction: number
  /** Counted from 1 over all digits before the point: the first and the last place of any `0`; 0 without any. */
  readonly firstZero: number
  readonly lastZero: number
}

/** The caller handles NULL. Floats have 15 digits, as PostgreSQL shows them here. */
export const numberToCharFunctions: ScalarFunctions = {
  decimal_to_char: strict((value, template) => {
    const { pattern, number } = {
      pattern: templateOf(textOf(template)),
      number: decimalArgument(value),
    }
    if (number.special !== undefined) throw unsupported(textOf(template))
    return written(decimalText(round(number, pattern.fraction)), pattern.fraction, pattern)
  }, 2),
  float_to_char: strict((value, template) => {
    const [pattern, number] = [templateOf(textOf(template)), numberOf(value)]
    if (!Number.isFinite(number) || Math.abs(number) >= 1e15) throw unsupported(textOf(template))
    const wholeDigits = fixed(number, 0).replace('-', '').length
    const places = Math.min(pattern.fraction, 15 - wholeDigits)
    return written(fixed(number, places), places, pattern)
  }, 2),
}

const templates = new Map<string, Template>()

/** The most cached templates. */
const maxTemplates = 200

function templateOf(text: string): Template {
  const known = templates.get(text)
  if (known !== undefined) return known
  const template = readTemplate(text)
  if (templates.size >= maxTemplates) templates.clear()
  templates.set(text, template)
  return template
}

function unsupported(template: string): Error {
  return sqlError('0A000', `the format "${template}" is not supported on this connection`)
}

function readTemplate(text: string): Template {
  const isBare = /^fm/i.test(text)
  const tokens = tokensOf(isBare ? text.slice(2) : text, text)
  let [whole, fraction, firstZero, lastZero, points] = [0, 0, 0, 0, 0]
  for (const { kind } of tokens) {
    if (kind === '.') points += 1
    if (kind !== '9' && kind !== '0') continue
    if (points === 0) whole += 1
    else fraction += 1
    if (kind === '0') {
      if (points === 0 && firstZero === 0) firstZero = whole
      lastZero = whole + fraction
    }
  }
  // After a point without digits PostgreSQL writes nothing more.
  if (points > 1 || whole === 0 || (points === 1 && fraction === 0)) throw unsupported(text)
  return { tokens, isBare, whole, fraction, firstZero, lastZero }
}

function tokensOf(text: string, template: string): readonly Token[] {
  const tokens: Token[] = []
  for (let rest = text; rest !== ''; ) {
    const quoted = /^"([^"\\]*)"/.exec(rest)
    const [character = ''] = rest
    const kind = kinds.get(character)
    if (quoted !== null) tokens.push({ kind: 'text', text: quoted[1] ?? '' })
    else if (kind !== undefined) tokens.push({ kind })
    else if (/[\p{L}\p{N}"\\]/u.test(character)) throw unsupported(template)
    else tokens.push({ kind: 'text', text: character })
    rest = rest.slice(quoted?.[0].length ?? character.length)
  }
  return tokens
}

const kinds: ReadonlyMap<string, '9' | '0' | '.' | ','> = new Map([
  ['9', '9'],
  ['0', '0'],
  ['.', '.'],
  ['D', '.'],
  ['d', '.'],
  [',', ','],
  ['G', ','],
  ['g', ','],
])

/** Rounds like C's printf: to the nearest text, a tie to the even one. */
function fixed(value: number, places: number): string {
  const exact = Math.abs(value).toFixed(mostPlaces)
  const point = exact.indexOf('.')
  const kept = exact.slice(0, places === 0 ? point : point + 1 + places)
  const isTie = /^50*$/.test(exact.slice(point + 1 + places)) && /[02468]$/.test(kept)
  if (!isTie) return (Object.is(value, -0) ? '-' : '') + value.toFixed(places)
  return value < 0 ? `-${kept}` : kept
}

/** Enough for every double that is between two texts. */
const mostPlaces = 100

/** @param number with `places` digits after the point. */
function written(number: string, places: number, template: Template): string {
  const isNegative = number.startsWith('-')
  const digits = isNegative ? number.slice(1) : number
  const wholeLength = places === 0 ? digits.length : digits.length - places - 1
  if (wholeLength <= template.whole) return spread(digits, wholeLength, isNegative, template)
  const hashes = '#'.repeat(template.whole)
  const tail = template.fraction === 0 ? '' : `.${'#'.repeat(template.fraction)}`
  return spread(hashes + tail, template.whole, isNegative, template)
}

/** Puts the digits into the positions of the template. */
function spread(
  digits: string,
  wholeLength: number,
  isNegative: boolean,
  { tokens, isBare, whole, fraction, firstZero, lastZero }: Template,
): string {
  const blanks = whole - wholeLength
  const last = isBare && fraction > 0 ? lastShown(digits, lastZero, blanks) : digits.length
  const isLonePoint = digits[last] === '.'
  let [text, place, at, isSigned, isInside] = ['', 0, 0, isBare && !isNegative, false]
  const sign = (): void => {
    if (!isSigned) text += isNegative ? '-' : ' '
    isSigned = true
  }
  const hides = (): boolean =>
    firstZero === 0 && at === 0 && digits[0] === '0' && fraction > 0 && blanks + 1 === whole
  for (const token of tokens) {
    if (token.kind === 'text') text += token.text
    else if (token.kind === ',') text += isInside ? ',' : isBare ? '' : ' '
    else {
      if (place >= blanks || place + 1 === firstZero) {
        if (!hides() || isLonePoint) sign()
      }
      const isBefore = place < blanks
      if (isBefore && (firstZero === 0 || firstZero > place + 1)) text += isBare ? '' : ' '
      else if (isBefore) {
        text += '0'
        isInside = true
      } else {
        if (token.kind === '.') text += '.'
        else if (at > last) text += ''
        else if (hides()) text += isBare ? (isLonePoint ? '0' : '') : ' '
        else {
          text += digits[at] ?? ''
          isInside = true
        }
        at += 1
      }
      place += 1
    }
  }
  return text
}

/** The last digit that FM leaves: it removes the zeros after it, except those that a `0` in the template requires. */
function lastShown(digits: string, lastZero: number, blanks: number): number {
  const point = digits.indexOf('.')
  if (point < 0) return digits.length
  const relevant = withoutZerosAtEnd(digits).length - 1
  if (lastZero <= blanks) return relevant
  return Math.max(relevant, Math.min(digits.length - 1, lastZero - blanks))
}
