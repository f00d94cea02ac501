/**
 * @module Splits the text of dates and times into tokens.
 * @see https://www.postgresql.org/docs/15/datetime-input-rules.html
 */
import { isDateWord } from './date-words.ts'

/** `number`: digits, or a fraction; `date`: with separators, or the name of a zone; `special`: a word with a sign. */
export type DateTokenKind = 'number' | 'date' | 'time' | 'zone' | 'word' | 'special'

export interface DateToken {
  readonly kind: DateTokenKind
  /** In lower case. */
  readonly text: string
}

const maxTokens = 25

/** @param maxLength of all tokens together, each with one character after it. */
export function dateTokens(text: string, maxLength: number): readonly DateToken[] | undefined {
  const tokens: DateToken[] = []
  let length = 0
  let at = 0
  while (at < text.length) {
    if (isBlank(text, at)) {
      at += 1
      continue
    }
    if (tokens.length >= maxTokens) return undefined
    const token = tokenAt(text, at)
    if (token === undefined) {
      // Other punctuation separates tokens.
      if (!/[!-/:-@[-`{-~]/.test(text.charAt(at)) || isSign(text, at)) return undefined
      at += 1
      continue
    }
    length += token.text.length + 1
    if (length > maxLength) return undefined
    tokens.push({ kind: token.kind, text: token.text.toLowerCase() })
    at = token.end
  }
  return tokens
}

interface FoundToken extends DateToken {
  readonly end: number
}

function tokenAt(text: string, at: number): FoundToken | undefined {
  const character = text.charAt(at)
  if (isDigit(character)) return numeric(text, at)
  if (character === '.') return found('number', fraction, text, at)
  if (/[a-z]/i.test(character)) return alphabetic(text, at)
  return isSign(text, at) ? signed(text, at) : undefined
}

const digits = /\d+/y
const fraction = /\.\d*/y
const clock = /\d+:[\d:.]*/y
const textDate = /\d+([-/.])(?:[a-z\d]|\1)*/iy
const pair = /\d+[-/.]\d+/y
const triple = /\d+([-/.])\d+\1(?:\d|\1)*/y
const word = /[a-z]+/iy
const compound = /[a-z]+[-+/_.:a-z\d]*/iy

function numeric(text: string, at: number): FoundToken | undefined {
  const end = endOf(digits, text, at)
  const next = text.charAt(end)
  if (next === ':') return found('time', clock, text, at)
  if (next !== '-' && next !== '/' && next !== '.') return found('number', digits, text, at)
  if (!isDigit(text.charAt(end + 1))) return found('date', textDate, text, at)
  return found('date', triple, text, at) ?? found(next === '.' ? 'number' : 'date', pair, text, at)
}

function alphabetic(text: string, at: number): FoundToken | undefined {
  const end = endOf(word, text, at)
  const next = text.charAt(end)
  const isCompound =
    /[-/.]/.test(next) || (/[+\d]/.test(next) && !isDateWord(text.slice(at, end).toLowerCase()))
  return isCompound ? found('date', compound, text, at) : found('word', word, text, at)
}

const zone = /\d[\d:.-]*/y

/** Blanks may follow the sign. */
function signed(text: string, at: number): FoundToken | undefined {
  let start = at + 1
  while (start < text.length && isBlank(text, start)) start += 1
  const token = found('zone', zone, text, start) ?? found('special', word, text, start)
  return token && { ...token, text: text.charAt(at) + token.text }
}

function found(
  kind: DateTokenKind,
  pattern: RegExp,
  text: string,
  at: number,
): FoundToken | undefined {
  const end = endOf(pattern, text, at)
  return end === at ? undefined : { kind, text: text.slice(at, end), end }
}

/** The end of the match at `at`; `at` without a match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

function isSign(text: string, at: number): boolean {
  const character = text.charAt(at)
  return character === '+' || character === '-'
}

function isBlank(text: string, at: number): boolean {
  return /[ \t-\r]/.test(text.charAt(at))
}
