/**
 * @module PostgreSQL's regular expressions, spelled for PCRE (MariaDB) and ICU (MySQL). Only constructs with the same meaning are
 * accepted: literals, classes, groups, alternation, quantifiers, anchors, `\d \w \s`.
 */
import { GatewayError } from '@engine/core/adapter'

/** The library of a server. */
export type RegexEngine = 'pcre' | 'icu'

/** How a pattern is matched. */
export interface RegexMode {
  readonly engine: RegexEngine
  /** Upper and lower case letters are the same. */
  readonly inAnyCase: boolean
}

/**
 * Translates a client's pattern; undefined where the server would read it in another way.
 *
 * In any case, ICU also finds `ß` for `ss` and `K` (Kelvin) for `k`; PostgreSQL only the upper and lower case of each letter. So a
 * pattern for ICU lists both: `k` becomes `[kK]`.
 */
export function translateRegex(
  pattern: string,
  { engine, inAnyCase }: RegexMode = { engine: 'pcre', inAnyCase: false },
): string | undefined {
  if (pattern.startsWith('***') || /\(\?(?!:)/.test(pattern)) return undefined
  // In PostgreSQL, mixed greediness is decided for the whole expression.
  const isLazy = /[*+?}]\?/.test(pattern)
  if (isLazy && /[*+?}](?!\?)/.test(pattern.replace(/[*+?}]\?/g, ''))) return undefined
  // Possessive for PCRE, wrong for PostgreSQL.
  if (/[*+?}]\+/.test(withoutEscapes(pattern))) return undefined
  const listsCases = engine === 'icu' && inAnyCase
  const translated = translate(pattern, listsCases)
  if (translated === undefined) return undefined
  requireValid(translated)
  return translated
}

function withoutEscapes(pattern: string): string {
  return pattern.replace(/\\./gs, 'x').replace(/\[\^?\]?[^\]]*\]/g, 'x')
}

/** Members of classes in the spelling between brackets. */
const classes: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '0-9',
  alnum: '\\p{L}\\p{N}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  xdigit: '0-9a-fA-F',
  blank: ' \\t',
  space:
    ' \\t\\n\\x{0b}\\f\\r\\x{1680}\\x{2000}-\\x{2006}\\x{2008}-\\x{200a}\\x{2028}\\x{2029}\\x{205f}\\x{3000}',
}

const shorthands: Readonly<Record<string, string>> = {
  d: classes['digit'] ?? '',
  s: classes['space'] ?? '',
  w: `${classes['alnum']}_`,
}

/** Characters of `{255,255}`, the longest bounds that PostgreSQL accepts, and some leading zeros. */
const mostBounds = 16

function translate(pattern: string, listsCases: boolean): string | undefined {
  let result = ''
  let index = 0
  while (index < pattern.length) {
    const character = pattern.charAt(index)
    if (character === '\\') {
      const escaped = outsideEscape(pattern.charAt(index + 1))
      if (escaped === undefined) return undefined
      result += escaped
      index += 2
    } else if (character === '[') {
      const found = bracket(pattern, index, listsCases)
      if (found === undefined) return undefined
      result += found.text
      index = found.end
    } else {
      const whole = String.fromCodePoint(pattern.codePointAt(index) ?? 0)
      const bounds = /^\{\d+(?:,\d*)?\}/.exec(pattern.slice(index, index + mostBounds))?.[0]
      result += bounds ?? outside(whole, listsCases)
      index += (bounds ?? whole).length
    }
  }
  return result
}

/** A character that is no escape and begins no bracket expression. */
function outside(character: string, listsCases: boolean): string {
  // The end of the text, not the end of a line.
  if (character === '$') return '\\z'
  // A brace around no number of repetitions is a character like any other.
  if (character === '{' || character === '}') return `\\${character}`
  const cases = listsCases ? casesOf(character) : [character]
  return cases.length > 1 ? `[${cases.join('')}]` : character
}

/** A letter in lower and upper case, where these are one character each. */
function casesOf(letter: string): readonly string[] {
  const others = [letter.toLowerCase(), letter.toUpperCase()]
  return [...new Set([letter, ...others.filter((each) => Array.from(each).length === 1)])]
}

function outsideEscape(letter: string): string | undefined {
  const lower = letter.toLowerCase()
  const members = Object.hasOwn(shorthands, lower) ? shorthands[lower] : undefined
  if (members !== undefined) return letter === lower ? `[${members}]` : `[^${members}]`
  if (/[nrt]/.test(letter)) return `\\${letter}`
  if (/[a-zA-Z0-9]/.test(letter) || letter === '') return undefined
  return quoted(letter)
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/#\s&~-]/g, '\\$&')
}

/** One bracket expression from `start`. */
function bracket(
  pattern: string,
  start: number,
  listsCases: boolean,
): { readonly text: string; readonly end: number } | undefined {
  let index = start + 1
  let text = '['
  if (pattern.charAt(index) === '^') {
    text += '^'
    index += 1
  }
  for (let isFirst = true; ; isFirst = false) {
    const character = pattern.charAt(index)
    if (character === '') throw invalid()
    if (character === ']' && !isFirst) return { text: `${text}]`, end: index + 1 }
    const named = /^\[:([a-z]+):\]/.exec(pattern.slice(index, index + 12))
    if (named !== null) {
      const name = named[1] ?? ''
      const isCase = listsCases && (name === 'upper' || name === 'lower')
      const members = Object.hasOwn(classes, name) ? classes[isCase ? 'alpha' : name] : undefined
      if (members === undefined) return undefined
      text += members
      index += named[0].length
    } else if (character === '[' && /[.=:]/.test(pattern.charAt(index + 1))) {
      return undefined
    } else if (character === '\\') {
      const members = insideEscape(pattern.charAt(index + 1))
      if (members === undefined) return undefined
      text += members
      index += 2
    } else {
      const found = listsCases ? inBothCases(pattern.slice(index)) : ofMember(character)
      if (found === undefined) return undefined
      text += found.text
      index += found.length
    }
  }
}

interface Members {
  readonly text: string
  /** Of the pattern's text that it stands for. */
  readonly length: number
}

function ofMember(character: string): Members {
  return { text: memberText(character), length: character.length }
}

function memberText(character: string): string {
  return /[\]\\^[&~]/.test(character) ? `\\${character}` : character
}

/** The character or the range at the start of a text, as members in both cases; undefined for a range beyond ASCII. */
function inBothCases(rest: string): Members | undefined {
  const [range, first = '', last = ''] = /^([^\\[\]])-([^\\[\]])/u.exec(rest) ?? []
  if (range === undefined) {
    const character = String.fromCodePoint(rest.codePointAt(0) ?? 0)
    return { text: casesOf(character).map(memberText).join(''), length: character.length }
  }
  if (first > '\x7f' || last > '\x7f') return undefined
  const lower = overlap(first, last, 'a', 'z').toUpperCase()
  const upper = overlap(first, last, 'A', 'Z').toLowerCase()
  return {
    text: `${memberText(first)}-${memberText(last)}${lower}${upper}`,
    length: range.length,
  }
}

/** `b-d` of `b-z` and `a-d`; empty where two ranges have nothing in common. */
function overlap(first: string, last: string, from: string, to: string): string {
  const [start, end] = [first > from ? first : from, last < to ? last : to]
  return start <= end ? `${start}-${end}` : ''
}

function insideEscape(letter: string): string | undefined {
  const members = Object.hasOwn(shorthands, letter) ? shorthands[letter] : undefined
  if (members !== undefined) return members
  if (/[nrt]/.test(letter)) return `\\${letter}`
  if (/[a-zA-Z0-9]/.test(letter) || letter === '') return undefined
  return /[\]\\^[&~-]/.test(letter) ? `\\${letter}` : letter
}

function requireValid(pattern: string): void {
  try {
    new RegExp(pattern.replaceAll(/\\x\{([0-9a-f]+)\}/g, '\\u{$1}').replaceAll('\\z', '$'), 'v')
  } catch {
    // PostgreSQL's pattern parser is stricter about characters that need no escape: try again in lenient mode.
    try {
      new RegExp(pattern.replaceAll(/\\x\{([0-9a-f]+)\}/g, ' ').replaceAll(/\\p\{\w+\}/g, 'a'))
    } catch {
      throw invalid()
    }
  }
}

function invalid(): GatewayError {
  return new GatewayError('dataError', 'A regular expression is invalid.', { sqlState: '2201B' })
}

/** Is the matched text the same under every rule of choosing a match? */
export function hasOneMatch(pattern: string): boolean {
  return !pattern.includes('|')
}

/**
 * `LIKE p ESCAPE e` as a pattern with the usual backslash.
 *
 * @throws {GatewayError} 22025 as PostgreSQL does.
 */
export function withBackslashes(pattern: string, mark: string): string {
  const characters = Array.from(pattern)
  if (Array.from(mark).length > 1) throw invalidEscape()
  if (mark === '\\') return pattern
  let result = ''
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? ''
    if (mark !== '' && character === mark) {
      index += 1
      result += `\\${characters[index] ?? ''}`
    } else {
      result += character === '\\' ? '\\\\' : character
    }
  }
  return result
}

export function invalidEscape(): GatewayError {
  return new GatewayError('dataError', 'A pattern ends within an escape.', { sqlState: '22025' })
}

/** PostgreSQL's `SIMILAR TO` pattern as one of its regular expressions; undefined where that is not plain. */
export function similarPattern(pattern: string, mark: string): string | undefined {
  if (Array.from(mark).length > 1) throw invalidEscape()
  let result = '^(?:'
  let isInside = false
  const characters = Array.from(pattern)
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? ''
    if (mark !== '' && character === mark) {
      index += 1
      const next = characters[index]
      if (next === undefined || next === '"') return undefined
      result += /[a-zA-Z0-9]/.test(next) ? next : `\\${next}`
    } else if (isInside) {
      if (character === ']') isInside = false
      result += character === '\\' ? '\\\\' : character
    } else if (character === '[') {
      isInside = true
      result += '['
    } else if (character === '%') result += '.*'
    else if (character === '_') result += '.'
    else if (character === '(') result += '(?:'
    else if (/[\\.^$]/.test(character)) result += `\\${character}`
    else result += character
  }
  return `${result})$`
}
